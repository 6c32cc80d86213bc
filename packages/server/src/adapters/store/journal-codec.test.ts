import { NO_METADATA, serviceKey } from '@rollcall/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressOf } from '../../core/instance-address.js';
import type { JournalEntry } from '../../core/journal-entry.js';
import { entriesJson, JournalDecoder } from './journal-codec.js';
import { journalEntries } from './journal-entries.test-support.js';

const service = serviceKey('public', 'DEFAULT_GROUP', 'orders');
const address = addressOf('10.0.0.1', 8080, 'DEFAULT');
const content = { weight: 1, enabled: true, healthy: true, metadata: NO_METADATA, app: undefined };

function decoded(json: string): readonly JournalEntry[] {
  return new JournalDecoder().decode(JSON.parse(json)).entries;
}

test('the text of each type stays as it is: journals of earlier versions are read', () => {
  const at = { service, address, publisher: 'http' };
  const subscriber = { ip: '10.0.0.9', port: 5000, clusters: 'a,b', agent: 'Nacos-Java-Client:v1.4.8', app: 'unknown' };
  const metadata = new Map([['zone', 'east']]);
  const entries: JournalEntry[] = [
    { type: 'registered', ...at, registered: content, healthy: true, refTime: 1 },
    {
      type: 'registered',
      ...at,
      registered: { ...content, metadata, app: 'shop' },
      base: content,
      healthy: false,
      refTime: 2,
    },
    { type: 'registered', ...at, registered: content, healthy: true, instanceId: '7', refTime: 3 },
    {
      type: 'registered',
      ...at,
      registered: content,
      healthy: true,
      refTime: 4,
      version: { cv: 9, op: ['10.0.0.2:8848', 3, 5] },
    },
    { type: 'health', ...at, healthy: true, refTime: 4 },
    { type: 'removed', ...at, refTime: 5 },
    { type: 'subscribed', service, subscriber },
    { type: 'unsubscribed', service, subscriberKey: 'k' },
    { type: 'list-version', service, refTime: 6 },
    { type: 'push-numbers', upTo: 7 },
  ];
  const json = `[
    ["r","public","DEFAULT_GROUP","orders","10.0.0.1",8080,"DEFAULT","http",1,1,[1,1,1,null]],
    ["r","public","DEFAULT_GROUP","orders","10.0.0.1",8080,"DEFAULT","http",0,2,[1,1,1,"shop","zone","east"],[1,1,1,null]],
    ["r","public","DEFAULT_GROUP","orders","10.0.0.1",8080,"DEFAULT","http",1,3,[1,1,1,null],null,"7"],
    ["r","public","DEFAULT_GROUP","orders","10.0.0.1",8080,"DEFAULT","http",1,4,[1,1,1,null],null,null,[9,"10.0.0.2:8848",3,5]],
    ["h","public","DEFAULT_GROUP","orders","10.0.0.1",8080,"DEFAULT","http",1,4],
    ["d","public","DEFAULT_GROUP","orders","10.0.0.1",8080,"DEFAULT","http",0,5],
    ["s","public","DEFAULT_GROUP","orders","10.0.0.9",5000,"a,b","Nacos-Java-Client:v1.4.8","unknown"],
    ["u","public","DEFAULT_GROUP","orders","k"],
    ["v","public","DEFAULT_GROUP","orders",6],
    ["n",7]]`;
  expect(entriesJson(entries)).toBe(json.replaceAll(/\n\s*/g, ''));
  expect(decoded(json)).toEqual(entries);
});

test('any entries come back, metadata in its order', () => {
  fc.assert(
    fc.property(fc.array(journalEntries), (entries) => {
      const again = decoded(entriesJson(entries));
      expect(again).toEqual(entries);
      for (const [index, entry] of entries.entries()) {
        const other = again[index];
        if (entry.type !== 'registered' || other?.type !== 'registered') continue;
        expect([...other.registered.metadata]).toEqual([...entry.registered.metadata]);
      }
    }),
  );
});

test('types and members that a newer version added are left out, the rest is read', () => {
  const newer = '[["q",{"a":1}],["v","public","DEFAULT_GROUP","orders",6,"more"],["w"]]';
  expect(new JournalDecoder().decode(JSON.parse(newer))).toEqual({
    entries: [{ type: 'list-version', service, refTime: 6 }],
    unknown: 2,
  });
});

test('entries without metadata share one map', () => {
  const [entry] = decoded(
    entriesJson([
      { type: 'registered', service, address, publisher: 'http', registered: content, healthy: true, refTime: 1 },
    ]),
  );
  expect(entry?.type === 'registered' && entry.registered.metadata).toBe(NO_METADATA);
});
