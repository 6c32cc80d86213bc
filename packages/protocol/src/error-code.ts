// The closed list of things that can go wrong for a caller, each mapped once to every protocol.
// Source: Nacos 2.5.1 ErrorCode (v2 and v3 numbers and texts) and NacosException (gRPC codes); HTTP status: product.md rule 3.

/** How one {@link ErrorCode} looks on each protocol. */
export interface ErrorMapping {
  /** HTTP status on v1, v2 and v3. */
  readonly httpStatus: number;
  /** `code` of the v2 and v3 envelope. */
  readonly resultCode: number;
  /** `message` of the v2 and v3 envelope; the detailed text goes to `data`. */
  readonly resultText: string;
  /** `errorCode` of a gRPC response. */
  readonly grpcCode: number;
}

function mapping(httpStatus: number, resultCode: number, resultText: string, grpcCode: number): ErrorMapping {
  return { httpStatus, resultCode, resultText, grpcCode };
}

/** Every error code with its mapping. Codes are never renamed or used again for something else; each has a section in docs/errors.md. */
export const ERROR_MAPPINGS = {
  /** A parameter that must be there is not. */
  'missing-parameter': mapping(400, 10000, 'parameter missing', 400),
  /** A parameter cannot be read or is outside its range. */
  'invalid-parameter': mapping(400, 20002, 'parameter validate error', 400),
  /** Bytes of a request that are no request at all: framing, JSON, protobuf. */
  'malformed-request': mapping(400, 20002, 'parameter validate error', 502),
  /** A weight outside 0 to 10000, or no number. */
  'invalid-weight': mapping(400, 21001, 'weight error', 400),
  /** Metadata text that is neither a JSON object of scalars nor `k=v` pairs. */
  'invalid-metadata': mapping(400, 21002, 'instance metadata error', 400),
  /** An instance that contradicts itself, or an update that cannot apply. */
  'invalid-instance': mapping(400, 21004, 'instance error', 400),
  /** A selector of unknown type or with an expression that cannot be read. */
  'invalid-selector': mapping(400, 21006, 'selector error', 400),
  /** A namespace id or name with characters that are not allowed. */
  'invalid-namespace': mapping(400, 22000, 'illegal namespace', 400),
  /** More of something than the limits allow. */
  'limit-exceeded': mapping(400, 20002, 'parameter validate error', 400),
  /** A body over the limit. */
  'body-too-large': mapping(413, 20002, 'parameter validate error', 400),
  /** Request line and headers over the limit. */
  'head-too-large': mapping(431, 20002, 'parameter validate error', 400),
  /** A media type that this route cannot read. */
  'unsupported-media-type': mapping(415, 20003, 'MediaType Error', 400),
  /** The caller may not do this. */
  'access-denied': mapping(403, 10001, 'access denied', 403),
  /** An instance, client or other thing that was asked for is not there. */
  'not-found': mapping(404, 20004, 'resource not found', 404),
  /** The service that a request acts on is not there; v1 of 2.5.1 calls that a bad request. */
  'service-not-found': mapping(400, 21008, 'service not exist', 404),
  /** The namespace that was asked for is not there. */
  'namespace-not-found': mapping(404, 22001, 'namespace not exist', 404),
  /** A service cannot be created twice. */
  'service-exists': mapping(400, 21007, 'service already exist', 409),
  /** A namespace cannot be created twice. */
  'namespace-exists': mapping(400, 22002, 'namespace already exist', 409),
  /** A service that has instances cannot be deleted. */
  'service-not-empty': mapping(400, 21009, 'service delete failure', 409),
  /** A namespace that has services cannot be deleted. */
  'namespace-not-empty': mapping(409, 20005, 'resource conflict', 409),
  /** The service holds instances of the other kind and this protocol does not mix them. */
  'kind-conflict': mapping(400, 30000, 'server error', 400),
  /** Health by hand while a checker works on the cluster. */
  'health-check-running': mapping(400, 30000, 'server error', 400),
  /** A state that no server of a cluster can have. */
  'illegal-state': mapping(400, 23000, 'illegal state', 400),
  /** What was asked contradicts what is there. */
  conflict: mapping(409, 20005, 'resource conflict', 409),
  /** No such route or message. */
  'not-implemented': mapping(501, 40001, 'API function disabled', 302),
  /** The server is starting, stopping or taken out by hand. */
  unavailable: mapping(503, 30000, 'server error', 300),
  /** Too much at once; the caller should come back later. */
  overloaded: mapping(503, 30000, 'server error', 503),
  /** The store did not take a write; nothing was changed. */
  'storage-failed': mapping(500, 10002, 'data access error', 500),
  /** A fault of ours. */
  internal: mapping(500, 30000, 'server error', 500),
} as const satisfies Record<string, ErrorMapping>;

/** What went wrong, in one word that logs, scripts and docs/errors.md share. */
export type ErrorCode = keyof typeof ERROR_MAPPINGS;

/** All error codes, in the order of the table. */
export const ERROR_CODES = Object.keys(ERROR_MAPPINGS) as readonly ErrorCode[];

/** How a code looks on the wire. @param code - any error code */
export function errorMapping(code: ErrorCode): ErrorMapping {
  return ERROR_MAPPINGS[code];
}
