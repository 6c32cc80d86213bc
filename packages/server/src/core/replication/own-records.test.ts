import type { Instant } from '@rollcall/runtime/time';
import { expect, it } from 'vitest';
import { contentOf, hostOf, serviceOf } from '../../testing/core-fixture.js';
import { OwnRecords } from './own-records.js';
import { recordKey } from './record-key.js';
import { RecordSet } from './record-set.js';
import { DEFAULT_REPLICATION_SETTINGS } from './replication-settings.js';
import { SetTable } from './set-table.js';

const node = '10.9.0.1:8848';
const key = recordKey(serviceOf('orders'), hostOf(1), 'http');
const claim = { registered: contentOf(), base: contentOf(), numericId: undefined };

it('a lease is known for a second or two by a name that it had: a sign of life for that may be on its way', () => {
  const sets = new SetTable(new RecordSet({ node, epoch: 1, run: 'r' }, { logChanges: 100 }));
  const own = new OwnRecords({ node, settings: DEFAULT_REPLICATION_SETTINGS, sets, onClockAhead: () => undefined });
  const putLease = () => own.putLease(key, { cv: 1, op: [node, 1, 1], claim, ten: 1, healthy: true });
  const name = () => own.lease(key.text)?.id as number;
  putLease();
  const former = name();
  own.drop(key);
  putLease();
  expect(name()).not.toBe(former);
  own.forgetOld(1000 as Instant);
  expect([own.keyOf(former), own.keyOf(name())]).toEqual([key, key]);
  own.forgetOld(2000 as Instant);
  expect([own.keyOf(former), own.keyOf(name())]).toEqual([undefined, key]);
});
