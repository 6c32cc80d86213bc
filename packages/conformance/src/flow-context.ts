// What a flow gets: the server, names of its own, a place for measurements, and limits in two strengths: what real Nacos
// servers keep, and what Rollcall must keep.
import { FlowFailure } from './flow-failure.js';
import type { Measurement } from './measurement.js';
import { NamingApi } from './naming-api.js';
import type { ServerUnderTest } from './server-under-test.js';

/** Which limits apply: `strict` for Rollcall, `real` for what Nacos 1.4 and 2.5 keep. */
export type LimitStrength = 'strict' | 'real';

/** Lowest and highest allowed value, both included, for each strength. */
export interface Limits {
  readonly strict: readonly [number, number];
  readonly real: readonly [number, number];
}

/** The world of one running flow. */
export class FlowContext {
  readonly server: ServerUnderTest;
  /** HTTP calls over connections of this flow, without any client in between: the neutral observer. */
  readonly api: NamingApi;
  readonly strength: LimitStrength;
  readonly measurements: Measurement[] = [];
  readonly #prefix: string;
  readonly #cleanups: (() => void | Promise<void>)[] = [];
  #names = 0;

  constructor(
    flow: { readonly id: string; readonly client: string },
    server: ServerUnderTest,
    strength: LimitStrength,
    runId: string,
  ) {
    this.server = server;
    this.strength = strength;
    this.#prefix = `conf-${runId}-${flow.id}-${flow.client}`;
    this.api = new NamingApi(server.endpoint);
    this.defer(() => this.api.close());
  }

  /** A name that nobody else uses on this server: for services, groups and namespaces. */
  uniqueName(label: string): string {
    this.#names++;
    return `${this.#prefix}-${label}-${this.#names}`;
  }

  /** Keeps a measurement for the report. */
  measure(name: string, value: number, unit: string): void {
    this.measurements.push({ name, value, unit });
  }

  /**
   * Fails the flow unless the condition holds.
   * @throws FlowFailure with the message
   */
  require(condition: boolean, message: string): void {
    if (!condition) throw new FlowFailure(message);
  }

  /**
   * Keeps a measurement and fails the flow unless it lies within the limits.
   * @throws FlowFailure with the value and what is allowed
   */
  requireWithin(name: string, value: number, unit: string, limits: Limits): void {
    this.measure(name, value, unit);
    const [lowest, highest] = limits[this.strength];
    this.require(
      value >= lowest && value <= highest,
      `${name}: found ${value} ${unit}, allowed is ${lowest} to ${highest} ${unit} (${this.strength})`,
    );
  }

  /** Has something done when the flow ends, however it ends; the last one first. */
  defer(cleanup: () => void | Promise<void>): void {
    this.#cleanups.push(cleanup);
  }

  /** Does what was deferred. */
  async end(): Promise<void> {
    for (const cleanup of this.#cleanups.splice(0).reverse()) await cleanup();
  }
}
