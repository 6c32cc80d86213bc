import { describe, expect, it } from 'vitest';
import { runHistory } from './history.js';
import { SCENARIOS } from './scenarios/all-scenarios.js';

describe.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))('scenario %s', (_, scenario) => {
  it('breaks no promise, and the same seed gives the same trace (I14)', () => {
    const first = runHistory({ scenario, seed: 1, traceMode: 'hash' });
    expect(first.violation).toBeUndefined();
    const again = runHistory({ scenario, seed: 1, traceMode: 'story' });
    expect(again.hash).toBe(first.hash);
    expect(again.story.length).toBeGreaterThan(100);
    expect(runHistory({ scenario, seed: 2, traceMode: 'hash' }).hash).not.toBe(first.hash);
  });
});
