// The one error class of the client. Its codes are those of the server (docs/errors.md) and a few for what only a client can meet.

import { ERROR_CODES, type ErrorCode, RegistryError } from '@rollcall/protocol';

/** Codes that only the client uses. */
export const CLIENT_ONLY_CODES = [
  /** No server could be reached, or none answered. */
  'unreachable',
  /** What answered is no registry: an HTML page, broken JSON, a list without hosts. */
  'unexpected-answer',
  /** The time that the caller gave was over. */
  'deadline-exceeded',
  /** The caller's signal was aborted. */
  'aborted',
  /** The client, registration or view was closed before. */
  'closed',
  /** No instance can take a call: none registered, or none healthy, enabled and with weight. */
  'no-instance',
] as const;

/** What went wrong, in one word. */
export type ClientErrorCode = ErrorCode | (typeof CLIENT_ONLY_CODES)[number];

/** What else is known of a failure. */
export interface ClientErrorOptions {
  /** Address of the server that answered, or was asked last. */
  readonly server?: string | undefined;
  /** HTTP status of the answer. */
  readonly status?: number | undefined;
  /** The error behind this one. */
  readonly cause?: unknown;
}

const TRANSIENT: ReadonlySet<ClientErrorCode> = new Set<ClientErrorCode>([
  'unreachable',
  'unexpected-answer',
  'deadline-exceeded',
  'unavailable',
  'overloaded',
  'storage-failed',
  'internal',
]);

/** Everything that this client throws or rejects with. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  /** What went wrong. */
  readonly code: ClientErrorCode;
  /** Address of the server, `host:port`; undefined when none was involved. */
  readonly server: string | undefined;
  /** HTTP status of the answer; undefined when there was none. */
  readonly status: number | undefined;

  /** @param code - see docs/errors.md @param message - what was tried, what was found, what is allowed */
  constructor(code: ClientErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.server = options.server;
    this.status = options.status;
  }

  /** Whether the same call may succeed later without a change of the call. */
  get transient(): boolean {
    return TRANSIENT.has(this.code);
  }

  /** `code: message`. */
  override toString(): string {
    return `${this.code}: ${this.message}`;
  }
}

/** Any thrown value as a client error; checks of the protocol package keep their code. */
export function clientErrorOf(error: unknown): ClientError {
  if (error instanceof ClientError) return error;
  if (error instanceof RegistryError) return new ClientError(error.code, error.message, { cause: error });
  const message = error instanceof Error ? error.message : String(error);
  return new ClientError('internal', `The client met a fault of its own: ${message}`, { cause: error });
}

/**
 * The code for an answer that is no success.
 *
 * @param status - HTTP status, 300 to 599
 */
export function codeOfStatus(status: number): ClientErrorCode {
  switch (status) {
    case 400:
      return 'invalid-parameter';
    case 401:
    case 403:
      return 'access-denied';
    case 404:
      return 'not-found';
    case 409:
      return 'conflict';
    case 413:
      return 'body-too-large';
    case 415:
      return 'unsupported-media-type';
    case 429:
      return 'overloaded';
    case 431:
      return 'head-too-large';
    case 501:
      return 'not-implemented';
    default:
      return status >= 500 ? 'unavailable' : 'unexpected-answer';
  }
}

/** Every code, those of the server first. */
export const CLIENT_ERROR_CODES: readonly ClientErrorCode[] = [...ERROR_CODES, ...CLIENT_ONLY_CODES];
