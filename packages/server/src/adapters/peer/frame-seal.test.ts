import { describe, expect, it } from 'vitest';
import { frameSeal } from './frame-seal.js';
import { handshakeKeys } from './handshake-keys.js';

const key = Buffer.from('key of one direction');
const bytes = (text: string) => Buffer.from(text);

describe('seals', () => {
  it('open in order with the same key', () => {
    const [sender, receiver] = [frameSeal(key), frameSeal(key)];
    for (const text of ['one', 'two', 'one']) expect(receiver.open(sender.seal(bytes(text)))).toEqual(bytes(text));
  });

  it('do not open when a frame is changed, repeated or left out', () => {
    const sender = frameSeal(key);
    const [first, second] = [sender.seal(bytes('one')), sender.seal(bytes('two'))];
    const changed = Buffer.from(first);
    changed[changed.length - 1] = 0;
    expect(() => frameSeal(key).open(changed)).toThrow('does not fit');
    expect(() => frameSeal(key).open(second)).toThrow('does not fit');
    const receiver = frameSeal(key);
    receiver.open(first);
    expect(() => receiver.open(first)).toThrow('does not fit');
    expect(() => receiver.open(bytes('short'))).toThrow('without a seal');
  });
});

describe('keys of a connection', () => {
  const [hello, challenge] = [bytes('hello'), bytes('challenge')];
  const keys = handshakeKeys('secret', hello, challenge);

  it('prove one side to another that knows the same', () => {
    const other = handshakeKeys('secret', hello, challenge);
    expect(other.isProof('dialler', keys.proofOf('dialler'))).toBe(true);
    expect(other.isProof('accepter', keys.proofOf('dialler'))).toBe(false);
    expect(other.isProof('dialler', '')).toBe(false);
  });

  it('differ by secret and by each frame', () => {
    const proof = keys.proofOf('dialler');
    expect(handshakeKeys('other', hello, challenge).isProof('dialler', proof)).toBe(false);
    expect(handshakeKeys('secret', bytes('helloc'), bytes('hallenge')).isProof('dialler', proof)).toBe(false);
  });

  it('prove nothing without a secret', () => {
    const open = handshakeKeys(undefined, hello, challenge);
    expect(open.isProof('dialler', open.proofOf('dialler'))).toBe(true);
    expect(open.isProof('dialler', keys.proofOf('dialler'))).toBe(false);
    expect(open.sealOf('dialler').open(bytes('x'))).toEqual(bytes('x'));
  });
});
