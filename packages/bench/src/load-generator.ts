// Closed-loop load: a fixed number of connections, each with one request in flight, sends prepared request bytes in
// turn for a time or a number of requests. What it measures is the server's rate at full load, and each answer's time.
import type { Endpoint } from './endpoint.js';
import type { Answer } from './http-response-reader.js';
import { KeepAliveConnection } from './keep-alive-connection.js';
import { LatencyHistogram } from './latency-histogram.js';

/** What to send, and for how long. */
export interface LoadPlan {
  readonly endpoint: Endpoint;
  /** Connections kept open, each with one request in flight; at least 1. */
  readonly connections: number;
  /** Prepared request bytes, sent in turn and from the start again; not empty. */
  readonly requests: readonly Buffer[];
  /** When to stop: after a time in seconds, or after a number of requests. */
  readonly stop: { readonly afterSeconds: number } | { readonly afterRequests: number };
  /** Whether an answer is the right one. */
  readonly accepts: (answer: Answer) => boolean;
}

/** What came back. */
export interface LoadResult {
  /** Right answers. */
  readonly answered: number;
  /** Wrong answers and lost connections. */
  readonly failed: number;
  /** Status and text of the first failure. */
  readonly firstFailure: string | undefined;
  /** From the first request to the last answer, in seconds. */
  readonly seconds: number;
  /** Right answers per second. */
  readonly ratePerSecond: number;
  readonly latency: LatencyHistogram;
}

/** Failures after which a run is given up: a server that refuses everything would be asked for ever. */
const FAILURES_MAX = 1000;

/** Runs the load to its end. Resolves when every connection is idle; never rejects because of a server's answer. */
export function runLoad(plan: LoadPlan): Promise<LoadResult> {
  return new Promise((resolve) => new LoadRun(plan, resolve).start());
}

class LoadRun {
  readonly #plan: LoadPlan;
  readonly #done: (result: LoadResult) => void;
  readonly #latency = new LatencyHistogram();
  readonly #connections: KeepAliveConnection[] = [];
  readonly #requestsMax: number;
  readonly #endsAtMs: number;
  readonly #startedAtMs = performance.now();
  #sent = 0;
  #busy = 0;
  #answered = 0;
  #failed = 0;
  #firstFailure: string | undefined;

  constructor(plan: LoadPlan, done: (result: LoadResult) => void) {
    this.#plan = plan;
    this.#done = done;
    this.#requestsMax = 'afterRequests' in plan.stop ? plan.stop.afterRequests : Number.POSITIVE_INFINITY;
    this.#endsAtMs =
      'afterSeconds' in plan.stop ? this.#startedAtMs + plan.stop.afterSeconds * 1000 : Number.POSITIVE_INFINITY;
  }

  start(): void {
    this.#busy = this.#plan.connections;
    for (let index = 0; index < this.#plan.connections; index++) this.#runConnection();
  }

  #runConnection(): void {
    let sentAtMs = 0;
    const sendNext = (): void => {
      sentAtMs = performance.now();
      const request = this.#take(sentAtMs);
      if (request === undefined) this.#finishConnection();
      else connection.send(request);
    };
    const connection = new KeepAliveConnection(this.#plan.endpoint, {
      answered: (answer) => {
        this.#latency.record(performance.now() - sentAtMs);
        if (this.#plan.accepts(answer)) this.#answered++;
        else this.#noteFailure(`${answer.status} "${answer.body.toString().slice(0, 200)}"`);
        sendNext();
      },
      lost: (reason) => {
        this.#noteFailure(reason);
        // A turn later: a server that refuses connections must not be asked without a pause.
        setImmediate(sendNext);
      },
    });
    this.#connections.push(connection);
    sendNext();
  }

  #take(nowMs: number): Buffer | undefined {
    if (this.#sent >= this.#requestsMax || nowMs >= this.#endsAtMs || this.#failed >= FAILURES_MAX) return undefined;
    const request = this.#plan.requests[this.#sent % this.#plan.requests.length];
    this.#sent++;
    return request;
  }

  #noteFailure(reason: string): void {
    this.#failed++;
    this.#firstFailure ??= reason;
  }

  #finishConnection(): void {
    this.#busy--;
    if (this.#busy > 0) return;
    for (const connection of this.#connections) connection.close();
    const seconds = (performance.now() - this.#startedAtMs) / 1000;
    this.#done({
      answered: this.#answered,
      failed: this.#failed,
      firstFailure: this.#firstFailure,
      seconds,
      ratePerSecond: this.#answered / seconds,
      latency: this.#latency,
    });
  }
}
