// Rules broken on purpose, each to show that a checker notices. Nothing in the product helps with that: what a core is
// given, says or shows is changed on its way, by replacing methods of that one object.

import type { RegistryCore, ServiceView } from '@rollcall/server/internal';
import type { SimNode } from '../sim-node.js';
import type { World } from '../world.js';

/** A broken rule. */
export interface Mutation {
  readonly name: string;
  /** How it is done. */
  readonly how: string;
  /** Checkers of which one must notice. */
  readonly caughtBy: readonly string[];
  /** Scenario in which it is looked for. */
  readonly scenario: string;
  apply(world: World): void;
}

/** Changes each core right after it was made. */
export function onCores(change: (core: RegistryCore, node: SimNode) => unknown): (world: World) => void {
  return (world) => world.startListeners.push((node, core) => change(core, node));
}

/** Changes or drops inputs of each core. @param change - undefined: the input is not given to the core */
export function onInputs(change: (input: Input, node: SimNode) => Input | undefined): (world: World) => void {
  return onCores((core, node) => {
    const step = core.step.bind(core);
    core.step = ((input: Input, now: Parameters<typeof step>[1]) => {
      const changed = change(input, node);
      const result = changed === undefined ? undefined : step(changed, now);
      return input.type === 'beat' ? (result ?? { known: true }) : result;
    }) as typeof core.step;
  });
}

/** Lets readers of a core see every list without its first host, once a minute has passed. */
export function shortenViews(core: RegistryCore, world: World): void {
  const view = core.view.bind(core);
  const shortened = new Map<ServiceView, ServiceView>();
  core.view = (id) => {
    const whole = view(id);
    if (whole === undefined || world.now < SHORTENED_FROM_MS) return whole;
    const known = shortened.get(whole) ?? Object.create(whole, { hosts: { value: whole.hosts.slice(1) } });
    shortened.set(whole, known);
    return known;
  };
}

const SHORTENED_FROM_MS = 60_000;

type Input = Parameters<RegistryCore['step']>[0];
