// The command line of `npm run simulate`.

import { parseArgs } from 'node:util';
import type { Scenario } from './scenario.js';

/** What is printed when the arguments ask for it or cannot be understood. */
export const SIMULATION_HELP = `npm run simulate -- [--runs N] [--seconds N] [--seed S] [--scenario NAME] [--threads N]

Runs histories of a simulated cluster, each from a seed of its own, and checks every promise.
The scenarios take turns. The exit code is 0 when no promise was broken, else 1.

  --runs N         histories, default 100
  --seed S         first seed, 0 to 4294967295, default: drawn from the clock; the next histories take S + 1, S + 2, ...
  --seconds N      ends after so many seconds, whatever is left of the runs, default: no limit
  --threads N      histories that run at a time, each on a thread of its own, 1 to 64, default 1
  --scenario NAME  only this one; "list" prints their names
  --story          prints what happens in the history of the seed, also when nothing is wrong (with --runs 1)`;

/** What the arguments ask for. */
export type SimulationRequest =
  | { readonly kind: 'help' | 'list' }
  | { readonly kind: 'refused'; readonly reason: string }
  | {
      readonly kind: 'run';
      readonly runs: number;
      /** Infinite when nothing was said. */
      readonly secondsMax: number;
      readonly seed: number;
      readonly scenarios: readonly Scenario[];
      readonly told: 'failures' | 'all';
      /** Histories that run at a time. */
      readonly threads: number;
    };

/**
 * Reads the arguments.
 *
 * @param args - without program and script
 * @param scenarios - those that can be named
 * @param freshSeed - taken when none is given
 */
export function readSimulationArguments(
  args: readonly string[],
  scenarios: readonly Scenario[],
  freshSeed: number,
): SimulationRequest {
  const values = parse(args);
  if (typeof values === 'string') return { kind: 'refused', reason: values };
  if (values.help === true) return { kind: 'help' };
  if (values.scenario === 'list') return { kind: 'list' };
  const runs = integerOf(values.runs ?? '100', 1, 1e9);
  if (runs === undefined) return refuse('--runs', values.runs, 'a number from 1');
  const secondsMax = values.seconds === undefined ? Number.POSITIVE_INFINITY : integerOf(values.seconds, 1, 1e6);
  if (secondsMax === undefined) return refuse('--seconds', values.seconds, 'a number from 1');
  const seed = integerOf(values.seed ?? String(freshSeed), 0, 2 ** 32 - 1);
  if (seed === undefined) return refuse('--seed', values.seed, 'a number from 0 to 4294967295');
  const threads = integerOf(values.threads ?? '1', 1, 64);
  if (threads === undefined) return refuse('--threads', values.threads, 'a number from 1 to 64');
  const { scenario } = values;
  const chosen = scenario === undefined ? scenarios : scenarios.filter(({ name }) => name === scenario);
  if (chosen.length === 0) return refuse('--scenario', scenario, scenarios.map(({ name }) => name).join(', '));
  const told = values.story === true ? 'all' : 'failures';
  return { kind: 'run', runs, secondsMax, seed, scenarios: chosen, told, threads };
}

function parse(args: readonly string[]) {
  const options = {
    runs: { type: 'string' },
    seconds: { type: 'string' },
    seed: { type: 'string' },
    threads: { type: 'string' },
    scenario: { type: 'string' },
    story: { type: 'boolean' },
    help: { type: 'boolean' },
  } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: false }).values;
  } catch (error) {
    return (error as Error).message;
  }
}

function refuse(option: string, found: string | undefined, allowed: string): SimulationRequest {
  return { kind: 'refused', reason: `${option} cannot be "${found}"; allowed: ${allowed}` };
}

function integerOf(text: string, min: number, max: number): number | undefined {
  const value = Number(text);
  return Number.isInteger(value) && value >= min && value <= max ? value : undefined;
}
