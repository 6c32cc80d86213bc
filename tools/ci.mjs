// What `.ci/run` runs, in this order. A step is a name and a command (steps.mjs says what else it may have).
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
  // Both mostly wait, for leases to end and pushes to come.
  {
    name: 'golden replays, HTTP and gRPC',
    command: ['node', 'tools/beside.mjs', ...npm('conformance', 'golden'), '+', ...npm('conformance', 'golden-grpc')],
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
  // Fresh seeds are a step of test:all, here once 10,000 of them have held on one state of the code (docs/simulation.md).
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
