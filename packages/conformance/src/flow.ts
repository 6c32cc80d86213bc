// What a flow is: something that must be seen from outside of any Nacos-compatible server, whoever wrote the client.
// Flows know a server's address and no more; the numbers follow the list of flows in docs/conformance.md.

import type { FlowContext } from './flow-context.js';
import type { Measurement } from './measurement.js';

/**
 * Who speaks to the server: `npm` is the published package `nacos` (HTTP), `raw` is HTTP, TCP or UDP written by hand, for what
 * that client never sends. The others are driven through `sdk/`: `rollcall` (gRPC) and `rollcall-http` are our own client,
 * `rust` comes by npm.
 */
export type FlowClient =
  | 'npm'
  | 'raw'
  | 'rollcall'
  | 'rollcall-http'
  | 'rust'
  | 'java14'
  | 'java25'
  | 'java30'
  | 'go'
  | 'python';

/** One flow. */
export interface Flow {
  /** Number in the list of flows, for example `F11`; several clients may run the same one. */
  readonly id: string;
  readonly client: FlowClient;
  /** What must be seen, in one line. */
  readonly title: string;
  /** About how long it takes, in seconds, for the list. */
  readonly seconds: number;
  /**
   * `together` flows run side by side, each on services of its own; `alone` ones disturb others (attacks, restarts) and
   * run one after another at the end.
   */
  readonly runs: 'together' | 'alone';
  /** Brings what the flow needs onto this machine, before its time counts. Throws `FlowSkip` when that cannot be. */
  prepare?(): Promise<unknown>;
  /** Throws `FlowFailure` at the first thing that is not as it must be. */
  run(context: FlowContext): Promise<void>;
}

/** How a flow ended. */
export type FlowOutcome =
  | { readonly result: 'passed' }
  | { readonly result: 'failed'; readonly reason: string }
  | { readonly result: 'skipped'; readonly reason: string };

/** The outcome of one flow with what it measured. */
export interface FlowResult {
  readonly flow: Flow;
  readonly outcome: FlowOutcome;
  readonly measurements: readonly Measurement[];
  readonly seconds: number;
}
