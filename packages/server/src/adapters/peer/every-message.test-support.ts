// One message of every kind with every member that there is, for tests of the codec.

import type { PeerMessage, WireKey, WireRecord } from '../../core/replication/peer-message.js';

const set = { node: '10.0.0.1:8848', epoch: 3, run: '5f0c' };
const key: WireKey = ['public', 'DEFAULT_GROUP', 'orders', '10.1.0.1', 8080, 'DEFAULT', 'http'];
const content = {
  weight: 0.5,
  enabled: true,
  healthy: false,
  metadata: [['zone', 'a']] as const,
  app: 'shop',
  instanceId: '10.1.0.1#8080',
};
const claim = { registered: content, base: content, numericId: '7' };
const version = { cv: 1_796_040_000_000, op: ['10.0.0.1:8848', 3, 17] as const };
const records: readonly WireRecord[] = [
  { ...version, state: 'live', claim, ten: 4, healthy: true, id: 9 },
  { ...version, state: 'ended', claim, ten: 4 },
  { ...version, state: 'removed' },
  { ...version, state: 'edit', edit: { weight: 2, enabled: false, metadata: [['colour', 'blue']] } },
  { ...version, state: 'health', healthy: true },
];

/** The messages. */
export const everyMessage: readonly PeerMessage[] = [
  {
    type: 'ping',
    epoch: 3,
    run: '5f0c',
    state: 'UP',
    sentAt: 1234,
    sets: [{ ...set, rev: 12, hash: '0badcafe', graceMs: 45_000 }],
    members: [{ node: '10.0.0.2:8848', state: 'SUSPICIOUS', silentMs: -1, epoch: 1, run: 'ab' }],
  },
  { type: 'leaving', epoch: 3, run: '5f0c' },
  {
    type: 'delta',
    set,
    from: 1,
    to: 7,
    full: false,
    changes: [...records.map((record) => ({ key, record })), { key, successor: { ...set, rev: 4 }, ageMs: 900 }],
    graceMs: 0,
  },
  { type: 'pull', set, rev: -1 },
  { type: 'buckets', set, rev: 9, hashes: [0, 0xffff_ffff], graceMs: 1 },
  { type: 'bucket-pull', set, buckets: [0, 255] },
  {
    type: 'bucket-records',
    set,
    rev: 9,
    bucket: 4,
    part: 0,
    parts: 2,
    records: records.map((record) => ({ key, record })),
  },
  { type: 'ack', set, rev: 12 },
  { type: 'relay', number: 3, set, beats: [[9, 120]], health: [[9, false]] },
  { type: 'relay-ack', number: 3 },
];
