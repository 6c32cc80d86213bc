// The golden answers of HTTP v1 against the built server, as a user starts it. Cases that wait are left to
// `npm run conformance -- golden`.

import { expect, it } from 'vitest';
import { loadExpectations } from '../src/golden/expectation.js';
import { loadGoldenCases } from '../src/golden/golden-case.js';
import { GOLDEN_FOLDER } from '../src/golden/golden-folder.js';
import { loadPendingCases } from '../src/golden/pending-case.js';
import { replay, waitingMs } from '../src/golden/replay.js';
import { replayReport } from '../src/golden/replay-report.js';
import { openServer } from '../src/server-under-test.js';

const WAITING_MS_MAX = 500;
const pending = loadPendingCases(GOLDEN_FOLDER);
const cases = loadGoldenCases(GOLDEN_FOLDER).filter(
  (golden) => golden.api === 'v1' && waitingMs(golden) <= WAITING_MS_MAX,
);

it('answers the golden cases as intended, and no pending case by chance', async () => {
  const server = await openServer(undefined);
  try {
    const { host, port, contextPath } = server.endpoint;
    const base = `http://${host}:${port}${contextPath}`;
    const result = await replay({ base, cases, expectations: loadExpectations(GOLDEN_FOLDER) });
    const unexpected = result.mismatches.filter(({ golden }) => !pending.has(golden.id));
    expect(unexpected, replayReport({ ...result, mismatches: unexpected })).toEqual([]);
    // A pending case that is answered as intended is no longer pending.
    const stillPending = new Set(result.mismatches.map(({ golden }) => golden.id));
    const done = cases.filter(({ id }) => pending.has(id) && !stillPending.has(id)).map(({ id }) => id);
    expect(done).toEqual([]);
    expect(result.same).toBeGreaterThan(1000);
  } finally {
    await server.close();
  }
}, 60_000);
