import { expect, it } from 'vitest';
import { runShare } from './history-share.js';
import type { Scenario } from './scenario.js';
import { alone } from './scenarios/alone.js';

it('the shares of all threads are the whole batch, each history once', async () => {
  const drawn: string[] = [];
  const scenarios = ['one', 'two'].map((name): Scenario => {
    const draw: Scenario['draw'] = (random) => {
      drawn.push(name);
      return { ...alone.draw(random), beatClients: 1, streamClients: 1, plan: [], activeMs: 100 };
    };
    return { ...alone, name, draw };
  });
  const batch = { threads: 2, runs: 5, seed: 1, scenarioNames: ['one', 'two'], told: 'failures', endsAt: 1 } as const;
  const failed = async (first: number, now = () => 0) => {
    const found: boolean[] = [];
    await runShare({ ...batch, first }, { scenarios, now }, (judged) => found.push(judged.failed));
    return found;
  };
  expect(await failed(0)).toEqual([false, false, false]);
  // History 0 is run twice.
  expect(drawn).toEqual(['one', 'one', 'one', 'one']);
  expect(await failed(1)).toEqual([false, false]);
  expect(drawn.slice(4)).toEqual(['two', 'two']);
  const times = [0, 1];
  expect(await failed(0, () => times.shift() ?? 1)).toEqual([false]);
});
