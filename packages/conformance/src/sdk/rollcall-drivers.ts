// Our own client, seen from outside like every other: in a process of its own, by the calls and reports of all drivers.

import { fileURLToPath } from 'node:url';
import type { SdkDriver } from './sdk-driver.js';

function rollcallDriver(client: SdkDriver['client'], transport: SdkDriver['transport']): SdkDriver {
  const program = fileURLToPath(new URL('./rollcall-driver-process.js', import.meta.url));
  const isGrpc = transport === 'grpc';
  return {
    client,
    prepare: async () => ({ command: process.execPath, args: [program, transport] }),
    start: 'quick',
    transport,
    redoMs: 15_000,
    canBatch: isGrpc,
    movesWhenAsked: isGrpc,
    showsEmptyLists: true,
  };
}

/** `@rollcall/client` of this clone, over each of its protocols. */
export const ROLLCALL_DRIVERS: readonly SdkDriver[] = [
  rollcallDriver('rollcall', 'grpc'),
  rollcallDriver('rollcall-http', 'http'),
];
