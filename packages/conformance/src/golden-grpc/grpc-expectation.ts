// What a server should answer to a step of a gRPC case: a recorded answer, one with changes, a refusal, or one of several.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Json } from '../golden/exact-json.js';
import type { GrpcAnswer } from './grpc-case-run.js';

/** How an expectation is written: the version whose answer is right, or an object that says more. */
type Entry = string | ObjectEntry;

interface ObjectEntry {
  /** Nothing is compared. */
  readonly any?: boolean;
  readonly answer?: GrpcAnswer | string;
  /** Version whose answer is right but for `set` and `unset`. */
  readonly ref?: string;
  readonly set?: Readonly<Record<string, Json>>;
  readonly unset?: readonly string[];
  /** A refusal with one of these error codes. */
  readonly refused?: readonly number[];
  /** One of these. */
  readonly anyOf?: readonly Entry[];
  /** At least as many messages. */
  readonly atLeast?: number;
  readonly allowExtra?: boolean;
  readonly note?: string;
}

interface ExpectationFile {
  readonly optional: readonly string[];
  readonly notes: Readonly<Record<string, string>>;
  readonly cases: Readonly<Record<string, Entry | readonly Entry[]>>;
}

/** What one step should give. */
export type GrpcExpectation =
  | { readonly kind: 'free' }
  | { readonly kind: 'refused'; readonly errorCodes: readonly number[] }
  | { readonly kind: 'one-of'; readonly alternatives: readonly GrpcExpectation[] }
  | {
      readonly kind: 'answer';
      readonly answer: GrpcAnswer;
      /** Fewest messages, when only that many are asked for. */
      readonly atLeast: number | undefined;
      /** Whether members that are not named may be there; undefined leaves it to the kind of step. */
      readonly extraAllowed: boolean | undefined;
    };

/** Expectations of all cases. */
export interface GrpcExpectations {
  /** Paths of members that may be there or not. */
  readonly optionalMembers: ReadonlySet<string>;
  has(caseId: string): boolean;
  of(caseId: string, stepIndex: number): GrpcExpectation;
  /** Reason, when somebody chose. */
  noteOf(caseId: string, stepIndex: number): string | undefined;
}

/** The expectations of a golden folder. @param folder - holds `expectations.json` and `answers/` */
export function loadGrpcExpectations(folder: string): GrpcExpectations {
  const file = JSON.parse(readFileSync(path.join(folder, 'expectations.json'), 'utf8')) as ExpectationFile;
  const recorded = new Map<string, Readonly<Record<string, readonly GrpcAnswer[]>>>();
  const recordedAnswer = (version: string, caseId: string, stepIndex: number): GrpcAnswer | undefined => {
    const answers = recorded.get(version) ?? loadAnswers(path.join(folder, 'answers', `nacos-${version}.json`));
    recorded.set(version, answers);
    return answers[caseId]?.[stepIndex];
  };
  const resolve = (entry: ObjectEntry | undefined, caseId: string, stepIndex: number): GrpcExpectation => {
    if (entry === undefined || entry.any) return { kind: 'free' };
    if (entry.refused !== undefined) return { kind: 'refused', errorCodes: entry.refused };
    if (entry.anyOf !== undefined) {
      const alternatives = entry.anyOf.map((one) => resolve(objectOf(one), caseId, stepIndex));
      return { kind: 'one-of', alternatives };
    }
    const base = entry.answer ?? recordedAnswer(entry.ref ?? '', caseId, stepIndex);
    if (base === undefined || typeof base === 'string') return { kind: 'free' };
    const answer = changed(base, entry.set ?? {}, entry.unset ?? []);
    return { kind: 'answer', answer, atLeast: entry.atLeast, extraAllowed: entry.allowExtra };
  };
  const entryOf = (caseId: string, stepIndex: number): ObjectEntry | undefined => {
    const ofCase = file.cases[caseId];
    return objectOf((Array.isArray(ofCase) ? ofCase[stepIndex] : ofCase) as Entry | undefined);
  };
  return {
    optionalMembers: new Set(file.optional),
    has: (caseId) => Object.hasOwn(file.cases, caseId),
    of: (caseId, stepIndex) => resolve(entryOf(caseId, stepIndex), caseId, stepIndex),
    noteOf(caseId, stepIndex) {
      const note = entryOf(caseId, stepIndex)?.note;
      return note === undefined ? undefined : (file.notes[note] ?? note);
    },
  };
}

function loadAnswers(file: string): Readonly<Record<string, readonly GrpcAnswer[]>> {
  return (JSON.parse(readFileSync(file, 'utf8')) as { cases: Record<string, readonly GrpcAnswer[]> }).cases;
}

function objectOf(entry: Entry | undefined): ObjectEntry | undefined {
  return typeof entry === 'string' ? { ref: entry } : entry;
}

function changed(answer: GrpcAnswer, set: Readonly<Record<string, Json>>, unset: readonly string[]): GrpcAnswer {
  const copy = structuredClone(answer) as Record<string, unknown>;
  for (const [at, value] of Object.entries(set)) put(copy, at, value);
  for (const at of unset) put(copy, at, undefined);
  return copy as GrpcAnswer;
}

/** Writes, or with undefined takes out, what a path names: `$.hosts[0].weight`, where `$` is the body. */
function put(answer: Record<string, unknown>, at: string, value: Json | undefined): void {
  const members = at
    .replace(/^\$/, 'body')
    .split(/[.[\]]+/)
    .filter((member) => member !== '');
  const last = members.pop() ?? '';
  let holder = answer;
  for (const member of members) holder = holder[member] as Record<string, unknown>;
  if (value === undefined) delete holder[last];
  else holder[last] = value;
}
