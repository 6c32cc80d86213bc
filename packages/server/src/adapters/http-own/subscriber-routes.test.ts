import { DEFAULT_LIMITS, httpV1NameRules, Parameters } from '@rollcall/protocol';
import { beforeEach, expect, it } from 'vitest';
import { CoreFixture, hostOf, serviceOf, TESTER } from '../../testing/core-fixture.js';
import type { AnswerRoute } from '../http/route.js';
import { coreAccess } from '../udp/core-access.test-support.js';
import type { SubscribersAnswer } from './own-answers.js';
import { subscriberRoutes } from './subscriber-routes.js';

const orders = serviceOf('orders');
let registry: CoreFixture;
let list: (query: string) => SubscribersAnswer;

beforeEach(() => {
  registry = new CoreFixture();
  const [route] = subscriberRoutes({
    registry: { ...coreAccess(registry), onEvent: () => () => undefined },
    rules: { names: httpV1NameRules(DEFAULT_LIMITS), limits: DEFAULT_LIMITS },
    facts: () => {
      throw new Error('Not asked for');
    },
  });
  list = (query) => {
    const answer = (route as AnswerRoute).handle({
      method: 'GET',
      target: '',
      path: '',
      parameters: new Parameters(query),
      body: new Uint8Array(),
      remoteAddress: '127.0.0.1',
      memo: undefined,
      header: () => undefined,
    });
    if (answer instanceof Promise) throw new Error('Answered later');
    return JSON.parse(Buffer.from(answer.body).toString());
  };
});

function subscribe(port: number, service = orders) {
  const query = { ip: '10.0.0.9', port, clusters: 'c1', agent: 'Nacos-Java-Client:v1.4.8', app: 'shop' };
  registry.step({ type: 'subscribe-udp', service, query, answerEmpty: false, actor: TESTER });
}

it('tells what each subscriber was told and whether it answered', () => {
  const start = registry.clock.now().wall;
  subscribe(1);
  subscribe(2);
  const stream = { connection: 'c7', clusters: '', agent: 'Nacos-Java-Client:v2.5.1', app: '-', ip: '10.0.0.8' };
  registry.advance(1000);
  registry.register(orders, hostOf(1));
  registry.step({ type: 'subscribe-stream', service: orders, ...stream });
  registry.advance(5);
  const number = registry.pushes()[0]?.number as number;
  registry.step({ type: 'push-ack', ips: ['10.0.0.9'], port: 1, number });
  registry.step({ type: 'push-failed', ip: '10.0.0.9', port: 2, number, reason: 'socket-error' });
  registry.advance(10_000);
  const { count, subscribers } = list('');
  expect(count).toBe(3);
  const version = registry.core.view(orders.id)?.refTime as number;
  const pushedAt = start + 1000;
  expect(subscribers[0]).toEqual({
    namespaceId: 'public',
    groupName: 'DEFAULT_GROUP',
    serviceName: 'orders',
    transport: 'udp',
    ip: '10.0.0.9',
    port: 1,
    clusters: 'c1',
    agent: 'Nacos-Java-Client:v1.4.8',
    app: 'shop',
    version,
    knownVersion: version,
    lastQueried: start,
    lastPushed: pushedAt,
    lastAcknowledged: pushedAt + 5,
    outstanding: null,
    pushed: 1,
    resent: 0,
    givenUp: 0,
    failed: 0,
    forgottenInMs: 18_995,
  });
  expect(subscribers[1]).toMatchObject({
    port: 2,
    knownVersion: 0,
    lastPushed: pushedAt + 10_000,
    lastAcknowledged: null,
    outstanding: { version, sends: 2, waitsMs: 5 },
    pushed: 1,
    resent: 1,
    failed: 1,
  });
  expect(subscribers[2]).toMatchObject({
    transport: 'stream',
    connection: 'c7',
    knownVersion: version,
    lastPushed: null,
  });
  expect(subscribers[2]).not.toHaveProperty('forgottenInMs');
});

it('can be narrowed and paged', () => {
  for (const port of [1, 2, 3]) subscribe(port);
  subscribe(4, serviceOf('other'));
  expect(list('serviceName=orders').count).toBe(3);
  expect(list('serviceName=order').count).toBe(0);
  expect(list('groupName=nobody').count).toBe(0);
  expect(list('namespaceId=elsewhere').count).toBe(0);
  const page = list('namespaceId=*&pageNo=2&pageSize=3');
  expect(page.count).toBe(4);
  expect(page.subscribers.map(({ port }) => port)).toEqual([4]);
});
