// Public door of @rollcall/conformance: flows with clients that we did not write, for programs that run them themselves.

export type { Flow, FlowOutcome, FlowResult } from './flow.js';
export { runFlows } from './flow-runner.js';
export { FLOWS } from './flows/all-flows.js';
export type { Measurement } from './measurement.js';
export { openServer } from './server-under-test.js';
