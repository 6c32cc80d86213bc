// The golden answers of HTTP against the built server, as a user starts it, compared with what is intended and with what the
// server's own API description says. Cases that wait are left to `npm run conformance -- golden`.

import { expect, it } from 'vitest';
import { loadExpectations } from '../src/golden/expectation.js';
import { loadGoldenCases } from '../src/golden/golden-case.js';
import { GOLDEN_FOLDER } from '../src/golden/golden-folder.js';
import { type AnsweredStep, replay, waitingMs } from '../src/golden/replay.js';
import { replayReport } from '../src/golden/replay-report.js';
import { DescribedApi } from '../src/openapi/described-api.js';
import { openServer } from '../src/server-under-test.js';

const WAITING_MS_MAX = 500;
const cases = loadGoldenCases(GOLDEN_FOLDER).filter((golden) => waitingMs(golden) <= WAITING_MS_MAX);

it('answers the golden cases as intended', async () => {
  const server = await openServer(undefined);
  try {
    const { host, port, contextPath } = server.endpoint;
    const base = `http://${host}:${port}${contextPath}`;
    const api = await DescribedApi.of(base);
    const misfits: string[] = [];
    const observe = ({ step: { method }, path, reply }: AnsweredStep): void => {
      if ('error' in reply) return;
      const { status, headers, text } = reply;
      const misfit = api.misfit({ method, path, status, contentType: headers['content-type'], body: text });
      if (misfit !== undefined) misfits.push(misfit);
    };
    const result = await replay({ base, cases, expectations: loadExpectations(GOLDEN_FOLDER), observe });
    expect(misfits).toEqual([]);
    expect(result.mismatches, replayReport(result)).toEqual([]);
    expect(result.same).toBeGreaterThan(1000);
  } finally {
    await server.close();
  }
}, 60_000);
