// The gRPC side over real sockets, driven by Node's own HTTP/2 client.

import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { type AddressInfo, connect as connectTcp, createServer, type Server } from 'node:net';
import { frameMessage, type ServiceKey } from '@rollcall/protocol';
import { ManualTimers, RecordingLogger } from '@rollcall/runtime/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RegistryEvent } from '../../core/registry-event.js';
import { CoreFixture, hostOf, serviceOf } from '../../testing/core-fixture.js';
import type { AwaitedSubscribers } from '../registry-access.js';
import { type ClientStream, call, messageOf, type Received, setUp } from './grpc-client.test-support.js';
import { GrpcService } from './grpc-service.js';
import { DEFAULT_GRPC_SETTINGS } from './grpc-settings.js';

const orders = serviceOf('orders');
const INSTANCE = { ip: '10.0.0.1', port: 8080, clusterName: 'DEFAULT' };
const named = { namespace: 'public', serviceName: 'orders', groupName: 'DEFAULT_GROUP' };

/** A service on a free port; pushes of the core go to it. */
class World {
  readonly registry = new CoreFixture();
  readonly timers = new ManualTimers(this.registry.clock);
  readonly service: GrpcService;
  readonly server: Server;
  readonly sessions: ClientHttp2Session[] = [];
  #listener: ((event: RegistryEvent) => void) | undefined;
  #seen = 0;
  #wait: ((outcome: AwaitedSubscribers) => void) | undefined;

  constructor() {
    const { registry } = this;
    this.service = new GrpcService({
      logger: new RecordingLogger(),
      clock: registry.clock,
      timers: this.timers,
      settings: { ...DEFAULT_GRPC_SETTINGS, idleMs: 20_000, detectionMs: 5_000 },
      registry: {
        core: registry.core,
        now: () => registry.clock.now(),
        step: (input) => {
          const result = registry.step(input);
          this.#perform();
          return result;
        },
        commit: async (actor, plan) => void registry.step({ type: 'store', changes: plan(registry.core), actor }),
        afterJournal: (callback) => callback(),
        awaitSubscribers: (service, waitMs) => this.#awaitSubscribers(service, waitMs),
        onEvent: (listener) => {
          this.#listener = listener;
          return () => undefined;
        },
      },
    });
    this.server = createServer((socket) =>
      socket.once('data', (bytes: Buffer) => this.service.transport.accept(socket, bytes)),
    );
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  client(): ClientHttp2Session {
    const session = connect(`http://127.0.0.1:${this.port}`);
    session.on('error', () => undefined);
    this.sessions.push(session);
    return session;
  }

  /** Time goes on to the next deadline, as it does by itself in a running server. */
  tick(): void {
    this.registry.step({ type: 'tick' });
    this.#perform();
  }

  #awaitSubscribers(service: ServiceKey, waitMs: number): Promise<AwaitedSubscribers> {
    return new Promise((resolve) => {
      this.#wait = resolve;
      this.registry.step({ type: 'await-subscribers', id: 1, service, waitMs });
      this.#perform();
    });
  }

  #perform(): void {
    for (const effect of this.registry.effects.slice(this.#seen)) {
      if (effect.type === 'subscribers-awaited') this.#wait?.(effect);
      if (effect.type === 'push') this.service.pushSender.send(effect);
      if (effect.type === 'event') this.#listener?.(effect.event);
    }
    this.#seen = this.registry.effects.length;
  }
}

let world: World;

beforeEach(async () => {
  world = new World();
  await new Promise<void>((resolve) => world.server.listen(0, '127.0.0.1', resolve));
});

afterEach(() => {
  for (const session of world.sessions) session.destroy();
  world.service.transport.close('server-stops');
  world.server.close();
});

const deregistration = (headers: Record<string, string>) =>
  messageOf('InstanceRequest', { ...named, headers, type: 'deregisterInstance', instance: INSTANCE });

it('registers for a connection, lists, and removes when the connection ends', async () => {
  const session = world.client();
  await setUp(session);
  const register = { ...named, type: 'registerInstance', instance: INSTANCE };
  expect(await call(session, messageOf('InstanceRequest', register))).toMatchObject({
    type: 'InstanceResponse',
    body: { resultCode: 200, type: 'registerInstance' },
  });
  expect(await call(session, messageOf('ServiceQueryRequest', named))).toMatchObject({
    body: { serviceInfo: { hosts: [{ ip: '10.0.0.1', port: 8080, healthy: true }] } },
  });
  session.destroy();
  await expect.poll(() => world.registry.list(orders)).toEqual([]);
});

it('pushes a change to a subscriber and takes its acknowledgement', async () => {
  const session = world.client();
  const { stream, messages } = await setUp(session);
  await call(session, messageOf('SubscribeServiceRequest', { ...named, subscribe: true, clusters: '' }));
  const other = world.client();
  await setUp(other);
  await call(other, messageOf('InstanceRequest', { ...named, type: 'registerInstance', instance: INSTANCE }));
  await expect.poll(() => messages.length).toBe(1);
  const push = messages[0] as Received;
  expect(push).toMatchObject({
    type: 'NotifySubscriberRequest',
    body: { serviceInfo: { hosts: [{ ip: '10.0.0.1' }] } },
  });
  const { requestId } = push.body;
  stream.write(messageOf('NotifySubscriberResponse', { requestId, resultCode: 200 }));
  await expect.poll(() => world.registry.core.counts.outstandingPushes).toBe(0);
});

it('answers before the setup only what needs none', async () => {
  const session = world.client();
  expect(await call(session, messageOf('ServerCheckRequest', {}))).toMatchObject({ type: 'ServerCheckResponse' });
  expect(await call(session, messageOf('HealthCheckRequest', {}))).toMatchObject({ body: { errorCode: 301 } });
  expect(await call(session, messageOf('NoSuchRequest', {}))).toMatchObject({ body: { errorCode: 302 } });
});

it.each([
  ['bytes that are no payload', frameMessage(Uint8Array.of(0x12, 0xff)), '2'],
  ['a compressed message', Uint8Array.of(1, 0, 0, 0, 0), '12'],
  ['a message above the limit', Uint8Array.of(0, 0xff, 0xff, 0xff, 0xff), '8'],
  ['no message', new Uint8Array(0), '13'],
  ['two messages', new Uint8Array(10), '13'],
])('refuses %s with a status, and the connection lives', async (_, bytes, status) => {
  const session = world.client();
  expect(await call(session, bytes)).toEqual({ status });
  expect(await call(session, messageOf('ServerCheckRequest', {}))).toMatchObject({ type: 'ServerCheckResponse' });
});

/** Answers the first push and the question for a sign of life. */
async function answerPushAndDetection({ stream, messages }: ClientStream): Promise<void> {
  await expect.poll(() => messages.map(({ type }) => type)).toContain('ClientDetectionRequest');
  for (const { type, body } of messages)
    stream.write(messageOf(type.replace('Request', 'Response'), { requestId: body.requestId, resultCode: 200 }));
  await expect.poll(() => world.registry.core.counts.outstandingPushes).toBe(0);
}

it('BR-077 ends a silent client with a status that is not 0, after asking it, and tells its subscribers', async () => {
  const session = world.client();
  const { stream, messages } = await setUp(session);
  const watching = world.client();
  const watcher = await setUp(watching);
  await call(watching, messageOf('SubscribeServiceRequest', { ...named, subscribe: true, clusters: '' }));
  const trailers = once(stream, 'trailers');
  await call(session, messageOf('InstanceRequest', { ...named, type: 'registerInstance', instance: INSTANCE }));
  world.registry.clock.advance(20_000);
  await expect.poll(() => messages.map(({ type }) => type)).toContain('ClientDetectionRequest');
  expect(world.registry.list(orders)).toEqual(['10.0.0.1:8080/DEFAULT']);
  await answerPushAndDetection(watcher);
  world.registry.clock.advance(5_000);
  const [{ 'grpc-status': status }] = await trailers;
  expect(status).toBe('14');
  expect(world.registry.list(orders)).toEqual([]);
  await expect.poll(() => watcher.messages.at(-1)?.body.serviceInfo?.hosts).toEqual([]);
});

it('closes a connection that never sets up once it has been silent for the idle time', async () => {
  const session = world.client();
  await call(session, messageOf('ServerCheckRequest', {}));
  const closed = once(session, 'close');
  world.registry.clock.advance(20_000);
  await closed;
  expect(world.service.connections.size).toBe(0);
});

it('closes a connection on which garbage follows the preface', async () => {
  const socket = connectTcp(world.port, '127.0.0.1');
  const closed = once(socket, 'close');
  socket.on('error', () => undefined);
  socket.on('data', () => undefined);
  socket.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), Buffer.alloc(40, 0xff)]));
  await closed;
  await expect.poll(() => world.service.connections.size).toBe(0);
  expect(world.service.counters.closed).toEqual(new Map([['frame-size-error', 1]]));
});

it('shows an HTTP registration to a subscriber of the other protocol', async () => {
  const session = world.client();
  await setUp(session);
  world.registry.register(orders, hostOf(7));
  expect(await call(session, messageOf('ServiceQueryRequest', named))).toMatchObject({
    body: { serviceInfo: { hosts: [{ ip: '10.0.0.7' }] } },
  });
});

describe('a deregistration that waits', () => {
  async function publisherAndSubscriber() {
    const publisher = world.client();
    await setUp(publisher);
    await call(publisher, messageOf('InstanceRequest', { ...named, type: 'registerInstance', instance: INSTANCE }));
    const subscriber = world.client();
    const { stream, messages } = await setUp(subscriber);
    await call(subscriber, messageOf('SubscribeServiceRequest', { ...named, subscribe: true, clusters: '' }));
    return { publisher, stream, messages };
  }

  it('is answered once the subscribers know', async () => {
    const { publisher, stream, messages } = await publisherAndSubscriber();
    const answer = call(publisher, deregistration({ awaitSubscribersMs: '5000' }));
    await expect.poll(() => messages.length).toBe(1);
    expect(messages[0]?.body.serviceInfo.hosts).toEqual([]);
    const { requestId } = (messages[0] as Received).body;
    stream.write(messageOf('NotifySubscriberResponse', { requestId, resultCode: 200 }));
    expect(await answer).toEqual({
      type: 'InstanceResponse',
      body: {
        resultCode: 200,
        errorCode: 0,
        type: 'deregisterInstance',
        subscribers: { acknowledged: 1, pending: 0, waitedMs: 0 },
        success: true,
      },
    });
  });

  it('is answered when the time is over', async () => {
    const { publisher, messages } = await publisherAndSubscriber();
    const answer = call(publisher, deregistration({ AwaitSubscribersMs: '200' }));
    await expect.poll(() => messages.length).toBe(1);
    world.registry.clock.advance(200);
    world.tick();
    expect(await answer).toMatchObject({ body: { subscribers: { acknowledged: 0, pending: 1, waitedMs: 200 } } });
  });

  it('is answered at once without the header, and without its member', async () => {
    const { publisher } = await publisherAndSubscriber();
    const answer = (await call(publisher, deregistration({}))) as Received;
    expect(answer.body).toEqual({ resultCode: 200, errorCode: 0, type: 'deregisterInstance', success: true });
  });

  it.each(['-1', 'x', '30001'])(
    'is refused in its own class when it asks for "%s", and changes nothing',
    async (text) => {
      const { publisher } = await publisherAndSubscriber();
      expect(await call(publisher, deregistration({ awaitSubscribersMs: text }))).toMatchObject({
        type: 'InstanceResponse',
        body: { resultCode: 500, errorCode: 400, success: false },
      });
      expect(world.registry.list(orders)).toEqual(['10.0.0.1:8080/DEFAULT']);
    },
  );

  it('comes in batches, too', async () => {
    const { publisher, messages } = await publisherAndSubscriber();
    const batch = { ...named, type: 'batchRegisterInstance', instances: [], headers: { awaitSubscribersMs: '0' } };
    const answer = call(publisher, messageOf('BatchInstanceRequest', batch));
    await expect.poll(() => messages.length).toBe(1);
    world.tick();
    expect(await answer).toMatchObject({
      type: 'BatchInstanceResponse',
      body: { subscribers: { acknowledged: 0, pending: 1, waitedMs: 0 } },
    });
  });
});

describe('a drain', () => {
  it('asks clients to leave and sends new ones away, until it ends', async () => {
    const session = world.client();
    const { messages } = await setUp(session);
    world.service.drain.begin({ ip: '10.0.0.2', port: 8848 });
    await expect.poll(() => messages.map(({ type }) => type)).toEqual(['ConnectResetRequest']);
    const other = world.client();
    const refusal = { type: 'ErrorResponse', body: { errorCode: 300, success: false } };
    expect(await call(other, messageOf('ServerCheckRequest', {}))).toMatchObject(refusal);
    expect(await call(session, messageOf('HealthCheckRequest', {}))).toMatchObject({ type: 'HealthCheckResponse' });
    await call(session, messageOf('InstanceRequest', { ...named, type: 'registerInstance', instance: INSTANCE }));
    session.destroy();
    await expect.poll(() => world.service.drain.progress.left.size).toBe(0);
    // Its client is on its way to another server: what it published is not gone.
    expect(world.registry.list(orders)).toEqual(['10.0.0.1:8080/DEFAULT']);
    world.service.drain.end();
    expect(await call(other, messageOf('ServerCheckRequest', {}))).toMatchObject({ type: 'ServerCheckResponse' });
  });
});

it('keeps what clients published when the server stops', async () => {
  const session = world.client();
  await setUp(session);
  await call(session, messageOf('InstanceRequest', { ...named, type: 'registerInstance', instance: INSTANCE }));
  world.service.transport.close('server-stops');
  await expect.poll(() => world.service.connections.size).toBe(0);
  expect(world.registry.list(orders)).toEqual(['10.0.0.1:8080/DEFAULT']);
});
