// Rules of the shared store broken on purpose: what a node sends to the store or hears from it is changed on its way.

import {
  FROM_OTHER_NODE,
  type StoreChange,
  type TransactionOutcome,
  type WatchListener,
} from '@rollcall/server/internal';
import type { NodeStore } from '../store/node-store.js';
import type { World } from '../world.js';
import { type Mutation, onInputs } from './mutation.js';

const scenario = 'F15';
const caughtBy = ['I12'] as const;

/** Changes the stores of each run right after they were made. */
function onStores(change: (store: NodeStore) => void): (world: World) => void {
  return (world) => world.stores?.openListeners.push(change);
}

/** Changes what the store answers to transactions. */
function onOutcomes(change: (outcome: TransactionOutcome, store: NodeStore) => TransactionOutcome) {
  return onStores((store) => {
    const { connection } = store;
    const transact = connection.transact.bind(connection);
    connection.transact = async (transaction) => change(await transact(transaction), store);
  });
}

/** Changes what watches tell. */
function onWatches(change: (listener: WatchListener, store: NodeStore) => WatchListener) {
  return onStores((store) => {
    const { connection } = store;
    const watch = connection.watch.bind(connection);
    connection.watch = (fromRevision, listener) => watch(fromRevision, change(listener, store));
  });
}

/** Broken rules of the store. */
export const MUTATIONS_OF_STORE: readonly Mutation[] = [
  {
    name: 'changes are written whatever other nodes have written meanwhile',
    how: 'transactions are sent without their compares',
    caughtBy,
    scenario,
    apply: onStores(({ connection }) => {
      const transact = connection.transact.bind(connection);
      connection.transact = (transaction) => transact({ ...transaction, compares: [] });
    }),
  },
  {
    name: 'a node forgets an edit that the store keeps',
    how: 'an edit that has outlived its instance is taken from the core, and the store not asked',
    caughtBy,
    scenario,
    apply: onStores(({ commits, node }) => {
      commits.forget = (change) =>
        // Not within the step that wants it forgotten.
        queueMicrotask(() => node.step({ type: 'store', changes: [change], actor: FROM_OTHER_NODE }));
    }),
  },
  {
    name: 'an edit is forgotten while its instance is there',
    how: 'each node has the store forget the edits that it tells',
    caughtBy,
    scenario,
    apply: (world) => {
      onInputs((input, node) => {
        const edits = input.type === 'store' ? input.changes.filter(isSetEdit) : [];
        const commits = [...(world.stores?.open ?? [])].find((store) => store.node === node)?.commits;
        for (const edit of edits)
          void commits?.commit(FROM_OTHER_NODE, () => [{ ...edit, value: undefined }]).catch(() => undefined);
        return input;
      })(world);
    },
  },
  {
    name: 'no answer counts as no effect',
    how: 'outcomes that are unknown are called unavailable',
    caughtBy,
    scenario,
    apply: onOutcomes((outcome) => (outcome.state === 'unknown' ? { ...outcome, state: 'unavailable' } : outcome)),
  },
  {
    name: 'no answer counts as success',
    how: 'outcomes that are unknown are called written',
    caughtBy,
    scenario,
    apply: onOutcomes((outcome) => (outcome.state === 'unknown' ? { state: 'written', revision: 0 } : outcome)),
  },
  {
    name: 'a change is acknowledged before its node shows it',
    how: 'the revision of an outcome is said to be 0',
    caughtBy,
    scenario,
    apply: onOutcomes((outcome) => ('revision' in outcome ? { ...outcome, revision: 0 } : outcome)),
  },
  {
    name: 'events of the store get lost',
    how: 'each fifth revision that a watch tells has no events',
    caughtBy,
    scenario,
    apply: onWatches((listener) => ({
      ...bound(listener),
      onEvents: (revision, events) => listener.onEvents(revision, revision % 5 === 0 ? [] : events),
    })),
  },
  {
    name: 'a watch that comes too late is opened again instead of listing',
    how: 'watches that end as compacted end as lost',
    caughtBy,
    scenario,
    apply: onWatches((listener) => ({
      ...bound(listener),
      onEnded: ({ reason }) => listener.onEnded({ type: 'lost', reason }),
    })),
  },
  {
    name: 'what the store has does not reach the registry',
    how: 'each third input `store` is not given to the core',
    caughtBy,
    scenario,
    apply: (world) => {
      let count = 0;
      onInputs((input) => {
        if (input.type === 'store') count += 1;
        return input.type === 'store' && count % 3 === 0 ? undefined : input;
      })(world);
    },
  },
  {
    name: 'the copy goes back',
    how: 'each tenth time that it is asked for, the revision of a copy is lower by one',
    caughtBy,
    scenario,
    apply: onStores(({ shared }) => {
      const figures = () =>
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(shared), 'figures')?.get?.call(shared);
      let asked = 0;
      Object.defineProperty(shared, 'figures', {
        get: () => {
          asked += 1;
          const now = figures();
          return asked % 10 === 0 && now.revision > 1 ? { ...now, revision: now.revision - 1 } : now;
        },
      });
    }),
  },
];

function isSetEdit(change: StoreChange): change is Extract<StoreChange, { type: 'edit' }> {
  return change.type === 'edit' && change.kind === 'persistent' && change.value !== undefined;
}

function bound(listener: WatchListener): WatchListener {
  return {
    onStarted: (at) => listener.onStarted(at),
    onEvents: (revision, events) => listener.onEvents(revision, events),
    onEnded: (end) => listener.onEnded(end),
  };
}
