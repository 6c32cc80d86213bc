// What `.ci/run` runs, in this order. A step is a name and a command (steps.mjs says what else it may have).
import { spawnSync } from 'node:child_process';
import { root } from './prepare.mjs';
import { runSteps } from './steps.mjs';

const limitMs = 19.5 * 60_000;
const npm = (script, ...args) => ['npm', 'run', '--silent', script, '--', ...args];

const steps = [
  { name: 'install and build', command: npm('build') },
  { name: 'lint', command: npm('lint') },
  { name: 'types', command: npm('typecheck') },
  { name: 'import directions', command: npm('imports') },
  { name: 'dead code', command: npm('deadcode') },
  { name: 'tidy', command: npm('tidy') },
  { name: 'tests', command: npm('test'), vitest: true },
  {
    name: 'fuzz',
    command: [
      'env',
      'HTTP_FUZZ_REQUESTS=100000',
      'UDP_FUZZ_DATAGRAMS=100000',
      'UDP_FUZZ_QUERIES=20000',
      'UDP_FUZZ_PORTS=100000',
      'GRPC_FUZZ_MESSAGES=100000',
      'PEER_FUZZ_INPUTS=100000',
      'npx',
      'vitest',
      'run',
      'packages/server/test/fuzz/http-fuzz.test.ts',
      'packages/server/test/fuzz/udp-fuzz.test.ts',
      'packages/server/test/fuzz/grpc-fuzz.test.ts',
      'packages/server/test/fuzz/peer-fuzz.test.ts',
    ],
    vitest: true,
  },
  // The replays mostly wait, for leases to end and pushes to come; fresh histories take what they leave.
  {
    name: 'golden replays, HTTP and gRPC; simulation, fresh seeds',
    command: [
      'node',
      'tools/beside.mjs',
      ...npm('conformance', 'golden'),
      '+',
      ...npm('conformance', 'golden-grpc'),
      '+',
      'nice',
      '-n',
      '19',
      ...npm('simulate', '--runs', '300', '--seconds', '100', '--threads', '1', '--seed', seedOfCommit()),
    ],
  },
  { name: 'conformance', command: npm('conformance') },
  {
    name: 'conformance of our client, crash test',
    command: [
      'node',
      'tools/beside.mjs',
      ...npm('conformance', '--client', 'rollcall,rollcall-http', '--flow', 'F02,F03,F09,F11,F17,X01,L01'),
      '+',
      ...npm('conformance', 'crash', '--rounds', '40'),
    ],
  },
  {
    name: 'cluster flows, short',
    command: npm('conformance', 'cluster', '--short', '--strict', '--notes', '--flows', 'C2,C3,C9'),
  },
  // Its strict limits are milliseconds, which say little on a busy machine.
  {
    name: 'cluster flow of visibility, short',
    command: npm('conformance', 'cluster', '--short', '--notes', '--flows', 'C1'),
  },
  // The smoke run looks at no figures, so the fixed histories may take what it leaves.
  {
    name: 'bench smoke; simulation, fixed seeds',
    command: [
      'node',
      'tools/beside.mjs',
      ...npm('bench', '--smoke'),
      '+',
      'nice',
      '-n',
      '19',
      ...npm('simulate', '--runs', '150', '--seed', '1', '--threads', '2'),
    ],
  },
];

await runSteps(steps, { limitMs });

/** Each commit has fresh histories of its own, and whoever runs it again has the same ones; without git they are drawn by the clock. */
function seedOfCommit() {
  const git = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
  const number = git.status === 0 ? Number.parseInt(git.stdout.slice(0, 7), 16) : Math.floor(Date.now() / 1000);
  return String(1_000_000 + number);
}
