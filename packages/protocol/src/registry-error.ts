// The one error class for everything a caller can be told: a closed code, the exact text for the wire, and the values that matter.

import type { ErrorCode } from './error-code.js';

/** Values that explain an error (found, allowed, names); scalars only, so that they can be logged and sent as they are. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean>>;

const NO_DETAILS: ErrorDetails = Object.freeze({});

/** A message may quote a value of megabytes; what is behind these characters is left out. */
const MESSAGE_LENGTH_MAX = 4096;

/**
 * A refusal or failure that a caller is told about.
 *
 * `message` is exactly what HTTP v1 sends as body (Nacos texts are kept where clients or tests compare them); the code
 * comes first in `toString()`, logs and the command line.
 */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';
  /** What went wrong; decides the status on every protocol. */
  readonly code: ErrorCode;
  /** The values behind the message; empty when there are none. */
  readonly details: ErrorDetails;

  /**
   * @param code - what went wrong
   * @param message - text for the caller: what was tried, what was found, what is allowed; cut behind 4,096 characters
   * @param options - `details` for logs, `cause` when another error led here
   */
  constructor(
    code: ErrorCode,
    message: string,
    options: { readonly details?: ErrorDetails; readonly cause?: unknown } = {},
  ) {
    super(cutMessage(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? NO_DETAILS;
  }

  /** `code: message`. */
  override toString(): string {
    return `${this.code}: ${this.message}`;
  }
}

function cutMessage(message: string): string {
  return message.length > MESSAGE_LENGTH_MAX ? `${message.slice(0, MESSAGE_LENGTH_MAX)}…` : message;
}
