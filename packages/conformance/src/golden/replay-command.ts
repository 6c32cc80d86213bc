// Replays golden cases from the command line: exit code 0 when every answer is as expected, 1 when not, 2 for wrong usage.
//   node packages/conformance/dist/golden/replay-command.js --base http://127.0.0.1:8848/nacos [--api v1] [--area beat,list]

import { parseArgs } from 'node:util';
import { loadExpectations, loadRecordedAnswers } from './expectation.js';
import { loadGoldenCases } from './golden-case.js';
import { GOLDEN_FOLDER } from './golden-folder.js';
import { type ReplayOptions, replay, waitingMs } from './replay.js';
import { replayReport } from './replay-report.js';

const USAGE = `usage: replay-command --base URL [options]
  --base URL          server with its context path
  --recorded FILE     compare with the recorded answers of a real server instead of what is intended
  --api v1,v2,v3      only these protocols
  --area a,b          only these areas
  --case a,b          only these cases
  --short             leave out cases that wait longer than 1.5 s
  --form              also compare charset, number forms, order of members and headers
  --settle MS         pause after each write (real servers need 1000)
  --jobs N            cases at a time (default 16)`;

const { values } = parseArgs({
  options: {
    base: { type: 'string' },
    recorded: { type: 'string' },
    api: { type: 'string' },
    area: { type: 'string' },
    case: { type: 'string' },
    short: { type: 'boolean', default: false },
    form: { type: 'boolean', default: false },
    settle: { type: 'string', default: '0' },
    jobs: { type: 'string', default: '16' },
  },
});

function optionsOf(base: string): ReplayOptions {
  const expectations =
    values.recorded === undefined ? loadExpectations(GOLDEN_FOLDER) : loadRecordedAnswers(values.recorded);
  const isWanted = (list: string | undefined, value: string): boolean =>
    list === undefined || list.split(',').includes(value);
  const cases = loadGoldenCases(GOLDEN_FOLDER).filter(
    (golden) =>
      isWanted(values.api, golden.api) &&
      isWanted(values.area, golden.area) &&
      isWanted(values.case, golden.id) &&
      expectations.has(golden.id) &&
      !(values.short && waitingMs(golden) > 1500),
  );
  const depth = values.form ? 'form' : 'members';
  return { base, cases, expectations, depth, settleMs: Number(values.settle), jobs: Number(values.jobs) };
}

if (values.base === undefined) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  const result = await replay(optionsOf(values.base));
  console.log(replayReport(result));
  process.exitCode = result.mismatches.length === 0 ? 0 : 1;
}
