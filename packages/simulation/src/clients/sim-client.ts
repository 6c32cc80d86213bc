// What a history can ask of its clients, whatever protocol they speak.

import type { SimKey } from '../sim-key.js';

/** `alive`: wants to be listed. `left`: said goodbye. `dead`: its process is gone without a word. */
export type ClientState = 'idle' | 'alive' | 'left' | 'dead';

/** A client that registers one key. */
export interface SimClient {
  /** `c0`, `c1` ... */
  readonly name: string;
  readonly key: SimKey;
  readonly protocol: '1.x' | '2.x';
  readonly state: ClientState;
  /** Since when it has been alive and registered without a break, virtual ms; undefined while it is not. */
  readonly settledSince: number | undefined;
  /** Since when it has been dead, or its deregistration done; undefined before. */
  readonly goneSince: number | undefined;
  /** When a registration, or a beat that it had not given up, was last taken after a node took its deregistration, virtual ms. */
  readonly lateWriteAt?: number | undefined;
  /** Starts, or starts again after it left or died. */
  start(): void;
  /** Registers another content. */
  update(): void;
  /** Deregisters and stops. */
  leave(): void;
  /** The same, and a beat that was sent before arrives somewhere up to 2 s after; for 2.x clients nothing of the kind exists. */
  leaveWithLateBeat(): void;
  /** Stops without a word; requests under way still arrive. */
  die(): void;
}
