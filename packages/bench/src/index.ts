// Public door of @rollcall/bench: the scenarios, for programs that want to run them themselves.

export type { PeerSource } from './peer-server.js';
export type { FigureRow } from './round-table.js';
export type { BenchSetting, Scenario, ScenarioReport } from './scenario.js';
export { SCENARIOS } from './scenarios/all-scenarios.js';
