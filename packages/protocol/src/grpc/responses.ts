// Answers of the gRPC protocol: a class name and its JSON. Members that have no value are left out, never null: the
// Python SDK cannot read null. Source: contract 3.3, 9, 10.

import { errorMapping } from '../error-code.js';
import { jsonText } from '../json-text.js';
import type { RegistryError } from '../registry-error.js';

/** One answer or push: class name and body. */
export interface Message {
  readonly type: string;
  readonly json: string;
}

/** A success. @param members - more members, each starting with a comma */
export function success(type: string, members = ''): Message {
  return { type, json: `{"resultCode":200,"errorCode":0${members},"success":true}` };
}

/**
 * A refusal in the class that the SDK expects, so that it is told at once instead of being retried.
 *
 * @param members - members that the class needs besides, each starting with a comma
 */
export function typedRefusal(type: string, error: RegistryError, members = ''): Message {
  const code = errorMapping(error.code).grpcCode;
  const text = jsonText(`Param check invalid:${error.message}`);
  return { type, json: `{"resultCode":500,"errorCode":${code},"message":${text}${members},"success":false}` };
}

/** Codes of {@link errorResponse} that mean something about the connection or the message itself. */
export const GRPC_ERROR = {
  starting: 300,
  unregistered: 301,
  noHandler: 302,
  invalid: 400,
  malformed: 502,
  overThreshold: 503,
  noNamingClient: -401,
} as const;

/** The class for everything that has no answer of its own; SDKs retry it, and reconnect on 301. */
export function errorResponse(errorCode: number, message: string): Message {
  const resultCode = errorCode === GRPC_ERROR.invalid ? errorCode : 500;
  return {
    type: 'ErrorResponse',
    json: `{"resultCode":${resultCode},"errorCode":${errorCode},"message":${jsonText(message)},"success":false}`,
  };
}
