// The golden cases: requests that were sent to real Nacos servers, grouped by area. This file knows their form on disk.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Parameters as an object, or as pairs when a name comes twice. */
export type Pairs = Readonly<Record<string, string>> | readonly (readonly [string, string])[];

/** Keeps only a case's own part of a list that other cases also fill. */
export interface Selection {
  /** Dotted path to the list; the whole body when absent. */
  readonly at?: string;
  /** Members that an entry must have. */
  readonly where?: Readonly<Record<string, string>>;
  /** Member of an object to keep. */
  readonly key?: string;
  /** Text that an entry must contain. */
  readonly contains?: string;
}

/** One request of a case, with what to wait for before it. */
export interface GoldenStep {
  readonly method: string;
  readonly path: string;
  readonly query?: Pairs;
  /** Query exactly as it goes on the wire. */
  readonly rawQuery?: string;
  readonly form?: Pairs;
  /** Text as it is, anything else as JSON. */
  readonly body?: unknown;
  /** A header with the value null is not sent. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Pause before the step, ms. */
  readonly waitMs?: number;
  /** Time of the step since the case began, ms. */
  readonly atMs?: number;
  /** The order of lists in the answer matters. */
  readonly keepOrder?: boolean;
  readonly select?: Selection;
  /** The path stands for itself, without the context path. */
  readonly root?: boolean;
}

/** Requests that belong together. Every case uses names and addresses of its own, so cases may run at once. */
export interface GoldenCase {
  readonly area: string;
  /** Protocol: `v1`, `v2`, `v3`. */
  readonly api: string;
  readonly id: string;
  readonly title: string;
  /** Changes something that all cases share; runs alone. */
  readonly exclusive?: boolean;
  readonly steps: readonly GoldenStep[];
}

interface CaseFile {
  readonly area: string;
  readonly api?: string;
  readonly cases: readonly Omit<GoldenCase, 'area' | 'api'>[];
}

/**
 * Reads all cases of a golden folder, in the order of its files.
 *
 * @param folder - holds `cases/*.json`
 * @throws Error when two cases have one id
 */
export function loadGoldenCases(folder: string): GoldenCase[] {
  const casesFolder = path.join(folder, 'cases');
  const names = readdirSync(casesFolder).filter((name) => name.endsWith('.json'));
  const cases = names.sort().flatMap((name) => {
    const file = JSON.parse(readFileSync(path.join(casesFolder, name), 'utf8')) as CaseFile;
    return file.cases.map((one): GoldenCase => ({ area: file.area, api: file.api ?? 'v1', ...one }));
  });
  const ids = new Set<string>();
  for (const { id } of cases) {
    if (ids.has(id)) throw new Error(`Cannot load golden cases: the id "${id}" occurs twice, allowed is once`);
    ids.add(id);
  }
  return cases;
}
