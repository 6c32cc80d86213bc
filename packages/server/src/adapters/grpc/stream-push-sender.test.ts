import { beforeEach, describe, expect, it } from 'vitest';
import { CoreFixture, hostOf, serviceOf } from '../../testing/core-fixture.js';
import type { GrpcConnection } from './grpc-connection.js';
import { GrpcCounters } from './grpc-counters.js';
import { PushBacklog } from './push-backlog.js';
import type { StreamPush } from './stream-push.js';
import { StreamPushSender } from './stream-push-sender.js';

/** A connection of which only the sending side is there. */
class Receiver {
  readonly pushes = new PushBacklog(3000);
  readonly received: Uint8Array[] = [];
  waitingBytes = 0;

  sendShared({ bytes }: { readonly bytes: Uint8Array }): boolean {
    this.received.push(bytes);
    return true;
  }

  get texts(): string[] {
    return this.received.map((bytes) => new TextDecoder().decode(bytes));
  }
}

const orders = serviceOf('orders');
let registry: CoreFixture;
let receivers: Map<string, Receiver>;
let sender: StreamPushSender;
let turns: (() => void)[];
let afterWrites: (() => void)[];
const counters = new GrpcCounters();
const turn = () => turns.shift()?.();
const asConnection = (receiver: Receiver | undefined) => receiver as unknown as GrpcConnection;

beforeEach(() => {
  registry = new CoreFixture();
  receivers = new Map();
  turns = [];
  afterWrites = [];
  sender = new StreamPushSender(
    {
      core: registry.core,
      now: () => registry.clock.now(),
      step: (input) => registry.step(input),
      commit: () => Promise.reject(new Error('Nothing is durable here')),
      afterJournal: (callback) => callback(),
      awaitSubscribers: () => Promise.reject(new Error('Nobody waits here')),
    },
    {
      connections: receivers as unknown as ReadonlyMap<string, GrpcConnection>,
      counters,
      pushAheadBytes: 1000,
      nextTurn: (callback) => turns.push(callback),
      afterWrites: (callback) => afterWrites.push(callback),
    },
  );
});

function subscribe(count: number, clusters = ''): Receiver[] {
  return Array.from({ length: count }, (_, i) => {
    const connection = `${clusters}${i}`;
    const receiver = new Receiver();
    receivers.set(connection, receiver);
    registry.step({
      type: 'subscribe-stream',
      service: orders,
      connection,
      clusters,
      ip: '10.0.0.9',
      agent: '',
      app: '-',
    });
    return receiver;
  });
}

/** Changes the service. @returns the pushes that the core asks for */
function change(port: number): StreamPush[] {
  const before = registry.effects.length;
  registry.clock.advance(1000);
  registry.register(orders, hostOf(port));
  return registry.effects.slice(before).flatMap((effect) => (effect.type === 'push' ? [effect] : []));
}

const sendAll = (pushes: readonly StreamPush[]) => {
  for (const push of pushes) sender.send(push);
};

describe('StreamPushSender', () => {
  it('sends 100 in one turn and the others in the next ones, in order and from the same bytes', () => {
    const all = subscribe(250);
    sendAll(change(1));
    const reached = () => all.filter(({ received }) => received.length === 1).length;
    expect(reached()).toBe(100);
    turn();
    expect(reached()).toBe(200);
    turn();
    expect(reached()).toBe(250);
    expect(new Set(all.map(({ received }) => received[0])).size).toBe(1);
  });

  it('says how long it took from the change until the last list was written', () => {
    const written = () => afterWrites.splice(0).map((callback) => callback());
    const changedAndTurned = (port: number, turnCount: number) => {
      sendAll(change(port));
      for (let i = 0; i < turnCount; i++) {
        registry.clock.advance(5);
        written();
        turn();
      }
      registry.clock.advance(1);
      written();
      return counters.lastRoundMs;
    };
    subscribe(250);
    expect(changedAndTurned(1, 2)).toBe(11);
    subscribe(99, 'a');
    expect(changedAndTurned(2, 0)).toBe(1);
  });

  it('makes the bytes once for each selection of clusters', () => {
    const [plain, some] = [subscribe(3), subscribe(3, 'a')];
    sendAll(change(1));
    expect(new Set([...plain, ...some].map(({ received }) => received[0])).size).toBe(2);
  });

  it('BR-078 postpones the pushes of a receiver that lags behind, and sends the newest list when it has caught up', () => {
    const [lagging, other] = subscribe(2) as [Receiver, Receiver];
    lagging.waitingBytes = 1001;
    const pushes = change(1);
    sendAll(pushes);
    registry.step({ type: 'stream-ack', connection: '1', number: pushes[1]?.number as number, success: true });
    sendAll(change(2));
    expect([lagging.received.length, other.received.length]).toEqual([0, 2]);
    lagging.waitingBytes = 0;
    sender.resume(asConnection(lagging));
    expect(lagging.texts).toHaveLength(1);
    expect(lagging.texts[0]).toContain('10.0.0.2');
    sender.resume(asConnection(lagging));
    expect(lagging.texts).toHaveLength(1);
  });

  it('sends no more than may be unacknowledged, and goes on with each acknowledgement', () => {
    const [receiver] = subscribe(1) as [Receiver];
    const pushes = Array.from({ length: 20 }, (_, i) => {
      const other = serviceOf(`s${i}`);
      registry.step({
        type: 'subscribe-stream',
        service: other,
        connection: '0',
        clusters: '',
        ip: '10.0.0.9',
        agent: '',
        app: '-',
      });
      const before = registry.effects.length;
      registry.register(other, hostOf(i));
      return registry.effects.slice(before).flatMap((effect) => (effect.type === 'push' ? [effect] : []));
    }).flat();
    sendAll(pushes);
    const sent = receiver.received.length;
    expect(sent).toBeGreaterThan(1);
    expect(receiver.received.reduce((bytes, { length }) => bytes + length, 0)).toBeLessThanOrEqual(3000);
    registry.clock.advance(700);
    expect(receiver.pushes.waitsMs(registry.clock.now().mono)).toBe(700);
    // Those that were not sent yet are acknowledged the next time.
    for (const { number } of [...pushes, ...pushes]) sender.acknowledge(asConnection(receiver), number);
    expect(receiver.received).toHaveLength(20);
    expect(receiver.pushes.waitsMs(registry.clock.now().mono)).toBe(0);
  });

  it('sends a list that is larger than all that may be unacknowledged, alone', () => {
    const backlog = new PushBacklog(10);
    expect(backlog.hasRoomFor(11)).toBe(true);
    subscribe(1);
    backlog.add(change(1)[0] as StreamPush, 11);
    expect(backlog.hasRoomFor(1)).toBe(false);
  });
});
