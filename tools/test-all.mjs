// `npm run test:all`: everything, without a time limit that matters; run by hand before an issue is closed.
import { runSteps } from './steps.mjs';

const limitMs = 12 * 60 * 60_000;

const steps = [{ name: 'tests', command: ['npm', 'test', '--silent', '--'], vitest: true }];

await runSteps(steps, { limitMs });
