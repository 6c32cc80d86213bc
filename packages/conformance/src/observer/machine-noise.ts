// How late this process itself was: an observer that is not on time cannot say that a server was not. Limits of milliseconds
// count on a quiet machine only; elsewhere the figures are shown, and wide limits count.
import { cpus } from 'node:os';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { FlowContext } from '../flow-context.js';

/** Share of all cores that is in use on a quiet machine, the flow's own processes included. */
const QUIET_SHARE_MAX = 0.5;
/** Greatest lateness of the observer on a quiet machine. */
const QUIET_LATENESS_MS = 10;
const RESOLUTION_MS = 1;
/** What holds on any machine that gets on at all, ms. */
const BUSY_LIMIT_MS = 3000;

interface CpuMs {
  readonly used: number;
  readonly all: number;
}

/** Watches the machine, and the observer's own lateness. */
export class MachineNoise {
  readonly #context: FlowContext;
  #before: CpuMs = { used: 0, all: 0 };
  #delay: IntervalHistogram | undefined;

  /** @param context - gets the figures */
  constructor(context: FlowContext) {
    this.#context = context;
  }

  /** Begins to watch; call when everything is started. */
  begin(): void {
    this.#before = cpuMs();
    this.#delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    this.#delay.enable();
    this.#context.defer(() => void this.#delay?.disable());
  }

  /** Whether limits of milliseconds count. */
  get isQuiet(): boolean {
    return this.#usedShare <= QUIET_SHARE_MAX && this.#latenessMs <= QUIET_LATENESS_MS;
  }

  /** Puts what it knows into the measurements. */
  report(): void {
    this.#context.measure('cores in use', Math.round(this.#usedShare * 100), '%');
    this.#context.measure('observer late at most', Math.round(this.#latenessMs), 'ms');
    this.#context.measure('limits of milliseconds asserted (1) or only shown (0)', this.isQuiet ? 1 : 0, '');
  }

  /**
   * Fails the flow when a deviation is too large: above the limit on a quiet machine, above 3 s on a busy one.
   * @throws FlowFailure with what was found and which limit counted
   */
  requireAtMost(what: string, foundMs: number, limitMs: number): void {
    const allowedMs = this.isQuiet ? limitMs : BUSY_LIMIT_MS;
    const machine = this.isQuiet ? 'quiet' : 'busy';
    this.#context.require(
      foundMs <= allowedMs,
      `${what}: ${foundMs} ms away from what was observed, allowed are ${allowedMs} ms on a ${machine} machine`,
    );
  }

  get #usedShare(): number {
    const { used, all } = cpuMs();
    return (used - this.#before.used) / Math.max(1, all - this.#before.all);
  }

  get #latenessMs(): number {
    return Math.max(0, (this.#delay?.max ?? 0) / 1e6 - RESOLUTION_MS);
  }
}

function cpuMs(): CpuMs {
  let [used, all] = [0, 0];
  for (const { times } of cpus()) {
    const busyMs = times.user + times.nice + times.sys + times.irq;
    used += busyMs;
    all += busyMs + times.idle;
  }
  return { used, all };
}
