// The two ways in which a flow ends early.

/** Something was not as it must be; the message says what was expected and what was found. */
export class FlowFailure extends Error {
  override readonly name = 'FlowFailure';
}

/** The flow cannot be run here; the message says what is missing. */
export class FlowSkip extends Error {
  override readonly name = 'FlowSkip';
}
