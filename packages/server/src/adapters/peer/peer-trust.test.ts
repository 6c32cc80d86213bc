// Nodes that know each other by certificates: what the log of each says of who has none of the cluster's authority, of who
// speaks another TLS, and of who only looks whether the port is open.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_PEER_BOUNDS } from './peer-bounds.js';
import { TestNetwork, type TestNode, until } from './peer-nodes.test-support.js';
import type { PeerCertificates } from './peer-sockets.js';
import { NODE_CERTIFICATES, STRANGER_CERTIFICATES } from './test-certificates.test-support.js';
import { tlsFault } from './tls-trust.js';

let network: TestNetwork;
beforeEach(() => {
  network = new TestNetwork();
});
afterEach(() => network.close());

const secured = (id: string, others: readonly string[], certificates = NODE_CERTIFICATES) =>
  network.node(id, others, { certificates, secret: undefined });
const faults = ({ transport }: TestNode) =>
  Object.fromEntries(Object.entries(transport.counters.faults).filter(([, count]) => count > 0));
const fieldsOf = ({ logger }: TestNode, event: string) =>
  logger.lines.filter((line) => line.event === event).map(({ fields }) => fields);
async function ended(socket: Socket): Promise<void> {
  socket.on('error', () => undefined);
  socket.resume();
  await new Promise((resolve) => socket.on('close', resolve));
}

describe('a node with a certificate of another authority', () => {
  it('is refused by who is dialled, with its address and what is wrong, and is told', async () => {
    const a = await secured('a:1', []);
    const b = await secured('b:1', ['a:1'], STRANGER_CERTIFICATES);
    await until(() => a.lines('wrong-secret') > 0 && b.lines('wrong-secret') > 0);
    const message = expect.stringMatching(/certificate.*"test stranger".*SELF_SIGNED.*--cluster-tls-ca/);
    expect(fieldsOf(a, 'peer-cut-off')).toMatchObject([{ peer: '127.0.0.1', address: '127.0.0.1', message }]);
    expect(faults(a)).toEqual({ 'wrong-secret': 1 });
    expect(fieldsOf(b, 'peer-refuses-us')).toMatchObject([{ peer: 'a:1', reason: 'wrong-secret', message }]);
    expect(a.transport.counters.openAccepted).toBe(0);
  });

  it('is given up by who dials it, with a line and a counter', async () => {
    await secured('b:1', [], STRANGER_CERTIFICATES);
    const a = await secured('a:1', ['b:1']);
    await until(() => a.lines('wrong-secret') > 0);
    const message = expect.stringMatching(/certificate.*"test stranger".*SELF_SIGNED/);
    expect(fieldsOf(a, 'peer-cut-off')).toMatchObject([{ peer: 'b:1', direction: 'out', message }]);
    expect(faults(a)).toEqual({ 'wrong-secret': 1 });
    expect(a.isConnected('b:1')).toBe(false);
    expect(fieldsOf(a, 'peer-unreachable')).toEqual([]);
  });
});

describe('a node with TLS and one without', () => {
  it.each<[string, PeerCertificates | undefined, PeerCertificates | undefined]>([
    ['with', NODE_CERTIFICATES, undefined],
    ['without', undefined, NODE_CERTIFICATES],
  ])('know of each other that they are there: who dials %s it is rejected', async (_, dialling, dialled) => {
    const b = await network.node('b:1', [], { certificates: dialled, secret: undefined });
    const a = await network.node('a:1', ['b:1'], { certificates: dialling, secret: undefined });
    await until(() => a.heard.includes('rejected b:1 tls-mismatch') && b.lines('tls-mismatch') > 0);
    const message = expect.stringContaining('--cluster-tls-cert');
    expect(fieldsOf(a, 'peer-cut-off')).toMatchObject([
      { peer: 'b:1', reason: 'tls-mismatch', message, direction: 'out' },
    ]);
    expect(fieldsOf(a, 'peer-unreachable')).toEqual([]);
    expect(faults(a)).toEqual({ 'tls-mismatch': 1 });
    expect(faults(b)).toEqual({ 'tls-mismatch': 1 });
    await network.pass(DEFAULT_PEER_BOUNDS.refusedRetryMs + 500);
    await until(() => faults(a)['tls-mismatch'] === 2);
    expect(a.heard).toEqual(['rejected b:1 tls-mismatch', 'rejected b:1 tls-mismatch']);
  });
});

describe('who connects to a port with TLS', () => {
  it('without a certificate is refused', async () => {
    const a = await secured('a:1', []);
    await ended(tlsConnect({ port: a.port, host: '127.0.0.1', rejectUnauthorized: false }));
    await until(() => a.lines('wrong-secret') > 0);
    const message = expect.stringMatching(/no certificate/);
    expect(fieldsOf(a, 'peer-cut-off')).toMatchObject([{ address: '127.0.0.1', message }]);
  });

  it('without a certificate gains nothing by resuming its session', async () => {
    const a = await secured('a:1', []);
    const target = { port: a.port, host: '127.0.0.1', rejectUnauthorized: false };
    let session: Buffer | undefined;
    const first = tlsConnect(target);
    first.on('session', (told) => {
      session = told;
    });
    await ended(first);
    const second = tlsConnect({ ...target, ...(session !== undefined && { session }) });
    await ended(second);
    await until(() => a.lines('wrong-secret') > 0);
    expect(faults(a)).toEqual({ 'wrong-secret': 2 });
  });

  it('with an older TLS is told apart from that', async () => {
    const a = await secured('a:1', []);
    await ended(tlsConnect({ port: a.port, host: '127.0.0.1', rejectUnauthorized: false, maxVersion: 'TLSv1.2' }));
    await until(() => a.lines('other-protocol') > 0);
    const message = expect.stringMatching(/unsupported protocol; allowed is TLS 1\.3$/);
    expect(fieldsOf(a, 'peer-cut-off')).toMatchObject([{ address: '127.0.0.1', message }]);
  });

  it('and hangs up without a word, as probes of ports do, is nothing to report', async () => {
    const options = { certificates: NODE_CERTIFICATES, secret: undefined, bounds: { handshakes: 2 } };
    const a = await network.node('a:1', [], options);
    for (let probes = 0; probes < 5; probes++) {
      const probe = connect(a.port, '127.0.0.1');
      await once(probe, 'connect');
      probe.end();
      await ended(probe);
    }
    await ended(tlsConnect({ port: a.port, host: '127.0.0.1', rejectUnauthorized: false }));
    await until(() => a.logger.lines.length > 0);
    expect(faults(a)).toEqual({ 'wrong-secret': 1 });
    expect(a.logger.lines).toHaveLength(1);
  });

  it('may be one of so many before its handshake: the oldest gives way', async () => {
    const a = await network.node('a:1', ['b:1'], {
      certificates: NODE_CERTIFICATES,
      secret: undefined,
      bounds: { handshakes: 3 },
    });
    const closed: number[] = [];
    const sockets: Socket[] = [];
    for (let n = 0; n < 5; n++) {
      const socket = connect(a.port, '127.0.0.1');
      await once(socket, 'connect');
      sockets.push(socket.on('error', () => undefined).on('close', () => closed.push(n)));
    }
    await until(() => closed.length === 2);
    expect(closed).toEqual([0, 1]);
    expect(faults(a)).toEqual({ 'too-many': 2 });
    expect(fieldsOf(a, 'peer-cut-off')).toMatchObject([{ reason: 'too-many', address: '127.0.0.1' }]);
    for (const socket of sockets) socket.destroy();
    const b = await secured('b:1', ['a:1']);
    await until(() => b.isConnected('a:1'));
  });

  it('and does not end its handshake in time is found slow, not to have a wrong secret', () => {
    const error = Object.assign(new Error('TLS handshake timeout'), { code: 'ERR_TLS_HANDSHAKE_TIMEOUT' });
    expect(tlsFault(error)?.reason).toBe('handshake-slow');
  });
});
