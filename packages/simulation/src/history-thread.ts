// A thread that runs its share of a batch and reports each history.

import { parentPort, workerData } from 'node:worker_threads';
import { type HistoryShare, runShare } from './history-share.js';
import { SCENARIOS } from './scenarios/all-scenarios.js';

const parts = { scenarios: SCENARIOS, now: () => Date.now() };
await runShare(workerData as HistoryShare, parts, (judged) => parentPort?.postMessage(judged));
