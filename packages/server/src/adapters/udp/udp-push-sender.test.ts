import { gunzipSync } from 'node:zlib';
import { ManualTimers } from '@rollcall/runtime/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { CoreFixture, contentOf, hostOf, metadataOf, serviceOf, TESTER } from '../../testing/core-fixture.js';
import { coreAccess } from './core-access.test-support.js';
import type { DatagramPeer } from './push-socket.js';
import { UdpCounters } from './udp-counters.js';
import { UdpPushSender } from './udp-push-sender.js';

const orders = serviceOf('orders');
const JAVA = 'Nacos-Java-Client:v1.4.8';

let registry: CoreFixture;
let timers: ManualTimers;
let counters: UdpCounters;
let sender: UdpPushSender;
let sent: { bytes: Buffer; shared: Buffer; peer: DatagramPeer }[];
let turns: (() => void)[];
let waiting: number;
/** What the system answers to a send. */
let outcome: (peer: DatagramPeer) => NodeJS.ErrnoException | null;
let handed: number;

beforeEach(() => {
  registry = new CoreFixture();
  timers = new ManualTimers(registry.clock);
  counters = new UdpCounters();
  sent = [];
  turns = [];
  waiting = 0;
  handed = 0;
  outcome = () => null;
  sender = new UdpPushSender({
    registry: coreAccess(registry),
    counters,
    timers,
    endOfTurn: (callback) => void turns.push(callback),
    socket: {
      get waiting() {
        return waiting;
      },
      send: (parts, { ip, port }, done) => {
        sent.push({ bytes: Buffer.concat([...parts]), shared: parts[0] as Buffer, peer: { ip, port } });
        done(outcome({ ip, port }));
      },
    },
  });
});

function subscribe(port: number, fields: { ip?: string; clusters?: string; agent?: string } = {}) {
  const query = { ip: '10.0.0.9', port, clusters: '', agent: JAVA, app: '', ...fields };
  registry.step({ type: 'subscribe-udp', service: orders, query, answerEmpty: true, actor: TESTER });
}

/** Hands the core's new pushes over. */
function handOver() {
  for (const push of registry.pushes().slice(handed)) sender.send(push);
  handed = registry.pushes().length;
}

/** Ends one turn of the event loop. */
function endTurn() {
  for (const callback of turns.splice(0)) callback();
}

const failure = (code: string) => Object.assign(new Error(code), { code });
const listIn = (bytes: Buffer) => {
  const packet = JSON.parse((bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString());
  return JSON.parse(packet.data);
};

describe('the sender', () => {
  it('tells how long a round took', () => {
    for (let port = 1; port <= 100; port += 1) subscribe(port);
    registry.register(orders, hostOf(1));
    handOver();
    while (turns.length > 0) {
      endTurn();
      registry.clock.advance(7);
    }
    expect(sent).toHaveLength(100);
    expect(counters.lastRoundMs).toBe(21);
  });

  it('sends at the end of the turn, and thousands in slices', () => {
    for (let port = 1; port <= 100; port += 1) subscribe(port);
    registry.register(orders, hostOf(1));
    handOver();
    expect(sent).toEqual([]);
    const counts = [1, 2, 3, 4].map(() => {
      endTurn();
      return sent.length;
    });
    expect(counts).toEqual([32, 64, 96, 100]);
    expect(turns).toEqual([]);
    expect(new Set(sent.map(({ peer }) => peer.port)).size).toBe(100);
    expect(counters).toMatchObject({ datagrams: 100, needless: 0 });
  });

  it('encodes once per form of the list', () => {
    for (let port = 1; port <= 10; port += 1) {
      subscribe(port);
      subscribe(port, { clusters: 'c1' });
      subscribe(port, { agent: 'Nacos-Go-Client:v1.1.0' });
    }
    registry.register(orders, hostOf(1));
    handOver();
    endTurn();
    expect(sent).toHaveLength(30);
    expect(new Set(sent.map(({ shared }) => shared)).size).toBe(3);
    const shown = new Set(sent.map(({ bytes }) => JSON.stringify([listIn(bytes).clusters, listIn(bytes).dom])));
    expect([...shown].sort()).toEqual([
      '["","DEFAULT_GROUP@@orders"]',
      '["","orders"]',
      '["c1","DEFAULT_GROUP@@orders"]',
    ]);
  });

  it('gives the system time when it has no room', () => {
    for (let port = 1; port <= 40; port += 1) subscribe(port);
    registry.register(orders, hostOf(1));
    handOver();
    waiting = 1001;
    endTurn();
    expect(turns).toEqual([]);
    expect(sent).toHaveLength(32);
    timers.advance(5);
    expect(sent).toHaveLength(40);
  });

  it('leaves out who has gone or has acknowledged meanwhile', () => {
    subscribe(1);
    subscribe(2);
    registry.register(orders, hostOf(1));
    handOver();
    registry.step({ type: 'push-ack', ips: ['10.0.0.9'], port: 1, number: registry.pushes()[0]?.number ?? 0 });
    endTurn();
    expect(sent.map(({ peer }) => peer.port)).toEqual([2]);
    expect(counters.needless).toBe(1);
  });

  it('tells the core of errors of the system, and sends to everybody else', () => {
    for (const port of [1, 2, 3, 4]) subscribe(port);
    outcome = ({ port }) =>
      port === 1 ? failure('EINVAL') : port === 2 ? failure('ENOBUFS') : port === 3 ? failure('EMSGSIZE') : null;
    registry.register(orders, hostOf(1));
    handOver();
    endTurn();
    expect(sent).toHaveLength(4);
    expect(registry.events('push-failed')).toMatchObject([
      { subscriber: '10.0.0.9:1', reason: 'socket-error' },
      { subscriber: '10.0.0.9:2', reason: 'socket-error' },
      { subscriber: '10.0.0.9:3', reason: 'too-large' },
    ]);
    expect([...counters.socketErrors]).toEqual([
      ['EINVAL', 1],
      ['ENOBUFS', 1],
      ['EMSGSIZE', 1],
    ]);
    // What can be sent is sent once more, like that which nobody acknowledged; the third waits for the next change.
    registry.advance(10_000);
    handOver();
    endTurn();
    expect(
      sent
        .slice(4)
        .map(({ peer }) => peer.port)
        .sort(),
    ).toEqual([1, 2, 4]);
  });

  it('does not send what no datagram can hold, and the next smaller list is sent again', () => {
    subscribe(1);
    const noise = (bytes: number) => {
      let text = '';
      for (let n = 1; text.length < bytes; n += 1) text += Math.imul(n * 7919, 2_654_435_761).toString(36);
      return metadataOf({ noise: text.slice(0, bytes) });
    };
    const large = [1, 2].map((n) => ({ address: hostOf(n), metadata: noise(60_000 + n) }));
    for (const { address, metadata } of large) registry.register(orders, address, contentOf({ metadata }));
    handOver();
    endTurn();
    registry.step({ type: 'push-ack', ips: ['10.0.0.9'], port: 1, number: registry.pushes()[0]?.number ?? 0 });
    registry.advance(100);
    handOver();
    endTurn();
    expect(sent).toHaveLength(1);
    expect(sent[0]?.bytes.length).toBeLessThan(65_507);
    expect(counters.tooLarge).toBe(1);
    expect(registry.events('push-failed')).toMatchObject([{ reason: 'too-large' }]);
    expect(registry.core.counts.outstandingPushes).toBe(0);
    registry.advance(100);
    registry.deregister(orders, hostOf(2));
    handOver();
    endTurn();
    expect(sent).toHaveLength(2);
    expect(listIn(sent[1]?.bytes as Buffer).hosts).toHaveLength(1);
  });

  it('sends nothing after its stop', () => {
    for (let port = 1; port <= 40; port += 1) subscribe(port);
    registry.register(orders, hostOf(1));
    handOver();
    endTurn();
    sender.stop();
    endTurn();
    expect(sent).toHaveLength(32);
  });
});
