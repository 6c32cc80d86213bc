// The names that make one case in one run independent of every other, and the templates that mention them.

import type { GoldenCase } from './golden-case.js';

/** Values of the placeholders in a case. */
export interface CaseNames {
  /** Service name of its own. */
  readonly svc: string;
  /** Namespace of its own. */
  readonly ns: string;
  /** First three parts of addresses of its own. */
  readonly net: string;
}

/**
 * Names of a case.
 *
 * @param index - place of the case in the run, 0 to 32767
 * @param run - short text that differs from run to run, letters and digits
 */
export function caseNames(golden: GoldenCase, index: number, run: string): CaseNames {
  let hash = 0;
  for (const char of run) hash = (hash * 33 + char.charCodeAt(0)) % 125;
  // Two values of the second part per run leave room for 512 cases each; runs rarely share them.
  const second = hash * 2 + (index >> 8);
  return { svc: `${golden.id}.${run}`, ns: `ns-${golden.id}-${run}`, net: `10.${second}.${index & 0xff}` };
}

/** Puts names into a template: `{svc}`, `{ns}`, `{net}`, and `{repeat:N:text}` for a text N times. Other braces stay. */
export function fillTemplate(template: string, names: CaseNames): string {
  return template
    .replace(/\{(svc|ns|net)\}/g, (_, name: keyof CaseNames) => names[name])
    .replace(/\{repeat:(\d+):([^}]*)\}/g, (_, times: string, text: string) => text.repeat(Number(times)));
}
