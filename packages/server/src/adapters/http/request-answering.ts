// What both lanes do with a request once it is framed: guard, route, handler, and an answer for everything that goes wrong.

import { type ParameterLimits, RegistryError } from '@rollcall/protocol';
import type { Clock, Logger } from '@rollcall/runtime';
import type { CorsPolicy } from './cors-policy.js';
import { errorAnswer } from './error-answer.js';
import { type HttpAnswer, textAnswer } from './http-answer.js';
import type { HttpCounters } from './http-counters.js';
import type { HttpRequest } from './http-request.js';
import { type ResolvedTarget, resolveTarget } from './resolved-target.js';
import type { AnswerRoute } from './route.js';
import type { RouteCounts } from './route-counts.js';
import type { RouteTable } from './route-table.js';
import { unknownRouteAnswer } from './unknown-route.js';

/** Looks at every request before its route, also where there is no route. @returns an answer to stop it, undefined to let it pass */
export type RequestGuard = (request: HttpRequest) => HttpAnswer | undefined;

/** What answering works with. */
export interface RequestAnsweringOptions {
  readonly routes: RouteTable;
  readonly limits: ParameterLimits;
  readonly cors: CorsPolicy;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly counters: HttpCounters;
  /** None lets every request pass. */
  readonly guard?: RequestGuard | undefined;
}

const INTERNAL = textAnswer(500, 'Internal error, the log of the server has the details');

/** Turns requests into answers. Never throws and never rejects. */
export class RequestAnswering {
  readonly #options: RequestAnsweringOptions;

  constructor(options: RequestAnsweringOptions) {
    this.#options = options;
  }

  /** Finds what a request asks for. */
  resolve(method: string, target: string): ResolvedTarget {
    return resolveTarget(this.#options.routes, this.#options.limits, { method, target });
  }

  /** Bounds for reading parameters. */
  get limits(): ParameterLimits {
    return this.#options.limits;
  }

  /** Answers a request. A stream route has no answer; the Node lane opens it instead of calling this. */
  answer(request: HttpRequest, resolved: ResolvedTarget): HttpAnswer | Promise<HttpAnswer> {
    const { cors, clock } = this.#options;
    const { route, lookup } = resolved;
    if (request.method === 'OPTIONS' && lookup.kind === 'known')
      return cors.answerOptions(request, lookup.entry.methods);
    if (route !== undefined && route.stream !== true) return this.answerRoute(request, route);
    this.#options.counters.unroutedRequests++;
    return this.refusal(request) ?? unknownRouteAnswer(request.method, resolved, clock.now().wall);
  }

  /** Answers a request whose route is known already, and is no stream. */
  answerRoute(request: HttpRequest, route: AnswerRoute): HttpAnswer | Promise<HttpAnswer> {
    const { counts } = route;
    if (counts?.begin() === true) return this.#answerTimed(request, route, counts);
    const answer = this.#answerOf(request, route);
    if (answer instanceof Promise) return this.#answerLater(answer, counts);
    counts?.end(answer.status);
    return answer;
  }

  #answerOf(request: HttpRequest, route: AnswerRoute): HttpAnswer | Promise<HttpAnswer> {
    try {
      const answer = this.refusal(request) ?? route.handle(request);
      return answer instanceof Promise
        ? answer.catch((error: unknown) => this.failure(error, request, route.fault))
        : answer;
    } catch (error) {
      return this.failure(error, request, route.fault);
    }
  }

  async #answerLater(later: Promise<HttpAnswer>, counts: RouteCounts | undefined): Promise<HttpAnswer> {
    const answer = await later;
    counts?.end(answer.status);
    return answer;
  }

  #answerTimed(request: HttpRequest, route: AnswerRoute, counts: RouteCounts): HttpAnswer | Promise<HttpAnswer> {
    const { clock } = this.#options;
    const startedAt = clock.now().mono;
    const end = (answer: HttpAnswer): HttpAnswer => {
      counts.end(answer.status);
      counts.addTime(answer.status, clock.now().mono - startedAt);
      return answer;
    };
    const answer = this.#answerOf(request, route);
    return answer instanceof Promise ? answer.then(end) : end(answer);
  }

  /** The answer to a request whose handling failed. @param fault - what is said when it was our fault */
  failure(error: unknown, request: HttpRequest, fault = INTERNAL): HttpAnswer {
    if (error instanceof RegistryError) return errorAnswer(error);
    const { logger, counters } = this.#options;
    counters.handlerFaults++;
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    logger.log('error', 'http-handler-failed', { method: request.method, path: request.path, error: detail });
    return fault;
  }

  /** What a guard says of a request; undefined lets it pass. */
  refusal(request: HttpRequest): HttpAnswer | undefined {
    return this.#options.guard?.(request);
  }
}
