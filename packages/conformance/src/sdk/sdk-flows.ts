// All flows of an SDK.

import type { Flow } from '../flow.js';
import { contentFlows } from './content-flows.js';
import { eventFlows } from './event-flows.js';
import { lossFlows } from './loss-flows.js';
import type { SdkDriver } from './sdk-driver.js';

/** The flows that make sense for the SDK: those about connections only when its instances live with one. */
export function sdkFlows(driver: SdkDriver): readonly Flow[] {
  const losses = driver.transport === 'grpc' ? lossFlows(driver) : [];
  const flows = [...contentFlows(driver), ...eventFlows(driver), ...losses];
  const prepare = () => driver.prepare();
  return flows.map((flow) => ({ ...flow, prepare, runs: driver.start === 'slow' ? 'alone' : flow.runs }));
}
