// `npm run conformance -- golden`: replays golden cases against a server and prints what differs.

import { parseArgs } from 'node:util';
import { openServer } from '../server-under-test.js';
import { loadExpectations, loadRecordedAnswers } from './expectation.js';
import { type GoldenCase, loadGoldenCases } from './golden-case.js';
import { GOLDEN_FOLDER } from './golden-folder.js';
import { type ReplayOptions, replay, waitingMs } from './replay.js';
import { replayReport } from './replay-report.js';

const HELP = `Usage: npm run conformance -- golden [options]

Sends the golden cases to a server and compares its answers with what is intended. Without --server it starts Rollcall
from this clone.

Options:
  --server URL        the server, with its context path
  --recorded FILE     compare with the recorded answers of a real server instead
  --api v1,v2,v3      only these versions (default all)
  --area a,b          only these areas
  --case a,b          only these cases
  --short             leave out cases that wait longer than 1.5 s
  --form              also compare charset, number forms, order of members and headers
  --settle MS         pause after each write (real servers need 1000)
  --jobs N            cases at a time (default 16)
  --help              this text

Exit code: 0 every answer is as expected, 1 one is not, 2 the arguments were not understood.`;

type Values = ReturnType<typeof readValues>;

/** Replays; the exit code is 0 when every answer is as expected. @throws Error when an argument is not understood */
export async function runGoldenCommand(args: readonly string[]): Promise<number> {
  const values = readValues(args);
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const server = await openServer(values.server);
  try {
    const { host, port, contextPath } = server.endpoint;
    const result = await replay(optionsOf(values, `http://${host}:${port}${contextPath}`));
    console.log(replayReport(result));
    return result.mismatches.length === 0 ? 0 : 1;
  } finally {
    await server.close();
  }
}

function readValues(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      server: { type: 'string' },
      recorded: { type: 'string' },
      api: { type: 'string' },
      area: { type: 'string' },
      case: { type: 'string' },
      short: { type: 'boolean', default: false },
      form: { type: 'boolean', default: false },
      settle: { type: 'string', default: '0' },
      jobs: { type: 'string', default: '16' },
      help: { type: 'boolean', default: false },
    },
  }).values;
}

function optionsOf(values: Values, base: string): ReplayOptions {
  const { recorded } = values;
  const expectations = recorded === undefined ? loadExpectations(GOLDEN_FOLDER) : loadRecordedAnswers(recorded);
  return {
    base,
    cases: loadGoldenCases(GOLDEN_FOLDER).filter((golden) => expectations.has(golden.id) && isWanted(golden, values)),
    expectations,
    depth: values.form ? 'form' : 'members',
    settleMs: Number(values.settle),
    jobs: Number(values.jobs),
  };
}

function isWanted(golden: GoldenCase, values: Values): boolean {
  const contains = (list: string | undefined, value: string): boolean => list?.split(',').includes(value) ?? true;
  return (
    contains(values.api, golden.api) &&
    contains(values.area, golden.area) &&
    contains(values.case, golden.id) &&
    !(values.short && waitingMs(golden) > 1500)
  );
}
