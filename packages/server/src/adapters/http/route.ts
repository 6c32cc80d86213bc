// One entry of the route table: what is answered where, by whom, and what the API description says of it.

import type { AnswerDescription } from './answer-description.js';
import type { EventStream } from './event-stream.js';
import type { HttpAnswer, HttpHandler } from './http-answer.js';
import type { HttpRequest } from './http-request.js';
import type { RouteCounts } from './route-counts.js';

/** Methods that routes may have. HEAD is answered by GET routes, OPTIONS by the lanes. */
export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One parameter of a route, for the API description alone: handlers check what they read. */
export interface RouteParameter {
  readonly name: string;
  /** Meaning, unit and range in one sentence. */
  readonly description: string;
  /** How the value reads. Default `string`; `json` is a JSON text. */
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'json';
  /** Present when the request is refused without it. */
  readonly required?: true;
  /** What counts when it is missing. */
  readonly defaultValue?: string;
}

/** What every route has. */
export interface RouteDescription {
  readonly method: RouteMethod;
  /**
   * Path without context path, from `/`, without trailing slash; compared byte for byte after percent-decoding. A segment
   * `{name}` stands for any one segment; `HttpRequest.path` has what was sent.
   */
  readonly path: string;
  /** One line for the API description. */
  readonly summary: string;
  /** In the order of the description; none when left out. */
  readonly parameters?: readonly RouteParameter[];
  /** The good answer, for the API description, or that there is none; a test sees to it that every route of the server has it. */
  readonly produces?: AnswerDescription | 'refusals-only';
  /** What happened on it; given by the route table. */
  readonly counts?: RouteCounts;
}

/** A route with one answer per request. */
export interface AnswerRoute extends RouteDescription {
  readonly stream?: false;
  /**
   * Set where clients send the same request target again and again (beats, polls): the lane then keeps what it resolved, and
   * the handler may keep what it parsed, see `HttpRequest.memo`.
   */
  readonly repeated?: true;
  /** Answer when the handler fails for a reason of ours, which the log has. Default: a plain text. */
  readonly fault?: HttpAnswer;
  /** Answers a request. A RegistryError that it throws is answered with its status and message. */
  readonly handle: HttpHandler<HttpRequest>;
}

/** A route that answers with a stream of server-sent events. */
export interface StreamRoute extends RouteDescription {
  readonly stream: true;
  /** Takes over a stream; a RegistryError thrown here is answered before the stream begins. The request is valid during the call only. */
  readonly open: (request: HttpRequest, events: EventStream) => void;
}

/** One route, told apart by `stream`. */
export type Route = AnswerRoute | StreamRoute;
