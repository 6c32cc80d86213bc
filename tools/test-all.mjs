// `npm run test:all`: everything, without a time limit that matters; run by hand before an issue is closed.
import { runSteps } from './steps.mjs';

const limitMs = 12 * 60 * 60_000;

const npm = (script, ...args) => ['npm', 'run', '--silent', script, '--', ...args];

const steps = [
  { name: 'tests', command: npm('test'), vitest: true },
  { name: 'golden replays', command: npm('conformance', 'golden') },
  { name: 'golden gRPC replays', command: npm('conformance', 'golden-grpc') },
  { name: 'conformance', command: npm('conformance') },
  { name: 'conformance of our client', command: npm('conformance', '--client', 'rollcall,rollcall-http') },
  { name: 'conformance of other SDKs', command: npm('conformance', '--client', 'java14,java25,java30,go,python') },
  { name: 'simulation', command: npm('simulate', '--runs', '10000') },
  { name: 'cluster flows', command: npm('conformance', 'cluster', '--strict', '--notes') },
  { name: 'crash test', command: npm('conformance', 'crash', '--rounds', '200') },
  {
    name: 'bench',
    command: npm('bench', 'list', 'register', 'beat', 'startup', 'idle-memory', 'instance-memory', 'steady'),
  },
  {
    name: 'bench of pushes and probes',
    command: npm('bench', 'udp-push', 'udp-burst', 'subscription-load', 'subscription-memory', 'probes'),
  },
  { name: 'bench of the client', command: npm('bench', 'client-view', 'client-beats') },
  {
    name: 'soak of the client',
    command: ['env', 'ROLLCALL_SOAK_SECONDS=600', 'npx', 'vitest', 'run', 'packages/client/test/soak'],
  },
];

await runSteps(steps, { limitMs });
