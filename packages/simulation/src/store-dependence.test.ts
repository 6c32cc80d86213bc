import { describe, expect, it } from 'vitest';
import { runHistory } from './history.js';
import type { Scenario } from './scenario.js';
import { SCENARIOS } from './scenarios/all-scenarios.js';
import { storeDependence } from './store-dependence.js';
import { onCores } from './testing/mutation.js';
import type { World } from './world.js';

const scenario = SCENARIOS.find(({ comparesStores }) => comparesStores === true) as Scenario;

describe('what readers see of ephemeral instances', () => {
  it('is the same with a shared store that fails and without one (I12)', async () => {
    const request = { scenario, seed: 4, traceMode: 'hash' } as const;
    expect(await storeDependence(request, await runHistory(request))).toBeUndefined();
  });

  it('is found to depend on it when a node that has lost its store shows a list without its first instance', async () => {
    const sabotage = (world: World) =>
      onCores((core, node) => {
        const view = core.view.bind(core);
        core.view = (id) => {
          const whole = view(id);
          const store = [...(world.stores?.open ?? [])].find((one) => one.node === node);
          const isAway = store?.shared.figures.ready === false;
          return whole !== undefined && isAway
            ? Object.create(whole, { hosts: { value: whole.hosts.slice(1) } })
            : whole;
        };
      })(world);
    const request = { scenario, seed: 4, traceMode: 'hash', sabotage } as const;
    const first = await runHistory(request);
    expect((first.violation ?? (await storeDependence(request, first)))?.rule).toBe('I12');
  });
});
