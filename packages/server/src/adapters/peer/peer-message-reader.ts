// Reads messages of the core that came from another node. Every member is checked; unknown ones are left out, so that a
// later version may add some. What a message means is checked by the core.

import { COUNT_MAX, type PeerMessage, type WireRecord } from '../../core/replication/peer-message.js';
import {
  booleanShape,
  integerShape,
  listShape,
  maybe,
  numberShape,
  objectShape,
  type Shape,
  textShape,
  tupleShape,
  unionShape,
  wordShape,
} from './json-shape.js';

/** Bounds of lists; the length of a frame bounds the rest. */
const SETS_MAX = 4096;
const MEMBERS_MAX = 256;
const CHANGES_MAX = 1000;
const BUCKETS = 256;
const BEATS_MAX = 100_000;
const ENTRIES_MAX = 20_000;

const name = textShape(1024);
const value = textShape(1024 * 1024);
const count = integerShape(0, COUNT_MAX);
const run = textShape(64);

const setMembers = { node: name, epoch: count, run };
const set = objectShape(setMembers);
const digest = objectShape({ ...setMembers, rev: count, hash: textShape(64), graceMs: maybe(count) });
const report = objectShape({
  node: name,
  state: wordShape('STARTING', 'UP', 'SUSPICIOUS', 'DOWN'),
  silentMs: integerShape(-1),
  epoch: count,
  run,
});

const metadata = listShape(tupleShape<[string, string]>(value, value), ENTRIES_MAX);
const weight = numberShape(0, 10_000);
const content = objectShape({
  weight,
  enabled: booleanShape,
  healthy: booleanShape,
  metadata,
  app: maybe(name),
  instanceId: maybe(name),
});
const claim = objectShape({ registered: content, base: maybe(content), numericId: maybe(name) });
const version = { cv: count, op: tupleShape<[string, number, number]>(name, count, count) };
const record = unionShape<WireRecord>('state', {
  live: objectShape({ state: wordShape('live'), ...version, claim, ten: count, healthy: booleanShape, id: count }),
  ended: objectShape({ state: wordShape('ended'), ...version, claim, ten: count }),
  removed: objectShape({ state: wordShape('removed'), ...version }),
  edit: objectShape({
    state: wordShape('edit'),
    ...version,
    edit: objectShape({ weight: maybe(weight), enabled: maybe(booleanShape), metadata: maybe(metadata) }),
  }),
  health: objectShape({ state: wordShape('health'), ...version, healthy: booleanShape }),
});
const key = tupleShape<[string, string, string, string, number, string, string]>(
  name,
  name,
  name,
  name,
  integerShape(0, 65_535),
  name,
  name,
);
const change = objectShape({
  key,
  record: maybe(record),
  successor: maybe(objectShape({ ...setMembers, rev: count })),
  ageMs: maybe(count),
});

const message: Shape<PeerMessage> = unionShape<PeerMessage>('type', {
  ping: objectShape({
    type: wordShape('ping'),
    epoch: count,
    run,
    state: wordShape('STARTING', 'UP'),
    sentAt: count,
    sets: listShape(digest, SETS_MAX),
    members: listShape(report, MEMBERS_MAX),
  }),
  leaving: objectShape({ type: wordShape('leaving'), epoch: count, run }),
  delta: objectShape({
    type: wordShape('delta'),
    set,
    from: count,
    to: count,
    full: booleanShape,
    changes: listShape(change, CHANGES_MAX),
    graceMs: maybe(count),
  }),
  pull: objectShape({ type: wordShape('pull'), set, rev: integerShape(-1) }),
  buckets: objectShape({
    type: wordShape('buckets'),
    set,
    rev: count,
    hashes: listShape(integerShape(0, 0xffff_ffff), BUCKETS),
    graceMs: maybe(count),
  }),
  'bucket-pull': objectShape({
    type: wordShape('bucket-pull'),
    set,
    buckets: listShape(integerShape(0, BUCKETS - 1), BUCKETS),
  }),
  'bucket-records': objectShape({
    type: wordShape('bucket-records'),
    set,
    rev: count,
    bucket: integerShape(0, BUCKETS - 1),
    part: count,
    parts: integerShape(1, 100_000),
    records: listShape(objectShape({ key, record }), CHANGES_MAX),
  }),
  ack: objectShape({ type: wordShape('ack'), set, rev: count }),
  relay: objectShape({
    type: wordShape('relay'),
    number: count,
    set,
    beats: listShape(tupleShape<[number, number]>(count, count), BEATS_MAX),
    health: listShape(tupleShape<[number, boolean]>(count, booleanShape), BEATS_MAX),
  }),
  'relay-ack': objectShape({ type: wordShape('relay-ack'), number: count }),
});

/** The message of a frame. @throws PeerFault `malformed` that says where it is wrong */
export function readPeerMessage(parsed: unknown): PeerMessage {
  return message(parsed, 'message');
}
