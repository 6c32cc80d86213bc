// One unary request: what is checked before its handler runs, in the order of the original, and what failures look like.
// Source: contract 9.1.

import {
  decodePayload,
  errorMapping,
  errorResponse,
  GRPC_ERROR,
  JsonMembers,
  type Message,
  type Payload,
  RegistryError,
  success,
} from '@rollcall/protocol';
import type { ConnectionDrain } from './connection-drain.js';
import type { GrpcConnection } from './grpc-connection.js';

/** What a handler gets. */
export interface UnaryRequest {
  readonly connection: GrpcConnection;
  readonly body: JsonMembers;
  readonly headers: Payload['headers'];
}

/** An answer; as bytes it is in its frame already, and shared by all who are answered the same. */
export type UnaryAnswer = Message | Uint8Array;

/** Answers one type of request; throws RegistryError for an `ErrorResponse`. */
export type UnaryHandler = (request: UnaryRequest) => UnaryAnswer | Promise<UnaryAnswer>;

/** Messages between servers: refused on the ports of clients. */
const CLUSTER_TYPES = new Set([
  'DistroDataRequest',
  'MemberReportRequest',
  'ServerLoaderInfoRequest',
  'ServerReloadRequest',
  'ConfigChangeClusterSyncRequest',
]);

const STARTING = 'Server is starting,please try later.';
/** The code is that of a server that starts: every SDK tries another server on it. */
const DRAINING = 'Server is draining, please use another one.';

/** Answers unary requests. */
export class UnaryDispatch {
  readonly #handlers: ReadonlyMap<string, UnaryHandler>;
  readonly #drain: Pick<ConnectionDrain, 'isDraining'>;
  readonly #isStarting: () => boolean;

  /**
   * @param handlers - by type of request
   * @param drain - while it goes on, new clients are told to look for another server
   * @param isStarting - whether this node of a cluster has no full copy yet: its lists would be too short
   */
  constructor(
    handlers: ReadonlyMap<string, UnaryHandler>,
    drain: Pick<ConnectionDrain, 'isDraining'>,
    isStarting: () => boolean,
  ) {
    this.#isStarting = isStarting;
    this.#handlers = handlers;
    this.#drain = drain;
  }

  /**
   * Answers a request.
   *
   * @param bytes - the payload
   * @param now - monotonic ms; a request that reaches its handler is a sign of life
   * @throws RegistryError `malformed-request` when the bytes are no payload; everything else becomes an answer
   */
  answer(connection: GrpcConnection, bytes: Uint8Array, now: number): UnaryAnswer | Promise<UnaryAnswer> {
    const payload = decodePayload(bytes);
    const { type } = payload;
    if (CLUSTER_TYPES.has(type)) return errorResponse(GRPC_ERROR.malformed, ` invoke ${type} from sdk is forbidden`);
    if (this.#isStarting()) return errorResponse(GRPC_ERROR.starting, STARTING);
    if (connection.identity === undefined && this.#drain.isDraining)
      return errorResponse(GRPC_ERROR.starting, DRAINING);
    if (type === 'ServerCheckRequest') return serverCheck(connection);
    const handler = this.#handlers.get(type);
    if (handler === undefined) return errorResponse(GRPC_ERROR.noHandler, 'RequestHandler Not Found');
    if (connection.identity === undefined) return errorResponse(GRPC_ERROR.unregistered, 'Connection is unregistered.');
    connection.idle.sign(now);
    try {
      const answer = handler({ connection, body: JsonMembers.ofBody(payload.body), headers: payload.headers });
      return answer instanceof Promise ? answer.catch(failure) : answer;
    } catch (error) {
      return failure(error);
    }
  }
}

function serverCheck(connection: GrpcConnection): Message {
  return success(
    'ServerCheckResponse',
    `,"connectionId":${JSON.stringify(connection.id)},"supportAbilityNegotiation":true`,
  );
}

function failure(error: unknown): Message {
  if (error instanceof RegistryError) return errorResponse(errorMapping(error.code).grpcCode, error.message);
  return errorResponse(500, `Server failed: ${error instanceof Error ? error.message : String(error)}`);
}
