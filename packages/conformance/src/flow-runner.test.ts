import { describe, expect, it } from 'vitest';
import type { Flow } from './flow.js';
import { FlowSkip } from './flow-failure.js';
import { formatCounts } from './flow-report.js';
import { runFlows } from './flow-runner.js';
import type { ServerUnderTest } from './server-under-test.js';

const server: ServerUnderTest = {
  endpoint: { host: '127.0.0.1', port: 9, contextPath: '/nacos' },
  restarts: undefined,
  close: async () => undefined,
};

const flow = (id: string, run: Flow['run'], runs: Flow['runs'] = 'alone'): Flow => ({
  id,
  client: 'raw',
  title: id,
  seconds: 1,
  runs,
  run,
});

const runAll = (flows: readonly Flow[]) =>
  runFlows(flows, { server, strength: 'strict', runId: 'test', onResult: () => undefined });

describe('runFlows', () => {
  it('tells passed, failed and skipped apart and keeps what was measured', async () => {
    const results = await runAll([
      flow('A', async (context) => context.requireWithin('time', 5, 'ms', { strict: [0, 10], real: [0, 100] })),
      flow('B', async (context) => context.requireWithin('time', 50, 'ms', { strict: [0, 10], real: [0, 100] })),
      flow('C', async () => {
        throw new FlowSkip('no such client here');
      }),
      flow('D', async () => {
        throw new TypeError('broken');
      }),
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual([
      { result: 'passed' },
      { result: 'failed', reason: 'time: found 50 ms, allowed is 0 to 10 ms (strict)' },
      { result: 'skipped', reason: 'no such client here' },
      { result: 'failed', reason: 'TypeError: broken' },
    ]);
    expect(results[1]?.measurements).toEqual([{ name: 'time', value: 50, unit: 'ms' }]);
    expect(formatCounts(results)).toBe('1 passed, 2 failed, 1 skipped');
  });

  it('runs flows that want the server for themselves after the others, and cleans up in reverse order', async () => {
    const steps: string[] = [];
    await runAll([
      flow('alone', async (context) => {
        context.defer(() => void steps.push('first deferred'));
        context.defer(() => void steps.push('second deferred'));
        steps.push('alone');
      }),
      flow('together', async () => void steps.push('together'), 'together'),
    ]);
    expect(steps).toEqual(['together', 'alone', 'second deferred', 'first deferred']);
  });

  it('gives every name once', async () => {
    const names: string[] = [];
    await runAll([
      flow('A', async (context) => void names.push(context.uniqueName('x'), context.uniqueName('x'))),
      flow('B', async (context) => void names.push(context.uniqueName('x'))),
    ]);
    expect(new Set(names).size).toBe(3);
  });
});
