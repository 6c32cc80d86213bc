import type { Message } from '@rollcall/protocol';
import { ManualClock, ManualTimers, RecordingLogger } from '@rollcall/runtime/testing';
import { expect, it } from 'vitest';
import { ConnectionDrain } from './connection-drain.js';
import type { GrpcConnection } from './grpc-connection.js';

/** Clients as far as a drain sees them, and a drain of them. */
class World {
  readonly clock = new ManualClock();
  readonly timers = new ManualTimers(this.clock);
  readonly logger = new RecordingLogger();
  readonly connections = new Map<string, GrpcConnection>();
  readonly sent: { readonly id: string; readonly message: Message }[] = [];
  readonly drain = new ConnectionDrain(this);

  connect(id: string, version = 'Nacos-Java-Client:v3.0.3'): void {
    const send = (message: Message) => {
      this.sent.push({ id, message });
      return true;
    };
    const connection = { id, identity: { version, module: 'naming', app: '-', ip: '' }, send };
    this.connections.set(id, connection as unknown as GrpcConnection);
  }
}

it('asks every client once, naming the server to go to', () => {
  const world = new World();
  world.connect('c1');
  world.drain.begin({ ip: '10.0.0.2', port: 8848 });
  world.timers.advance(10_000);
  expect(world.sent).toHaveLength(1);
  expect(world.sent[0]?.message.type).toBe('ConnectResetRequest');
  expect(JSON.parse(world.sent[0]?.message.json ?? '')).toEqual({
    headers: {},
    requestId: '999999999',
    serverIp: '10.0.0.2',
    serverPort: '8848',
    connectionId: 'c1',
    module: 'internal',
  });
});

it('leaves members out that it does not know, and clients that are not set up', () => {
  const world = new World();
  world.connect('c1');
  world.connections.set('c2', { id: 'c2', identity: undefined } as unknown as GrpcConnection);
  world.drain.begin(undefined);
  expect(world.sent.map(({ id }) => id)).toEqual(['c1']);
  expect(world.sent[0]?.message.json).not.toContain('serverIp');
});

it('asks 100 clients every 50 ms', () => {
  const world = new World();
  for (let n = 0; n < 250; n += 1) world.connect(`c${n}`);
  world.drain.begin(undefined);
  expect(world.sent).toHaveLength(100);
  world.timers.advance(49);
  expect(world.sent).toHaveLength(100);
  world.timers.advance(1);
  expect(world.sent).toHaveLength(200);
  world.timers.advance(50);
  expect(new Set(world.sent.map(({ id }) => id)).size).toBe(250);
});

it('tells who is left, and waits until nobody is', async () => {
  const world = new World();
  world.connect('c1');
  world.connect('c2', 'Nacos-Python-Client:v3.2.0');
  world.drain.begin(undefined);
  const end = world.drain.untilEmpty(30_000);
  world.timers.advance(1500);
  world.connections.delete('c1');
  expect([...world.drain.progress.left]).toEqual([['Nacos-Python-Client:v3.2.0', 1]]);
  expect(world.drain.progress).toMatchObject({ draining: true, asked: 2 });
  world.connections.delete('c2');
  world.timers.advance(100);
  expect(await end).toBe(0);
  const events = world.logger.lines.map(({ event }) => event);
  expect(events).toEqual(['drain-started', 'drain-progress']);
});

it('gives up waiting when the time is over', async () => {
  const world = new World();
  world.connect('c1');
  world.drain.begin(undefined);
  const end = world.drain.untilEmpty(5000);
  world.timers.advance(5000);
  expect(await end).toBe(1);
});

it('waits no longer than there is another server to go to', async () => {
  const world = new World();
  world.connect('c1');
  let isOtherThere = true;
  world.drain.begin(undefined);
  const end = world.drain.untilEmpty(30_000, () => isOtherThere);
  world.timers.advance(1000);
  expect(world.drain.isDraining).toBe(true);
  isOtherThere = false;
  world.timers.advance(100);
  expect(await end).toBe(1);
});

it('ends with all its timers', () => {
  const world = new World();
  world.drain.begin(undefined);
  expect(world.drain.isDraining).toBe(true);
  world.drain.end();
  expect(world.drain.progress).toEqual({ draining: false, startedAt: undefined, asked: 0, left: new Map() });
  expect(world.timers.size).toBe(0);
});
