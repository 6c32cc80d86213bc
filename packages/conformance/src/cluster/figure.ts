// One figure of a flow over a cluster, with what is allowed. Limits have two strengths: what a cluster that calls itself one
// must keep (`default`), and what Rollcall keeps (`strict`).

/** Which limits apply. */
export type ClusterStrength = 'default' | 'strict';

/** What is allowed, both ends included; a strength without one lets every value pass. */
export interface FigureLimit {
  readonly default?: number;
  readonly strict?: number;
  /** Lowest allowed value, with `strict` only. */
  readonly strictLeast?: number;
}

/** A value that was seen: a number, or `never` for something that was waited for in vain. */
export type FigureValue = number | 'never';

/** A figure. */
export interface Figure {
  readonly name: string;
  readonly value: FigureValue;
  /** `ms`, `s`, or empty for a count. */
  readonly unit: string;
  readonly limit: FigureLimit;
}

/** How a figure is judged: `told` when nothing is asked of it. */
export function judgeFigure({ value, limit }: Figure, strength: ClusterStrength): 'ok' | 'WRONG' | 'told' {
  const most = mostOf(limit, strength);
  if (most === undefined) return 'told';
  const least = strength === 'strict' ? (limit.strictLeast ?? 0) : 0;
  return value !== 'never' && value >= least && value <= most ? 'ok' : 'WRONG';
}

/** What is allowed, as text; empty when everything is. */
export function limitText({ limit, unit }: Figure, strength: ClusterStrength): string {
  const most = mostOf(limit, strength);
  if (most === undefined) return '';
  const least = strength === 'strict' ? limit.strictLeast : undefined;
  return `${least === undefined ? '<= ' : `${least}–`}${most} ${unit}`.trimEnd();
}

function mostOf(limit: FigureLimit, strength: ClusterStrength): number | undefined {
  return strength === 'strict' ? (limit.strict ?? limit.default) : limit.default;
}
