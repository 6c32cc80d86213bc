import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PeerMessage } from '../../core/replication/peer-message.js';
import { frameOf } from './frame-reader.js';
import { DEFAULT_PEER_BOUNDS } from './peer-bounds.js';
import { DeafNode, ping, type RawPeer, TestNetwork, type TestNodeOptions, until } from './peer-nodes.test-support.js';
import { NODE_CERTIFICATES, STRANGER_CERTIFICATES } from './test-certificates.test-support.js';

let network: TestNetwork;
beforeEach(() => {
  network = new TestNetwork();
});
afterEach(() => network.close());

describe('two nodes', () => {
  it('find each other and send both ways', async () => {
    const a = await network.node('a:1', ['b:1']);
    const b = await network.node('b:1', ['a:1']);
    await network.pass(200);
    await until(() => a.isConnected('b:1') && b.isConnected('a:1'));
    a.transport.send('b:1', ping(1));
    a.transport.send('b:1', ping(2));
    b.transport.send('a:1', ping(3));
    await until(() => b.messages.length === 2 && a.messages.length === 1);
    expect(b.messages).toEqual([ping(1), ping(2)]);
    expect(a.messages).toEqual([ping(3)]);
    expect(a.transport.counters).toMatchObject({ openDialled: 1, openAccepted: 1, unsentMessages: 0 });
  });

  it('say at once when a port is closed, and connect when it opens', async () => {
    const a = await network.node('a:1', ['b:1']);
    await until(() => a.heard.includes('refused b:1'));
    const b = await network.node('b:1', ['a:1']);
    await network.pass(200);
    await until(() => a.heard.includes('connected b:1') && b.heard.includes('connected a:1'));
  });

  it('drop messages while there is no connection', async () => {
    const a = await network.node('a:1', ['b:1']);
    a.transport.send('b:1', ping(1));
    a.transport.send('nobody:1', ping(1));
    expect(a.transport.counters.unsentMessages).toBe(1);
  });

  it('notice the end of the other, dial again, and end with what was sent', async () => {
    const a = await network.node('a:1', ['b:1']);
    const b = await network.node('b:1', ['a:1']);
    await network.pass(200);
    await until(() => a.isConnected('b:1') && b.isConnected('a:1'));
    const before = a.lines('ECONNREFUSED');
    b.transport.send('a:1', { type: 'leaving', epoch: 1, run: 'r' });
    await b.transport.close();
    await until(() => a.heard.includes('lost b:1'));
    expect(a.messages).toEqual([{ type: 'leaving', epoch: 1, run: 'r' }]);
    const refusals = () => a.heard.filter((line) => line === 'refused b:1').length;
    const earlier = refusals();
    await network.pass(500);
    await until(() => refusals() >= earlier + 2);
    expect(a.lines('ECONNREFUSED')).toBe(before + 1);
  });

  it('part when one is no member any more', async () => {
    const a = await network.node('a:1', ['b:1']);
    const b = await network.node('b:1', ['a:1']);
    await network.pass(200);
    await until(() => a.isConnected('b:1') && b.isConnected('a:1'));
    a.transport.setPeers([]);
    await until(() => !b.isConnected('a:1'));
    await until(() => b.lines('not-a-member') > 0);
    expect(a.transport.counters).toMatchObject({ openDialled: 0, openAccepted: 0 });
  });

  it('work without a secret when both have none', async () => {
    const a = await network.node('a:1', ['b:1'], { secret: undefined });
    const b = await network.node('b:1', ['a:1'], { secret: undefined });
    await network.pass(200);
    await until(() => a.isConnected('b:1') && b.isConnected('a:1'));
    a.transport.send('b:1', ping(1));
    await until(() => b.messages.length === 1);
  });
});

describe('a dialler', () => {
  it('gives up a connection on which nothing is read, and dials anew', async () => {
    const a = await network.node('a:1', ['b:1']);
    const deaf = await DeafNode.start(network, 'b:1');
    await network.pass(200);
    await until(() => a.isConnected('b:1'));
    a.transport.send('b:1', ping(1));
    await network.pass(1500);
    expect(a.isConnected('b:1')).toBe(true);
    await network.pass(1500);
    await until(() => deaf.sockets.length === 2 && a.isConnected('b:1'));
    expect(a.lines('stalled')).toBe(1);
    deaf.close();
  });

  it('tries again while nothing answers, beside the tries that wait, and says so once', async () => {
    network.lost.add('b:1');
    const a = await network.node('a:1', ['b:1']);
    const b = await network.node('b:1', []);
    await network.pass(7900);
    expect(a.transport.counters.dials).toBe(40);
    expect(network.lostDials.filter(({ destroyed }) => !destroyed)).toHaveLength(DEFAULT_PEER_BOUNDS.dials);
    expect(a.lines('ETIMEDOUT')).toBe(1);
    expect(a.heard).toEqual([]);
    b.transport.setPeers(['a:1']);
    network.lost.clear();
    await network.pass(200);
    await until(() => a.isConnected('b:1'));
    expect(network.lostDials.every(({ destroyed }) => destroyed)).toBe(true);
    await network.pass(1000);
    expect(a.transport.counters.dials).toBe(41);
  });

  it('dials at once, beside a try that waits, when the peer has come in', async () => {
    network.lost.add('b:1');
    const a = await network.node('a:1', ['b:1']);
    network.lost.clear();
    const b = await network.node('b:1', ['a:1']);
    await until(() => b.isConnected('a:1') && a.isConnected('b:1'));
    expect(a.transport.counters.dials).toBe(2);
  });

  it('goes on while the peer reports progress', async () => {
    const a = await network.node('a:1', ['b:1']);
    const b = await network.node('b:1', ['a:1']);
    await network.pass(200);
    await until(() => a.isConnected('b:1') && b.isConnected('a:1'));
    for (let sent = 1; sent <= 10; sent++) {
      a.transport.send('b:1', ping(sent));
      await until(() => b.messages.length === sent);
      await network.pass(1000);
    }
    expect(a.transport.counters.faults).toMatchObject({ stalled: 0, silent: 0 });
  });

  it('loses the connection of a peer that lets too much wait, and the others notice nothing', async () => {
    const a = await network.node('a:1', ['b:1', 'c:1'], { bounds: { queueBytes: 3_000_000 } });
    const deaf = await DeafNode.start(network, 'b:1');
    const c = await network.node('c:1', ['a:1']);
    await network.pass(200);
    await until(() => a.isConnected('b:1') && a.isConnected('c:1'));
    const text = 'x'.repeat(60);
    const set = { node: text, epoch: 1, run: text, rev: 1, hash: text };
    const large = { ...ping(1), sets: Array.from({ length: 4000 }, () => set) } as PeerMessage;
    for (let sent = 0; sent < 30 && a.isConnected('b:1'); sent++) {
      a.transport.send('b:1', large);
      a.transport.send('c:1', ping(sent));
      expect(a.transport.linkTo('b:1')?.queuedBytes).toBeLessThanOrEqual(3_100_000);
    }
    expect(a.lines('overfull')).toBe(1);
    await until(() => c.messages.length > 3);
    deaf.close();
  });
});

describe('nodes over TLS', () => {
  it('find each other by certificates of one authority', async () => {
    const options = { certificates: NODE_CERTIFICATES, secret: undefined };
    const a = await network.node('a:1', ['b:1'], options);
    const b = await network.node('b:1', ['a:1'], options);
    await until(() => a.transport.counters.dials > 0);
    for (let tries = 0; tries < 20 && !(a.isConnected('b:1') && b.isConnected('a:1')); tries++) {
      await network.pass(50);
    }
    await until(() => a.isConnected('b:1') && b.isConnected('a:1'));
    a.transport.send('b:1', ping(1));
    await until(() => b.messages.length === 1);
  });

  it.each([
    ['a certificate of somebody else', STRANGER_CERTIFICATES, 'wrong-secret'],
    ['who speaks no TLS', undefined, 'tls-mismatch'],
  ])('refuse %s', async (_, certificates, reason) => {
    const a = await network.node('a:1', ['b:1'], { certificates: NODE_CERTIFICATES, secret: undefined });
    const b = await network.node('b:1', ['a:1'], { certificates, secret: undefined });
    await until(() => a.lines(reason) > 0);
    expect(a.transport.counters.openAccepted).toBe(0);
    expect(b.isConnected('a:1')).toBe(false);
  });
});

describe('who does not belong', () => {
  it.each([
    ['wrong-secret', { secret: 'another' }],
    ['other-cluster', { cluster: 'other' }],
    ['wrong-node', { to: 'c:1' }],
    ['not-a-member', { node: 'x:1' }],
    ['wrong-version', { version: 2 }],
    ['wrong-secret', { proves: 'nothing' as const }],
  ])('is refused with %j, told why, and logged once', async (reason, fields) => {
    const a = await network.node('a:1', ['b:1']);
    for (let tries = 0; tries < 3; tries++) {
      const raw = await network.raw(a);
      await raw.greet('b:1', 'a:1', fields);
      await until(() => raw.isClosed);
      expect(raw.frames.at(-1)).toMatchObject({ type: 'refused', reason });
    }
    expect(a.lines(reason)).toBe(1);
    expect(a.transport.counters.faults).toMatchObject({ [reason]: 3 });
    expect(a.transport.counters.openAccepted).toBe(0);
  });

  it('cannot fill the log under many names', async () => {
    const a = await network.node('a:1', ['b:1']);
    for (let tries = 0; tries < 5; tries++) {
      const raw = await network.raw(a);
      await raw.greet(`x${tries}:1`, 'a:1');
      await until(() => raw.isClosed);
    }
    expect(a.transport.counters.faults).toMatchObject({ 'not-a-member': 5 });
    const lines = a.logger.lines.filter(({ fields }) => fields.reason === 'not-a-member');
    expect(lines).toMatchObject([{ fields: { peer: 'x0:1', address: '127.0.0.1' } }]);
  });

  it('does not get a proof from the node before it has given its own', async () => {
    const a = await network.node('a:1', ['b:1']);
    const raw = await network.raw(a);
    await raw.greet('b:1', 'a:1', { secret: 'guess' });
    await until(() => raw.isClosed);
    expect(raw.frames.map(({ type }) => type)).toEqual(['challenge', 'refused']);
    expect(JSON.stringify(raw.frames)).not.toContain('"proof"');
  });

  it('is found out by the dialler as well', async () => {
    const a = await network.node('a:1', ['b:1']);
    await network.node('b:1', ['a:1'], { secret: 'another secret of a cluster' });
    await network.pass(200);
    await until(() => a.lines('wrong-secret') > 0);
    expect(a.isConnected('b:1')).toBe(false);
  });
});

describe('a node that is refused', () => {
  it.each<[string, TestNodeOptions, readonly string[]]>([
    ['not-a-member', {}, []],
    ['wrong-secret', { secret: 'another secret of a cluster' }, ['a:1']],
    ['wrong-secret', { secret: undefined }, ['a:1']],
    ['other-cluster', { cluster: 'other' }, ['a:1']],
  ])('is told each time that it is %s, and shows it until it is taken in', async (reason, options, others) => {
    const b = await network.node('b:1', others, options);
    const a = await network.node('a:1', ['b:1']);
    const rejections = () => a.heard.filter((line) => line === `rejected b:1 ${reason}`).length;
    await until(() => rejections() === 1);
    await network.pass(DEFAULT_PEER_BOUNDS.refusedRetryMs);
    await until(() => rejections() >= 2);
    expect(a.transport.linkTo('b:1')?.rejection).toBe(reason);
    await b.transport.close();
    await network.pass(DEFAULT_PEER_BOUNDS.refusedRetryMs);
    await until(() => a.heard.includes('refused b:1'));
    expect(a.transport.linkTo('b:1')?.rejection).toBeUndefined();
  });

  it('because the other calls itself otherwise is told so, unless it is the same', async () => {
    const b = await network.node('b:1', ['a:1']);
    const a = await network.node('a:1', []);
    network.ports.set('other-name-of-b:1', b.port).set('other-name-of-a:1', a.port);
    a.transport.setPeers(['other-name-of-a:1', 'other-name-of-b:1']);
    await until(() => a.heard.includes('rejected other-name-of-b:1 wrong-node'));
    await until(() => a.lines('wrong-node') >= 2);
    await network.pass(200);
    expect(a.heard).not.toContain('rejected other-name-of-a:1 wrong-node');
  });

  it('is not who finds a web server there', async () => {
    const web = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    web.listen(0, '127.0.0.1');
    await once(web, 'listening');
    network.ports.set('b:1', (web.address() as AddressInfo).port);
    const a = await network.node('a:1', ['b:1']);
    await until(() => a.lines('other-protocol') === 1);
    web.close();
    expect(a.heard).toEqual([]);
  });
});

describe('who speaks something else', () => {
  it.each<[string, Buffer, RegExp]>([
    [
      'an HTTP request',
      Buffer.from('GET /nacos/v1/ns/instance/list?x=1 HTTP/1.1\r\nHost: a\r\n\r\n'),
      /"GET \/nacos.*main port/,
    ],
    ['HTTP/2', Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), /HTTP\/2 connection/],
    ['random bytes', Buffer.from('9f3b00c4d2a1', 'hex'), /bytes 9f3b00c4d2a1/],
    ['a line with escapes in it', Buffer.from('GET /\u001b[31m\u0000 HTTP/1.1\r\n'), /"GET \/\?\[31m\? HTTP\/1\.1"/],
  ])('%s: one clear line, a counter, and the end', async (_, bytes, found) => {
    const a = await network.node('a:1', ['b:1']);
    for (let tries = 0; tries < 3; tries++) {
      const raw = await network.raw(a);
      raw.write(bytes);
      await until(() => raw.isClosed);
    }
    expect(a.transport.counters.faults).toMatchObject({ 'other-protocol': 3 });
    const lines = a.logger.lines.filter(({ event }) => event === 'peer-cut-off');
    expect(lines).toHaveLength(1);
    const message = expect.stringMatching(found);
    expect(lines[0]?.fields).toMatchObject({ reason: 'other-protocol', message, peer: '127.0.0.1' });
  });

  it('of several kinds from one address: a line for each', async () => {
    const a = await network.node('a:1', []);
    for (const bytes of ['GET / HTTP/1.1\r\n', 'PRI * HTTP/2.0\r\n', 'abcdefgh', 'ijklmnop']) {
      const raw = await network.raw(a);
      raw.write(Buffer.from(bytes, 'latin1'));
      await until(() => raw.isClosed);
    }
    expect(a.lines('other-protocol')).toBe(3);
    expect(a.transport.counters.faults).toMatchObject({ 'other-protocol': 4 });
  });

  it('HTTP to a port with TLS: is counted as that, not as a wrong secret', async () => {
    const a = await network.node('a:1', ['b:1'], { certificates: NODE_CERTIFICATES, secret: undefined });
    const raw = await network.raw(a);
    raw.write(Buffer.from('GET / HTTP/1.1\r\n\r\n'));
    await until(() => raw.isClosed);
    expect(a.transport.counters.faults).toMatchObject({ 'other-protocol': 1, 'wrong-secret': 0 });
  });
});

describe('who breaks the rules', () => {
  async function opened() {
    const a = await network.node('a:1', ['b:1', 'c:1'], { bounds: { framesPerSecond: 50, bytesPerSecond: 4_000_000 } });
    const c = await network.node('c:1', ['a:1']);
    await network.pass(200);
    await until(() => a.isConnected('c:1') && c.isConnected('a:1'));
    const raw = await network.raw(a);
    await raw.greet('b:1', 'a:1');
    await until(() => a.transport.counters.openAccepted === 2);
    return { a, c, raw };
  }
  type Raw = Awaited<ReturnType<typeof opened>>['raw'];

  it.each<[string, (raw: Raw) => void]>([
    ['oversize', (raw) => raw.write(Buffer.from([0x7f, 0xff, 0xff, 0xff]))],
    ['malformed', (raw) => raw.write(Buffer.alloc(4))],
    ['malformed', (raw) => raw.write(frameOf(Buffer.from('short')))],
    ['malformed', (raw) => raw.send(Buffer.from('no JSON'))],
    ['malformed', (raw) => raw.send({ type: 'unheard-of' })],
    ['malformed', (raw) => raw.send({ type: 'ping', epoch: 'one' })],
    ['malformed', (raw) => raw.send({ type: 'hello' })],
    ['wrong-secret', (raw) => raw.write(frameOf(Buffer.alloc(100, 'x')))],
    [
      'truncated',
      (raw) => {
        raw.write(frameOf(Buffer.alloc(100)).subarray(0, 50));
        raw.socket.end();
      },
    ],
    [
      'truncated',
      (raw) => {
        raw.socket.write(frameOf(Buffer.alloc(100)).subarray(0, 50), () => raw.socket.resetAndDestroy());
      },
    ],
    [
      'flood',
      (raw) => {
        for (let sent = 0; sent < 101; sent++) raw.send(ping(sent));
      },
    ],
  ])('is cut off with %j, logged once, and the others go on', async (reason, act) => {
    const { a, c, raw } = await opened();
    const before = a.transport.counters.faults[reason as 'flood'];
    act(raw);
    await until(() => raw.isClosed);
    expect(a.transport.counters.faults[reason as 'flood']).toBe(before + 1);
    expect(a.lines(reason)).toBe(1);
    c.transport.send('a:1', ping(7));
    await until(() => a.heard.includes('message c:1 ping'));
    expect(c.isConnected('a:1')).toBe(true);
  });

  it('may send as much as is allowed', async () => {
    const { a, raw } = await opened();
    for (let second = 0; second < 10; second++) {
      for (let sent = 0; sent < 50; sent++) raw.send(ping(sent));
      await until(() => a.messages.length === (second + 1) * 50);
      network.clock.advance(1000);
    }
    expect(raw.isClosed).toBe(false);
  });

  it('is cut off when it is silent for too long', async () => {
    const { a, raw } = await opened();
    await network.pass(10_500);
    await until(() => raw.isClosed);
    expect(
      a.logger.lines.filter(({ event, fields }) => event === 'peer-cut-off' && fields.peer === 'b:1'),
    ).toHaveLength(1);
  });

  it('says who it is in time, or gives way to others', async () => {
    const a = await network.node('a:1', [], { bounds: { handshakes: 3 } });
    const raws: RawPeer[] = [];
    for (let count = 0; count < 4; count++) raws.push(await network.raw(a));
    await until(() => raws[0]?.isClosed === true);
    expect(raws.filter(({ isClosed }) => isClosed)).toHaveLength(1);
    await network.pass(5500);
    await until(() => raws.every(({ isClosed }) => isClosed));
    expect(a.transport.counters.faults).toMatchObject({ 'too-many': 1, 'handshake-slow': 3 });
  });
});

describe('two processes with one address', () => {
  it('stop the later one, whichever came first', async () => {
    for (const [first, second] of [
      ['early', 'late'],
      ['late', 'early'],
    ] as const) {
      const startedAt = { early: 1000, late: 2000 };
      const c = await network.node(`c${first}:1`, ['b:1']);
      network.ports.delete('b:1');
      const one = await network.node('b:1', [c.id], { runId: first, startedAt: startedAt[first] });
      await network.pass(200);
      await until(() => c.transport.counters.openAccepted === 1);
      const other = await network.node('b:1', [c.id], { runId: second, startedAt: startedAt[second] });
      for (let passed = 0; passed < 3; passed++) {
        one.transport.send(c.id, ping(1));
        await network.pass(1000);
      }
      const late = first === 'late' ? one : other;
      await until(() => late.heard.includes('stop'));
      expect((late === one ? other : one).heard).not.toContain('stop');
      expect(c.lines('address-taken')).toBe(1);
    }
  });

  it('are one that has restarted when the old connection is silent', async () => {
    const c = await network.node('c:1', ['b:1']);
    const old = await network.raw(c);
    await old.greet('b:1', 'c:1', { runId: 'old' });
    await until(() => c.transport.counters.openAccepted === 1);
    const restarted = await network.raw(c);
    await restarted.greet('b:1', 'c:1', { runId: 'new', startedAt: 5 });
    old.send(ping(1));
    await until(() => c.messages.length === 1);
    await network.pass(3500);
    await until(() => old.isClosed && restarted.frames.some(({ type }) => type === 'welcome'));
    restarted.send(ping(2));
    await until(() => c.messages.length === 2);
  });

  it('are one that has restarted when the old connection ends', async () => {
    const c = await network.node('c:1', ['b:1']);
    const old = await network.raw(c);
    await old.greet('b:1', 'c:1', { runId: 'old' });
    await until(() => c.transport.counters.openAccepted === 1);
    const restarted = await network.raw(c);
    await restarted.greet('b:1', 'c:1', { runId: 'new', startedAt: 5 });
    old.socket.destroy();
    await until(() => restarted.frames.some(({ type }) => type === 'welcome'));
  });

  it('are one that has restarted when what the old one left takes long to read, and two when it never ends', async () => {
    for (const [talkMs, isRefused] of [
      [2500, false],
      [4500, true],
    ] as const) {
      const c = await network.node(`c${talkMs}:1`, ['b:1']);
      const old = await network.raw(c);
      await old.greet('b:1', c.id, { runId: 'old' });
      await until(() => c.transport.counters.openAccepted === 1);
      const restarted = await network.raw(c);
      await restarted.greet('b:1', c.id, { runId: 'new', startedAt: 5 });
      const isAnswered = () => restarted.frames.length > 1;
      for (let sent = 1; sent * 100 <= talkMs && !isAnswered(); sent++) {
        old.send(ping(1));
        await until(() => c.messages.length === sent);
        await network.pass(100);
      }
      old.socket.destroy();
      await until(isAnswered);
      await network.pass(500);
      // A refusal comes after a welcome, sealed.
      expect(restarted.frames.some(({ type }) => type === 'refused')).toBe(isRefused);
      expect(c.lines('address-taken')).toBe(isRefused ? 1 : 0);
    }
  });
});
