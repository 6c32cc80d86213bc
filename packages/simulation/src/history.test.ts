import { describe, expect, it } from 'vitest';
import { runHistory } from './history.js';
import type { Scenario } from './scenario.js';
import { SCENARIOS } from './scenarios/all-scenarios.js';

const named = (wanted: string) => SCENARIOS.find(({ name }) => name === wanted) as Scenario;

describe('a history', () => {
  it.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
    'of scenario %s breaks no promise',
    async (_, scenario) => {
      expect((await runHistory({ scenario, seed: 1, traceMode: 'hash' })).violation).toBeUndefined();
    },
  );

  it('has the same trace each time, and another one with another seed (I14)', async () => {
    const scenario = named('F5');
    const first = await runHistory({ scenario, seed: 1, traceMode: 'hash' });
    const again = await runHistory({ scenario, seed: 1, traceMode: 'story' });
    expect(again.hash).toBe(first.hash);
    expect(again.story.length).toBeGreaterThan(100);
    expect((await runHistory({ scenario, seed: 2, traceMode: 'hash' })).hash).not.toBe(first.hash);
  });

  it('can end after the first deeds of its plan', async () => {
    const scenario = named('F10');
    const { plan } = await runHistory({ scenario, seed: 3, traceMode: 'hash', deeds: 2 });
    expect(plan).toHaveLength(2);
  });
});
