// `npm run conformance -- golden-grpc`: replays the golden gRPC cases against a server and prints what differs.

import { parseArgs } from 'node:util';
import { GRPC_GOLDEN_FOLDER } from '../golden/golden-folder.js';
import { openServer } from '../server-under-test.js';
import { type GrpcCase, grpcWaitingMs, loadGrpcCases } from './grpc-case.js';
import { loadGrpcExpectations } from './grpc-expectation.js';
import { replayGrpc } from './grpc-replay.js';
import { grpcReplayReport } from './grpc-replay-report.js';

const HELP = `Usage: npm run conformance -- golden-grpc [options]

Plays the golden gRPC cases against a server, on its main port and on the port 1000 above it, and compares what comes
back with what is intended. Without --server it starts Rollcall from this clone. Takes two minutes.

Options:
  --server URL        the server, with its context path
  --port a,b          only these gRPC ports
  --area a,b          only these areas
  --case a,b          only these cases
  --short             leave out cases that wait longer than 4 s
  --jobs N            cases at a time, on each port (default 24)
  --help              this text

Exit code: 0 everything is as expected, 1 something is not, 2 the arguments were not understood.`;

/** Longest wait of a short case, ms. */
export const SHORT_CASE_MS = 4000;

/** Distance from the main port to the one at which clients of 2.x look for gRPC. */
export const GRPC_PORT_OFFSET = 1000;

type Values = ReturnType<typeof readValues>;

/** Replays; the exit code is 0 when everything is as expected. @throws Error when an argument is not understood */
export async function runGrpcGoldenCommand(args: readonly string[]): Promise<number> {
  const values = readValues(args);
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const server = await openServer(values.server);
  try {
    const { host, port, contextPath } = server.endpoint;
    const base = `http://${host}:${port}${contextPath}`;
    const cases = loadGrpcCases(GRPC_GOLDEN_FOLDER).filter((golden) => isWanted(golden, values));
    const expectations = loadGrpcExpectations(GRPC_GOLDEN_FOLDER);
    const ports = values.port?.split(',').map(Number) ?? [port, port + GRPC_PORT_OFFSET];
    let differ = 0;
    for (const grpcPort of ports) {
      const jobs = Number(values.jobs);
      const result = await replayGrpc({ host, port: grpcPort, base, cases, expectations, jobs });
      console.log(`Port ${grpcPort}\n\n${grpcReplayReport(result)}`);
      differ += result.mismatches.length;
    }
    return differ === 0 ? 0 : 1;
  } finally {
    await server.close();
  }
}

function readValues(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      server: { type: 'string' },
      port: { type: 'string' },
      area: { type: 'string' },
      case: { type: 'string' },
      short: { type: 'boolean', default: false },
      jobs: { type: 'string', default: '24' },
      help: { type: 'boolean', default: false },
    },
  }).values;
}

function isWanted(golden: GrpcCase, values: Values): boolean {
  const contains = (list: string | undefined, value: string): boolean => list?.split(',').includes(value) ?? true;
  const isShort = !values.short || grpcWaitingMs(golden) <= SHORT_CASE_MS;
  return isShort && contains(values.area, golden.area) && contains(values.case, golden.id);
}
