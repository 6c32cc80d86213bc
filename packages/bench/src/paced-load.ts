// Open-loop load: each request has its due time, whatever the answers do, as beats of many independent clients have.
// A request that finds no idle connection waits for one, and its latency counts from its due time, so a server that
// stalls is charged for the stall.
import type { Endpoint } from './endpoint.js';
import type { Answer } from './http-response-reader.js';
import { KeepAliveConnection } from './keep-alive-connection.js';
import { LatencyHistogram } from './latency-histogram.js';

/** What to send, how fast, and for how long. */
export interface PacedPlan {
  readonly endpoint: Endpoint;
  readonly connections: number;
  /** Sent in turn and from the start again. */
  readonly requests: readonly Buffer[];
  readonly ratePerSecond: number;
  readonly seconds: number;
  /** Whether an answer is the right one. The number is that of its request among `requests`. */
  readonly accepts: (answer: Answer, request: number) => boolean;
}

/** What came back. */
export interface PacedResult {
  readonly answered: number;
  readonly failed: number;
  readonly firstFailure: string | undefined;
  /** From the start to the last answer: longer than planned when the load fell behind, whoever was slow. */
  readonly seconds: number;
  /** From due time to answer. */
  readonly latency: LatencyHistogram;
}

const TICK_MS = 2;
const FAILURES_MAX = 1000;

/** Runs the load to its end; resolves when every request is answered or lost. */
export function runPacedLoad(plan: PacedPlan): Promise<PacedResult> {
  return new Promise((resolve) => new PacedRun(plan, resolve).start());
}

class PacedRun {
  readonly #plan: PacedPlan;
  readonly #done: (result: PacedResult) => void;
  readonly #latency = new LatencyHistogram();
  readonly #connections: KeepAliveConnection[] = [];
  readonly #idle: number[] = [];
  readonly #dueAtMs: Float64Array;
  /** Which request each connection sent last. */
  readonly #requestOf: Uint32Array;
  readonly #startedAtMs = performance.now();
  readonly #requestsMax: number;
  #timer: NodeJS.Timeout | undefined;
  #sent = 0;
  #answered = 0;
  #failed = 0;
  #firstFailure: string | undefined;

  constructor(plan: PacedPlan, done: (result: PacedResult) => void) {
    this.#plan = plan;
    this.#done = done;
    this.#dueAtMs = new Float64Array(plan.connections);
    this.#requestOf = new Uint32Array(plan.connections);
    this.#requestsMax = Math.floor(plan.ratePerSecond * plan.seconds);
  }

  start(): void {
    for (let index = 0; index < this.#plan.connections; index++) {
      this.#connections.push(this.#openConnection(index));
      this.#idle.push(index);
    }
    this.#timer = setInterval(() => this.#sendDue(), TICK_MS);
  }

  #openConnection(index: number): KeepAliveConnection {
    return new KeepAliveConnection(this.#plan.endpoint, {
      answered: (answer) => {
        this.#latency.record(performance.now() - (this.#dueAtMs[index] ?? 0));
        if (this.#plan.accepts(answer, this.#requestOf[index] ?? 0)) this.#answered++;
        else this.#noteFailure(`${answer.status} "${answer.body.toString().slice(0, 200)}"`);
        this.#release(index);
      },
      lost: (reason) => {
        this.#noteFailure(reason);
        this.#release(index);
      },
    });
  }

  #release(index: number): void {
    this.#idle.push(index);
    if (this.#isSentOut()) this.#finishWhenIdle();
    else if (this.#nextDueAtMs() <= performance.now()) this.#sendDue();
  }

  #sendDue(): void {
    const nowMs = performance.now();
    while (this.#idle.length > 0 && !this.#isSentOut() && this.#nextDueAtMs() <= nowMs) {
      const index = this.#idle.pop() ?? 0;
      const number = this.#sent % this.#plan.requests.length;
      const request = this.#plan.requests[number];
      if (request === undefined) break;
      this.#dueAtMs[index] = this.#nextDueAtMs();
      this.#requestOf[index] = number;
      this.#sent++;
      this.#connections[index]?.send(request);
    }
    this.#finishWhenIdle();
  }

  #nextDueAtMs(): number {
    return this.#startedAtMs + (this.#sent / this.#plan.ratePerSecond) * 1000;
  }

  #isSentOut(): boolean {
    return this.#sent >= this.#requestsMax || this.#failed >= FAILURES_MAX;
  }

  #noteFailure(reason: string): void {
    this.#failed++;
    this.#firstFailure ??= reason;
  }

  #finishWhenIdle(): void {
    if (!this.#isSentOut() || this.#idle.length < this.#connections.length || this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    for (const connection of this.#connections) connection.close();
    this.#done({
      answered: this.#answered,
      failed: this.#failed,
      firstFailure: this.#firstFailure,
      seconds: (performance.now() - this.#startedAtMs) / 1000,
      latency: this.#latency,
    });
  }
}
