// One figure of a flow.

/** A thing that a flow measured. */
export interface Measurement {
  readonly name: string;
  readonly value: number;
  /** `ms`, `s`, or empty for a plain number. */
  readonly unit: string;
}
