import { describe, expect, it } from 'vitest';
import type { PeerMessage } from '../../core/replication/peer-message.js';
import { everyMessage } from './every-message.test-support.js';
import { PeerFault } from './peer-fault.js';
import { readPeerMessage } from './peer-message-reader.js';

const read = (value: unknown) => readPeerMessage(JSON.parse(JSON.stringify(value)));

/** All places in a value, as functions that put something else there. */
function places(value: unknown): ((other: unknown) => unknown)[] {
  if (typeof value !== 'object' || value === null) return [];
  const copy = (): Record<string, unknown> => JSON.parse(JSON.stringify(value));
  return Object.keys(value).flatMap((key) => [
    (other: unknown) => Object.assign(copy(), { [key]: other }),
    ...places(copy()[key]).map((put) => (other: unknown) => Object.assign(copy(), { [key]: put(other) })),
  ]);
}

describe('messages between nodes', () => {
  it.each(everyMessage.map((message): [string, PeerMessage] => [message.type, message]))('%s is read', (_, message) => {
    expect(read(message)).toEqual(message);
  });

  it('are read without members that are not known', () => {
    const [first] = everyMessage;
    expect(read({ ...first, later: { version: 2 } })).toEqual(first);
    expect(readPeerMessage(JSON.parse('{"type":"relay-ack","number":1,"__proto__":{"x":1}}'))).toEqual({
      type: 'relay-ack',
      number: 1,
    });
  });

  it('are read with 0 for -0, which JSON has but nobody writes', () => {
    expect(readPeerMessage(JSON.parse('{"type":"relay-ack","number":-0}'))).toEqual({ type: 'relay-ack', number: 0 });
  });

  it.each(everyMessage.map((message): [string, PeerMessage] => [message.type, message]))(
    '%s is refused with a wrong value at any place',
    (_, message) => {
      for (const put of places(message)) expect(() => read(put([{}]))).toThrow(PeerFault);
    },
  );

  it('are refused with the place and what is allowed there', () => {
    const wrong = { type: 'ack', set: { node: 'a:1', epoch: 1, run: 'r' }, rev: -1 };
    expect(() => read(wrong)).toThrow('found -1 at "message.rev", allowed is a whole number from 0 to');
    expect(() => read({ type: 'gossip' })).toThrow(
      'found "gossip" at "message.type", allowed is one of ping, leaving,',
    );
    expect(() => read({ type: 'relay-ack' })).toThrow('found nothing at "message.number"');
  });
});
