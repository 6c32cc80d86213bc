// The place where the encoded form of an answer is kept that is given again and again.

/** The encoded form of one answer that is given again and again; written by `AnswerEncoder` alone. */
export class PreparedHead {
  /** Coarse time of the `Date` header in {@link bytes}. */
  wallMs = Number.NaN;
  /** Head, and body unless that is large, for a connection that stays open; undefined until first used. */
  bytes: Buffer | undefined;
}
