import { describe, expect, it } from 'vitest';
import { SCENARIOS } from './scenarios/all-scenarios.js';
import { readSimulationArguments } from './simulation-arguments.js';

const read = (...args: string[]) => readSimulationArguments(args, SCENARIOS, 77);

describe('the arguments', () => {
  it('have defaults', () => {
    expect(read()).toEqual({
      kind: 'run',
      runs: 100,
      secondsMax: Number.POSITIVE_INFINITY,
      seed: 77,
      scenarios: SCENARIOS,
      told: 'failures',
      threads: 1,
    });
    expect(read('--runs', '3', '--seed', '9', '--story')).toMatchObject({ runs: 3, seed: 9, told: 'all' });
  });

  it('choose one scenario', () => {
    const [first] = SCENARIOS;
    expect(read('--scenario', first?.name ?? '')).toMatchObject({ scenarios: [first] });
    expect(read('--scenario', 'list')).toEqual({ kind: 'list' });
  });

  it.each([
    [['--runs', '0'], '--runs cannot be "0"; allowed: a number from 1'],
    [['--seconds', 'x'], '--seconds cannot be "x"; allowed: a number from 1'],
    [['--seed', '-1'], "Option '--seed' argument is ambiguous"],
    [['--threads', '0'], '--threads cannot be "0"; allowed: a number from 1 to 64'],
    [['--seed', '1.5'], '--seed cannot be "1.5"; allowed: a number from 0 to 4294967295'],
    [['--scenario', 'F99'], '--scenario cannot be "F99"; allowed: '],
    [['more'], 'Unexpected argument'],
  ])('refuse %j', (args, reason) => {
    expect(read(...args)).toMatchObject({ kind: 'refused', reason: expect.stringContaining(reason) });
  });
});
