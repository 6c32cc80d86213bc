// The golden gRPC cases against the built server, as a user starts it, on both ports. Cases that wait long are left to
// `npm run conformance -- golden-grpc`.

import { expect, it } from 'vitest';
import { GRPC_GOLDEN_FOLDER } from '../src/golden/golden-folder.js';
import { grpcWaitingMs, loadGrpcCases } from '../src/golden-grpc/grpc-case.js';
import { loadGrpcExpectations } from '../src/golden-grpc/grpc-expectation.js';
import { GRPC_PORT_OFFSET, SHORT_CASE_MS } from '../src/golden-grpc/grpc-golden-command.js';
import { replayGrpc } from '../src/golden-grpc/grpc-replay.js';
import { grpcReplayReport } from '../src/golden-grpc/grpc-replay-report.js';
import { openServer } from '../src/server-under-test.js';

const expectations = loadGrpcExpectations(GRPC_GOLDEN_FOLDER);
const cases = loadGrpcCases(GRPC_GOLDEN_FOLDER).filter((golden) => grpcWaitingMs(golden) <= SHORT_CASE_MS);

it('behaves on both ports as the golden gRPC cases say', async () => {
  const server = await openServer(undefined);
  try {
    const { host, port, contextPath } = server.endpoint;
    const base = `http://${host}:${port}${contextPath}`;
    // One after the other: together they would use up the server's few fuzzy patterns.
    for (const grpcPort of [port, port + GRPC_PORT_OFFSET]) {
      const result = await replayGrpc({ host, port: grpcPort, base, cases, expectations });
      expect(result.mismatches, grpcReplayReport(result)).toEqual([]);
      expect(result.same).toBeGreaterThan(900);
    }
  } finally {
    await server.close();
  }
}, 120_000);
