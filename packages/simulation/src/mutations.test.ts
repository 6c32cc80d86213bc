import { describe, expect, it } from 'vitest';
import { runHistory } from './history.js';
import { SCENARIOS } from './scenarios/all-scenarios.js';
import type { Mutation } from './testing/mutation.js';
import { MUTATIONS_OF_MANY } from './testing/mutations-of-many.js';
import { MUTATIONS_OF_ONE } from './testing/mutations-of-one.js';
import { MUTATIONS_OF_STORE } from './testing/mutations-of-store.js';

/** A rule that is broken must show within so many histories. */
const SEEDS = 12;

const MUTATIONS = [...MUTATIONS_OF_ONE, ...MUTATIONS_OF_MANY, ...MUTATIONS_OF_STORE];

describe.each(MUTATIONS.map((mutation) => [mutation.name, mutation] as const))('when %s', (_, mutation) => {
  it(`${mutation.caughtBy.join(' or ')} notices`, async () => {
    expect(mutation.caughtBy).toContain(await firstRuleBroken(mutation));
  });
});

async function firstRuleBroken(mutation: Mutation): Promise<string | undefined> {
  const scenario = SCENARIOS.find(({ name }) => name === mutation.scenario);
  if (scenario === undefined) throw new Error(`There is no scenario "${mutation.scenario}"`);
  for (let seed = 0; seed < SEEDS; seed += 1) {
    const sabotage = (world: Parameters<Mutation['apply']>[0]) => mutation.apply(world);
    const { violation } = await runHistory({ scenario, seed, traceMode: 'hash', sabotage });
    if (violation !== undefined) return violation.rule;
  }
  return undefined;
}
