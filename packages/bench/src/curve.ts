// A figure over a number that grows, for plots and for the report as JSON.

/** One line of a plot. */
export interface Curve {
  /** What is plotted; lines of one title are drawn together. */
  readonly title: string;
  readonly unit: string;
  readonly contender: string;
  /** How many, and the figure there; by rising number. */
  readonly points: readonly (readonly [number, number])[];
}
