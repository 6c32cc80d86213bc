// What a server should answer to a step: a recorded answer of a real server, such an answer with changes, or one of our own.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Json } from './exact-json.js';
import type { GoldenAnswer } from './golden-answer.js';

/** How an expectation is written: the version whose answer is right, or an object that says more. */
type Entry =
  | string
  | {
      /** Nothing is compared. */
      readonly any?: boolean;
      readonly answer?: GoldenAnswer;
      /** Version whose answer is right but for `set` and `unset`. */
      readonly ref?: string;
      readonly set?: Readonly<Record<string, Json>>;
      readonly unset?: readonly string[];
      /** Members that the expectation does not name may be there. */
      readonly allowExtra?: boolean;
      /** Key of the note that gives the reason. */
      readonly note?: string;
    };

interface ExpectationFile {
  readonly kind: 'expectations';
  readonly allowExtra: readonly string[];
  readonly notes: Readonly<Record<string, string>>;
  readonly cases: Readonly<Record<string, Entry | readonly Entry[]>>;
}

interface RecordedAnswers {
  readonly cases: Readonly<Record<string, readonly GoldenAnswer[]>>;
}

/** The expectation of one step. */
export interface StepExpectation {
  readonly answer: GoldenAnswer;
  /** Whether any further member may be there. */
  readonly extraAllowed: boolean;
  /** Reason, when somebody chose. */
  readonly note: string | undefined;
}

/** Expectations of all cases. */
export interface Expectations {
  /** Paths (`$.hosts[].app`) of members that may be there or not, in every answer. */
  readonly optionalMembers: ReadonlySet<string>;
  has(caseId: string): boolean;
  /** @returns undefined when nothing is compared */
  of(caseId: string, stepIndex: number): StepExpectation | undefined;
}

/** The expectations of a golden folder. @param folder - holds `expectations.json` and `answers/` */
export function loadExpectations(folder: string): Expectations {
  const file = JSON.parse(readFileSync(path.join(folder, 'expectations.json'), 'utf8')) as ExpectationFile;
  const recorded = new Map<string, Expectations>();
  const answerOf = (version: string, caseId: string, stepIndex: number): GoldenAnswer | undefined => {
    const known = recorded.get(version) ?? loadRecordedAnswers(path.join(folder, 'answers', `nacos-${version}.json`));
    recorded.set(version, known);
    return known.of(caseId, stepIndex)?.answer;
  };
  return {
    optionalMembers: new Set(file.allowExtra),
    has: (caseId) => Object.hasOwn(file.cases, caseId),
    of(caseId, stepIndex) {
      const ofCase = file.cases[caseId];
      const entry = Array.isArray(ofCase) ? (ofCase[stepIndex] as Entry | undefined) : (ofCase as Entry | undefined);
      const full = typeof entry === 'string' ? { ref: entry } : entry;
      if (full === undefined || full.any === true) return undefined;
      const base = full.answer ?? answerOf(full.ref ?? '', caseId, stepIndex);
      if (base === undefined) return undefined;
      const note = full.note === undefined ? undefined : (file.notes[full.note] ?? full.note);
      return { answer: changed(base, full.set ?? {}, full.unset ?? []), extraAllowed: full.allowExtra === true, note };
    },
  };
}

/** Takes the answers of a real server, recorded in a file, as expectations: nothing is optional then. */
export function loadRecordedAnswers(file: string): Expectations {
  const { cases } = JSON.parse(readFileSync(file, 'utf8')) as RecordedAnswers;
  return {
    optionalMembers: new Set(),
    has: (caseId) => Object.hasOwn(cases, caseId),
    of(caseId, stepIndex) {
      const answer = cases[caseId]?.[stepIndex];
      return answer === undefined ? undefined : { answer, extraAllowed: false, note: undefined };
    },
  };
}

function changed(answer: GoldenAnswer, set: Readonly<Record<string, Json>>, unset: readonly string[]): GoldenAnswer {
  const copy = structuredClone(answer);
  for (const [at, value] of Object.entries(set)) place(copy, at).set(value);
  for (const at of unset) place(copy, at).remove();
  return copy;
}

/** The place that a path names: `status`, `$.hosts[0].weight` (`$` is the body). */
function place(answer: GoldenAnswer, at: string) {
  const members = at
    .replace(/^\$/, 'body')
    .split(/[.[\]]+/)
    .filter((member) => member !== '');
  const last = members.pop() ?? '';
  let holder = answer as unknown as Record<string, unknown>;
  for (const member of members) holder = holder[member] as Record<string, unknown>;
  return {
    set: (value: Json) => {
      holder[last] = value;
    },
    remove: () => {
      delete holder[last];
    },
  };
}
