import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { CoreFixture, hostOf, serviceOf, TESTER } from '../../testing/core-fixture.js';
import { coreAccess } from './core-access.test-support.js';
import { UdpAckReceiver } from './udp-ack-receiver.js';
import { UdpCounters } from './udp-counters.js';

const orders = serviceOf('orders');
const HOST = ['127.0.0.1', '10.0.0.9'];
const RUNS = Number(process.env.UDP_FUZZ_DATAGRAMS ?? 3000);

let registry: CoreFixture;
let counters: UdpCounters;
let receiver: UdpAckReceiver;
let number: number;

beforeEach(() => {
  registry = new CoreFixture();
  counters = new UdpCounters();
  const hosts = { sameHost: (ip: string) => (HOST.includes(ip) ? [ip, ...HOST] : [ip]) };
  receiver = new UdpAckReceiver({ registry: coreAccess(registry), hosts, counters });
  const query = { ip: '10.0.0.9', port: 5000, clusters: '', agent: 'Nacos-Java-Client:v1.4.8', app: '' };
  registry.step({ type: 'subscribe-udp', service: orders, query, answerEmpty: true, actor: TESTER });
  registry.register(orders, hostOf(1));
  number = registry.pushes()[0]?.number as number;
});

const pending = () => registry.core.counts.outstandingPushes;
const take = (text: string, ip = '10.0.0.9', port = 5000) => receiver.take(Buffer.from(text), { ip, port });

describe('an acknowledgement', () => {
  it.each([
    ['of the Java client', (n: number) => `{"type": "push-ack", "lastRefTime":"${n}", "data":""}`],
    ['of the npm client', (n: number) => `{"type":"push-ack","lastRefTime":${n},"data":""}`],
    ['of an unknown type', (n: number) => `{"type": "unknown-ack", "lastRefTime":"${n}", "data":""}`],
  ])('%s is taken', (_, textOf) => {
    take(textOf(number));
    expect(pending()).toBe(0);
  });

  it('is taken from another address of this host, and from an IPv4 address written as IPv6', () => {
    take(`{"lastRefTime":${number}}`, '127.0.0.1');
    expect(pending()).toBe(0);
    registry.advance(100);
    registry.register(orders, hostOf(2));
    take(`{"lastRefTime":${registry.pushes()[1]?.number}}`, '::ffff:10.0.0.9');
    expect(pending()).toBe(0);
  });

  it('with a wrong number, port or address changes nothing', () => {
    const before = registry.effects.length;
    take(`{"lastRefTime":${number + 1}}`);
    take(`{"lastRefTime":${number}}`, '10.0.0.9', 5001);
    take(`{"lastRefTime":${number}}`, '10.0.0.8');
    take(`{"lastRefTime":9007199254740993}`);
    expect(registry.effects.length).toBe(before);
    expect(pending()).toBe(1);
    expect(counters).toMatchObject({ received: 4, oversized: 0, unreadable: 1 });
  });
});

describe('anything else on the port', () => {
  it('that is larger than an acknowledgement is dropped unread, a gzip bomb of 65,507 bytes too', () => {
    const bomb = gzipSync(Buffer.alloc(60_000_000)).subarray(0, 65_507);
    const large = Buffer.alloc(65_507, ' ');
    large.write(`{"lastRefTime":${number}}`);
    for (const bytes of [bomb, large, Buffer.alloc(1025)]) receiver.take(bytes, { ip: '10.0.0.9', port: 5000 });
    expect(counters).toMatchObject({ received: 3, oversized: 3 });
    expect(pending()).toBe(1);
  });

  it('never throws and never acknowledges', () => {
    const piece = fc.constantFrom(
      '"lastRefTime"',
      ':',
      '"',
      '{',
      '}',
      ' ',
      '\0',
      '99999999999999999999',
      '1',
      '\u{1f600}',
    );
    const datagram = fc.oneof(
      fc.uint8Array({ maxLength: 1500 }),
      fc.array(piece, { maxLength: 60 }).map((pieces) => new TextEncoder().encode(pieces.join(''))),
    );
    const peer = fc.record({
      ip: fc.constantFrom('10.0.0.9', '127.0.0.1', '10.0.0.8', '::1', 'fe80::1%eth0', '::ffff:10.0.0.9'),
      port: fc.constantFrom(1, 5000, 65_535),
    });
    fc.assert(
      fc.property(datagram, peer, (bytes, from) => {
        receiver.take(bytes, from);
        expect(pending()).toBe(1);
      }),
      { numRuns: RUNS },
    );
  });
});
