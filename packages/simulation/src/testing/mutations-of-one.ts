// Rules of a single registry, broken one at a time.

import type { RegistryInput } from '@rollcall/server/internal';
import { type Mutation, onCores, onInputs, shortenViews } from './mutation.js';

const scenario = 'alone';

/** Mutations that need no second node. */
export const MUTATIONS_OF_ONE: readonly Mutation[] = [
  {
    name: 'a beat does not renew the lease',
    how: 'beats of known instances are not given to the core',
    caughtBy: ['I8'],
    scenario,
    apply: onInputs((input) => (input.type === 'beat' ? undefined : input)),
  },
  {
    name: 'a pause of the process counts as silence',
    how: 'the input `paused` is not given to the core',
    caughtBy: ['I8'],
    scenario,
    apply: onInputs((input) => (input.type === 'paused' ? { type: 'tick' } : input)),
  },
  {
    name: 'a deregistration is acknowledged and forgotten',
    how: 'the input `deregister` is not given to the core',
    caughtBy: ['I6'],
    scenario,
    apply: onInputs((input) => (input.type === 'deregister' ? undefined : input)),
  },
  {
    name: 'an update is acknowledged and forgotten',
    how: 'each second registration of a key is not given to the core',
    caughtBy: ['L2'],
    scenario,
    apply: (world) => {
      const known = new Set<string>();
      onInputs((input) => {
        if (input.type !== 'register') return input;
        if (known.has(input.address.key)) return undefined;
        known.add(input.address.key);
        return input;
      })(world);
    },
  },
  {
    name: 'an older registration comes again after a newer one',
    how: 'the first beat of a key is replaced by its first registration',
    caughtBy: ['I5'],
    scenario,
    apply: (world) => {
      const first = new Map<string, RegistryInput>();
      onInputs((input) => {
        if (input.type === 'register' && !first.has(input.address.key)) first.set(input.address.key, input);
        return input.type === 'beat' ? first.get(input.address.key) : input;
      })(world);
    },
  },
  {
    name: 'a field is made up',
    how: 'registrations reach the core with another weight',
    caughtBy: ['I3'],
    scenario,
    apply: onInputs((input) =>
      input.type === 'register'
        ? { ...input, content: { ...input.content, weight: input.content.weight + 0.5 } }
        : input,
    ),
  },
  {
    name: 'the end of a connection is not noticed',
    how: 'the input `connection-closed` is not given to the core',
    caughtBy: ['L3'],
    scenario,
    apply: onInputs((input) => (input.type === 'connection-closed' ? undefined : input)),
  },
  {
    name: 'pushes get lost',
    how: 'subscribers acknowledge pushes without learning them',
    caughtBy: ['I13'],
    scenario,
    apply: (world) => {
      const set = world.receivers.set.bind(world.receivers);
      world.receivers.set = (connection, receiver) =>
        set(connection, { machine: receiver.machine, receivePush: () => undefined });
    },
  },
  {
    name: 'changes are pushed without merging',
    how: 'each push is sent three times as pushes of their own',
    caughtBy: ['I13'],
    scenario,
    apply: (world) => {
      const { checkers } = world;
      const push = checkers.push.bind(checkers);
      checkers.push = (...added) =>
        push(
          ...added.map((checker) => {
            const onPush = checker.onPush?.bind(checker);
            if (onPush === undefined) return checker;
            let copies = 0;
            checker.onPush = (sent) => {
              for (let copy = 0; copy < 3; copy += 1) {
                copies += 1;
                onPush({ ...sent, number: sent.number + copies * 1_000_000 });
              }
            };
            return checker;
          }),
        );
    },
  },
  {
    name: 'readers are shown a list without one of its instances',
    how: 'the view of a core leaves out the first host once a minute has passed',
    caughtBy: ['L2'],
    scenario,
    apply: (world) => onCores((core) => shortenViews(core, world))(world),
  },
];
