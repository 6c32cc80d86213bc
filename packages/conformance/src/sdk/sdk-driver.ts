// A published SDK and the program that drives it.

import type { FlowClient } from '../flow.js';
import type { SdkProgram } from './toolchain.js';

/** One SDK. */
export interface SdkDriver {
  readonly client: FlowClient;
  /** Prepares the program. @throws FlowSkip with what this machine lacks */
  prepare(): Promise<SdkProgram>;
  /** `slow`: its process takes seconds of CPU to start, so its flows run one after another. */
  readonly start: 'quick' | 'slow';
  /** `grpc`: its instances live with its connection. `http`: with its beats. */
  readonly transport: 'grpc' | 'http';
  /** Longest time in which the SDK itself registers again after it lost its connection, ms. */
  readonly redoMs: number;
  readonly canBatch: boolean;
  /** Whether it knows `ConnectResetRequest`. */
  readonly movesWhenAsked: boolean;
  /** Whether it tells its listener of an empty list. */
  readonly showsEmptyLists: boolean;
}
