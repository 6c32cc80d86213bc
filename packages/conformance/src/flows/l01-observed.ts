// L01 for every client that npm brings.
import type { Flow } from '../flow.js';
import { observedNpm, observedSdk } from '../observer/observed-client.js';
import { ROLLCALL_DRIVERS } from '../sdk/rollcall-drivers.js';
import { rustDriver } from '../sdk/rust-driver.js';
import { observedGrpcFlow } from './l01-observed-grpc.js';
import { observedHttpFlow } from './l01-observed-http.js';

/** The account against an outside observer's clock. */
export const L01_FLOWS: readonly Flow[] = [
  observedHttpFlow(observedNpm),
  ...[rustDriver, ...ROLLCALL_DRIVERS].map((driver) =>
    driver.transport === 'http' ? observedHttpFlow(observedSdk(driver)) : observedGrpcFlow(observedSdk(driver)),
  ),
];
