// Rules of the cluster, broken one at a time: by what nodes say to each other, and by what a core is told or says.

import { RegistryError } from '@rollcall/protocol';
import type { PeerMessage, WireChange, WireRecord } from '@rollcall/server/internal';
import type { World } from '../world.js';
import { type Mutation, onCores, onInputs, shortenViews } from './mutation.js';

/** Mutations that need several nodes. */
export const MUTATIONS_OF_MANY: readonly Mutation[] = [
  {
    name: 'two nodes have different contents at one rev',
    how: 'deltas to node 1 say another weight of the first instance',
    caughtBy: ['I1'],
    scenario: 'F13',
    apply: onMessages((message, to) => (to === 1 ? withRecords(message, heavier) : message)),
  },
  {
    name: 'hashes do not depend on what is held',
    how: 'pings of node 1 say another hash of its own set',
    caughtBy: ['I1'],
    scenario: 'F13',
    apply: onMessages((message, _, from) =>
      message.type === 'ping' && from === 1
        ? { ...message, sets: message.sets.map((set, index) => (index === 0 ? { ...set, hash: '00000000' } : set)) }
        : message,
    ),
  },
  {
    name: 'a rev goes back',
    how: 'every tenth ping says revs that are lower by one',
    caughtBy: ['I2'],
    scenario: 'F13',
    apply: (world) => {
      let pings = 0;
      onMessages((message) => {
        if (message.type !== 'ping') return message;
        pings += 1;
        return pings % 10 !== 0
          ? message
          : { ...message, sets: message.sets.map((set) => ({ ...set, rev: Math.max(0, set.rev - 1) })) };
      })(world);
    },
  },
  {
    name: 'an epoch goes back',
    how: 'after 20 s pings say epoch 0',
    caughtBy: ['I2'],
    scenario: 'F13',
    apply: (world) =>
      onMessages((message) => (message.type === 'ping' && world.now > 20_000 ? { ...message, epoch: 0 } : message))(
        world,
      ),
  },
  {
    name: 'leases are given up without a word for whom (R10 e)',
    how: 'deltas do not name the successor of a record that is gone',
    caughtBy: ['I4'],
    scenario: 'F11',
    apply: onMessages((message) =>
      withChanges(message, (one) => (one.successor === undefined ? one : { key: one.key })),
    ),
  },
  {
    name: 'a removal is a plain drop (R8)',
    how: 'deltas leave out records that say "removed"',
    caughtBy: ['I1', 'I4'],
    scenario: 'F10',
    apply: onMessages((message) =>
      withChanges(message, ({ key, record }) =>
        record?.state === 'removed' ? { key } : { key, ...(record && { record }) },
      ),
    ),
  },
  {
    name: 'versions do not order contents (R6)',
    how: 'deltas to other nodes say the same version of every content',
    caughtBy: ['I1'],
    scenario: 'F11',
    apply: onMessages((message) => withRecords(message, (record) => ({ ...record, cv: 1 }))),
  },
  {
    name: 'beats at other nodes do not reach the holder, and it says that they did (R9)',
    how: 'relays are told without their beats',
    caughtBy: ['no harm'],
    scenario: 'F2',
    apply: onMessages((message) => (message.type === 'relay' ? { ...message, beats: [] } : message)),
  },
  {
    name: 'a pause counts as silence (R22)',
    how: 'the input `paused` is not given to the core',
    caughtBy: ['I8'],
    scenario: 'F7',
    apply: onInputs((input) => (input.type === 'paused' ? { type: 'tick' } : input)),
  },
  {
    name: 'each node takes itself for the owner of everything (R19)',
    how: 'cores say that they own each service',
    caughtBy: ['I9'],
    scenario: 'F4',
    apply: onCores((core) => {
      const { replication } = core;
      if (replication !== undefined) replication.owns = () => true;
    }),
  },
  {
    name: 'a node refuses what it does not own (R20)',
    how: 'registrations of services that a node does not own are answered with an error',
    caughtBy: ['I7'],
    scenario: 'F13',
    apply: onCores((core) => {
      const step = core.step.bind(core);
      core.step = ((input: Parameters<typeof step>[0], now: Parameters<typeof step>[1]) => {
        if (input.type === 'register' && core.replication?.owns(input.service.id) === false)
          throw new RegistryError('access-denied', 'This node does not own the service');
        return step(input, now);
      }) as typeof core.step;
    }),
  },
  {
    name: 'nodes take different ones for the holder of a lease',
    how: 'node 0 says that it holds every lease',
    caughtBy: ['L4'],
    scenario: 'F13',
    apply: onCores((core, node) => {
      const { replication } = core;
      if (replication !== undefined && node.index === 0) replication.holderOf = () => node.id;
    }),
  },
  {
    name: 'one node shows less than the others',
    how: 'the view of node 1 leaves out the first host of each service once a minute has passed',
    caughtBy: ['L1'],
    scenario: 'F9',
    apply: (world) => onCores((core, node) => node.index === 1 && shortenViews(core, world))(world),
  },
  {
    name: 'nodes map services differently (R19)',
    how: 'node 0 says that it owns nothing',
    caughtBy: ['I9'],
    scenario: 'F13',
    apply: onCores((core, node) => {
      const { replication } = core;
      if (replication !== undefined && node.index === 0) replication.owns = () => false;
    }),
  },
  {
    name: 'sets of nodes that are gone are kept for ever (R13)',
    how: 'pings say after the retention, too, that such a set is kept',
    caughtBy: ['I11'],
    scenario: 'F4',
    apply: (world) => {
      let kept: Extract<PeerMessage, { type: 'ping' }>['sets'][number] | undefined;
      onMessages((message, _, from) => {
        if (message.type !== 'ping' || from !== 1) return message;
        kept ??= message.sets.find(({ graceMs }) => graceMs !== undefined);
        const others = message.sets.filter(({ run }) => run !== kept?.run);
        return kept === undefined ? message : { ...message, sets: [...others, kept] };
      })(world);
    },
  },
  {
    name: 'a node believes its own ears alone (R18)',
    how: 'pings do not report what the sender hears of others',
    caughtBy: ['R18'],
    scenario: 'F2',
    apply: onMessages((message) => (message.type === 'ping' ? { ...message, members: [] } : message)),
  },
  {
    name: 'a flapping link makes a flood',
    how: 'each message is sent forty times',
    caughtBy: ['traffic'],
    scenario: 'F17',
    apply: (world) => {
      const send = world.traffic.send.bind(world.traffic);
      world.traffic.send = (from, to, message) => {
        for (let copy = 0; copy < 40; copy += 1) send(from, to, message);
      };
    },
  },
  {
    name: 'a change is told to some nodes only',
    how: 'nothing but pings reaches node 2 after 20 s, and they say nothing of sets',
    caughtBy: ['no harm'],
    scenario: 'F13',
    apply: (world) =>
      onMessages((message, to) => {
        if (to !== 2 || world.now < 20_000) return message;
        return message.type === 'ping' ? { ...message, sets: [] } : undefined;
      })(world),
  },
  {
    name: 'the dead are listed for longer than their lease (B5)',
    how: 'a full beat of each client that died arrives every 10 s',
    caughtBy: ['B5'],
    scenario: 'F12',
    apply: (world) => {
      const step = onInputs((input, node) => {
        if (input.type === 'register')
          for (let again = 1; again < 12; again += 1)
            world.queue.after(again * 10_000, () => node.deliver(() => node.step({ ...input, type: 'beat' })));
        return input;
      });
      step(world);
    },
  },
  {
    name: 'a full beat that lay unread in a pause registers (R9)',
    how: 'cores never mistrust a beat',
    caughtBy: ['B10'],
    scenario: 'F7',
    apply: onCores((core) => {
      if (core.replication !== undefined) core.replication.mistrustsBeat = () => false;
    }),
  },
  {
    name: "an operator's edit is acknowledged and forgotten",
    how: 'the input `store` is not given to the core',
    caughtBy: ['edits'],
    scenario: 'edits',
    apply: onInputs((input) => (input.type === 'store' ? undefined : input)),
  },
];

type Tamper = (message: PeerMessage, to: number, from: number) => PeerMessage | undefined;

/** Changes or loses messages between nodes. */
function onMessages(change: Tamper): (world: World) => void {
  return (world) => {
    world.traffic.tamper = (message, from, to) => change(message, to.index, from.index);
  };
}

function withChanges(message: PeerMessage, change: (one: WireChange) => WireChange): PeerMessage {
  return message.type === 'delta' ? { ...message, changes: message.changes.map(change) } : message;
}

function withRecords(message: PeerMessage, change: (record: WireRecord) => WireRecord): PeerMessage {
  return withChanges(message, (one) => (one.record === undefined ? one : { ...one, record: change(one.record) }));
}

function heavier(record: WireRecord): WireRecord {
  if (record.state !== 'live') return record;
  const registered = { ...record.claim.registered, weight: record.claim.registered.weight + 0.5 };
  return { ...record, claim: { ...record.claim, registered } };
}
