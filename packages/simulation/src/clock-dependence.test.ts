import type { RegistryInput } from '@rollcall/server/internal';
import { describe, expect, it } from 'vitest';
import { clockDependence } from './clock-dependence.js';
import { runHistory } from './history.js';
import type { Scenario } from './scenario.js';
import { SCENARIOS } from './scenarios/all-scenarios.js';
import { onCores } from './testing/mutation.js';

const scenario = SCENARIOS.find(({ comparesClocks }) => comparesClocks === true) as Scenario;

describe('what readers see', () => {
  it('does not depend on wall clocks (I10)', async () => {
    const request = { scenario, seed: 4, traceMode: 'hash' } as const;
    expect(await clockDependence(request, await runHistory(request))).toBeUndefined();
  });

  it('is found to depend on them when new instances after noon begin as unhealthy', async () => {
    const noon = Date.UTC(2026, 0, 1);
    const sabotage = onCores((core, node) => {
      const step = core.step.bind(core);
      core.step = ((input: RegistryInput, now: Parameters<typeof step>[1]) => {
        const isNew = input.type === 'register' && !core.instance(input.service.id, 'ephemeral', input.address.key);
        const result = step(input, now);
        if (isNew && node.now.wall > noon + 1_800_000) {
          const { service, address, actor } = input;
          step(
            { type: 'health', service, address, actor, kind: 'ephemeral', healthy: false, cause: 'set-by-hand' },
            now,
          );
        }
        return result;
      }) as typeof core.step;
    });
    const request = { scenario, seed: 4, traceMode: 'hash', sabotage } as const;
    expect((await clockDependence(request, await runHistory(request)))?.rule).toBe('I10');
  });
});
