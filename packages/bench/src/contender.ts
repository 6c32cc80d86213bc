// Whoever is measured: our server, the bare TCP baseline, or a peer. Scenarios know no more of it than this.
import type { Endpoint } from './endpoint.js';

/** A running process under load. */
export interface Contender {
  /** Name in tables: `rollcall`, `bare-tcp` or `peer`. */
  readonly name: ContenderName;
  readonly endpoint: Endpoint;
  /** Process id, for CPU time and memory; undefined when the process is not on this machine. */
  readonly pid: number | undefined;
  /** Ends the process, if this run started it, and removes its data. */
  stop(): Promise<void>;
}

/** Names of contenders, in the order of table columns. */
export type ContenderName = 'rollcall' | 'bare-tcp' | 'peer';
