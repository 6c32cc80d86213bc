// The Rust SDK by its binding for Node: the gRPC client of every run, since npm brings it.

import { fileURLToPath } from 'node:url';
import type { SdkDriver } from './sdk-driver.js';

/** `nacos-sdk-rust-binding-node` 0.8.0. */
export const rustDriver: SdkDriver = {
  client: 'rust',
  prepare: async () => ({
    command: process.execPath,
    args: [fileURLToPath(new URL('./rust-driver-process.js', import.meta.url))],
  }),
  start: 'quick',
  transport: 'grpc',
  redoMs: 15_000,
  canBatch: true,
  movesWhenAsked: false,
  showsEmptyLists: true,
};
