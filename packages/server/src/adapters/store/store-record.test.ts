import { serviceKey } from '@rollcall/protocol';
import { expect, test } from 'vitest';
import { addressOf } from '../../core/instance-address.js';
import { DEFAULT_SWITCHES } from '../../core/switches.js';
import { changeOf, recordOf } from './store-record.js';

function edit(name: string, ip: string) {
  const service = serviceKey('public', 'g', name);
  return recordOf({ type: 'edit', service, kind: 'ephemeral', address: addressOf(ip, 1, 'DEFAULT'), value: undefined });
}

test('keys can be read, and no two identities share one', () => {
  expect(edit('orders', '10.0.0.1').key).toBe('edit/["public","g","orders","ephemeral","10.0.0.1",1,"DEFAULT"]');
  expect(edit('a","b', 'c').key).not.toBe(edit('a', 'b","c').key);
  expect(edit('\ud800', 'c').key).not.toBe(edit('\ud801', 'c').key);
});

test('numbers that JSON does not have come back', () => {
  const value = {
    protectThreshold: Number.NaN,
    metadata: new Map(),
    selector: { type: 'none' },
    clusters: new Map(),
  } as const;
  const change = { type: 'service', service: serviceKey('public', 'g', 'n'), value } as const;
  expect(changeOf(recordOf(change).json ?? '')).toEqual(change);
});

test('an edit comes back with its version', () => {
  const service = serviceKey('public', 'g', 'orders');
  const address = addressOf('10.0.0.1', 1, 'DEFAULT');
  const version = { cv: 7, op: ['10.0.0.2:8848', 1, 3] } as const;
  const change = { type: 'edit', service, kind: 'ephemeral', address, value: { weight: 2 }, version } as const;
  expect(changeOf(recordOf(change).json ?? '')).toEqual(change);
});

test('switches of an earlier version get the defaults of what came since', () => {
  const { lightBeatEnabled, checkTimes, ...earlier } = { ...DEFAULT_SWITCHES, clientBeatInterval: 7000 };
  const json = JSON.stringify({ type: 'switches', value: earlier });
  expect(changeOf(json)).toEqual({ type: 'switches', value: { ...earlier, lightBeatEnabled, checkTimes } });
});

test('a type of a newer version is none', () => {
  expect(changeOf('{"type":"quota"}')).toBeUndefined();
});
