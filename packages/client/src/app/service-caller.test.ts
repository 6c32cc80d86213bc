import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serviceKey } from '@rollcall/protocol';
import { systemClock } from '@rollcall/runtime';
import { type Dispatcher, request } from 'undici';
import { afterEach, expect, test } from 'vitest';
import type { ClientError } from '../core/client-error.js';
import { type Instance, registeredInstance } from '../core/instance.js';
import { LiveView } from './live-view.js';
import type { CallReport } from './routed-request.js';
import { leastActive } from './selection/least-active.js';
import { roundRobin } from './selection/round-robin.js';
import { type ServiceCaller, serviceCaller } from './service-caller.js';
import { type ServiceCallOptions, ServiceInterceptor } from './service-interceptor.js';

const ended: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

async function listening(answer: RequestListener): Promise<number> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ended.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** A port on which nobody listens. */
async function refusing(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const instance = (port: number, weight = 1): Instance => ({
  id: '',
  ...registeredInstance({ ip: '127.0.0.1', port, weight }),
});

/** A caller whose one service has these instances. */
function caller(instances: readonly Instance[] | 'later', options: ServiceCallOptions = {}) {
  const reports: CallReport[] = [];
  let view: LiveView | undefined;
  const subscribe = (name: unknown): LiveView => {
    view = new LiveView({
      service: serviceKey('public', 'DEFAULT_GROUP', String(name)),
      clusters: [],
      strategy: roundRobin(),
      closed: () => {},
      listenerFailed: () => {},
    });
    if (instances !== 'later') take(instances);
    return view;
  };
  const take = (list: readonly Instance[]) => view?.take(list, { added: list, removed: [], modified: [] }, 'server');
  const made: ServiceCaller = serviceCaller(
    { subscribe },
    { reported: (report) => reports.push(report), strategy: roundRobin(), ...options },
  );
  ended.push(() => made.close());
  return { ...made, reports, take };
}

const bodyOf = async (caller: ServiceCaller, init?: { method: string; body?: string }): Promise<string> =>
  (await caller.fetch('http://orders/path', init)).text();

test('a service name in the URL goes to its instances, any other host where it says', async () => {
  const port = await listening((request, response) => response.end(`${request.url} ${request.headers.host}`));
  const calls = caller([instance(port)]);
  expect(await bodyOf(calls)).toBe(`/path 127.0.0.1:${port}`);
  expect(await (await calls.fetch(`http://127.0.0.1:${port}/direct`)).text()).toBe(`/direct 127.0.0.1:${port}`);
  const answer = await request('http://orders/other?a=1', { dispatcher: calls.dispatcher });
  expect(await answer.body.text()).toBe(`/other?a=1 127.0.0.1:${port}`);
});

test.each(['::1', '[::1]'])('BR-150 an instance is called at IPv6 %s', async (ip) => {
  const port = await refusing();
  const calls = caller([{ ...instance(port), ip }]);
  const error = (await calls.fetch('http://orders/path').catch((reason: unknown) => reason)) as Error;
  // Whether this machine has IPv6 or not, somebody tried to connect to it.
  expect(error.cause).toMatchObject({ syscall: 'connect', address: '::1', port });
});

test('an instance that refuses connections costs an idempotent request another try, which is reported', async () => {
  const port = await listening((_request, response) => response.end('here'));
  const gone = await refusing();
  const calls = caller([instance(gone), instance(port)]);
  for (let i = 0; i < 4; i++) expect(await bodyOf(calls)).toBe('here');
  expect(calls.reports.length).toBeGreaterThan(0);
  for (const report of calls.reports)
    expect(report).toMatchObject({
      type: 'retried',
      instance: { port: gone },
      attempt: 1,
      error: { code: 'ECONNREFUSED' },
    });
});

test('what is not idempotent is not sent twice', async () => {
  let requests = 0;
  const port = await listening((_request, response) => {
    requests++;
    response.end('here');
  });
  const calls = caller([instance(await refusing()), instance(port)]);
  const results = await Promise.allSettled([1, 2].map(() => bodyOf(calls, { method: 'POST', body: 'x' })));
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect([requests, calls.reports]).toEqual([1, []]);
});

test('an answer that broke off is not asked for again: the work may be done', async () => {
  let requests = 0;
  const port = await listening((_request, response) => {
    requests++;
    response.socket?.destroy();
  });
  const calls = caller([instance(port), instance(port + 1)], {
    strategy: (list) => () => list.find((each) => each.port === port),
  });
  await expect(bodyOf(calls)).rejects.toThrow();
  expect([requests, calls.reports]).toEqual([1, []]);
});

test('tries end: when all refuse, the caller gets the error of the last', async () => {
  const ports = await Promise.all([refusing(), refusing(), refusing(), refusing()]);
  const calls = caller(
    ports.map((port) => instance(port)),
    { attempts: 3 },
  );
  const error = await bodyOf(calls).catch((thrown: Error) => thrown);
  expect((error as Error).cause).toMatchObject({ code: 'ECONNREFUSED' });
  expect(calls.reports).toHaveLength(2);
});

test('no instance, and no list in time, are said so', async () => {
  const none = caller([]);
  const code = async (of: Promise<unknown>): Promise<unknown> =>
    of.catch((error: Error) => (error.cause as ClientError).code);
  expect(await code(bodyOf(none))).toBe('no-instance');
  const never = caller('later', { firstListTimeoutMs: 30 });
  expect(await code(bodyOf(never))).toBe('deadline-exceeded');
});

test('a request waits for the first list', async () => {
  const port = await listening((_request, response) => response.end('here'));
  const calls = caller('later');
  const body = bodyOf(calls);
  await new Promise(setImmediate);
  calls.take([instance(port)]);
  expect(await body).toBe('here');
});

test('an instance that fails again and again is left out, and only with ejection', async () => {
  const good = await listening((_request, response) => response.end('good'));
  const bad = await listening((_request, response) => response.writeHead(500).end('bad'));
  const instances = [instance(good), instance(bad)];
  const bodies = async (calls: ServiceCaller): Promise<string[]> => {
    const all: string[] = [];
    for (let i = 0; i < 20; i++) all.push(await bodyOf(calls));
    return all;
  };
  expect((await bodies(caller(instances))).filter((body) => body === 'bad')).toHaveLength(10);
  const calls = caller(instances, { ejection: { failures: 3 } });
  expect((await bodies(calls)).filter((body) => body === 'bad')).toHaveLength(3);
  expect(calls.reports).toMatchObject([{ type: 'ejected', instance: { port: bad }, ejectionMs: 30_000 }]);
});

test('least active counts calls that are under way, and forgets those that ended or failed', async () => {
  const busy = leastActive();
  let release = (): void => {};
  const slow = await listening((_request, response) => {
    release = () => response.end('slow');
  });
  const quick = await listening((_request, response) => response.end('quick'));
  const [one, other] = [instance(slow), instance(quick)];
  const calls = caller([one, other], { strategy: undefined, leastActive: busy });
  const waiting = bodyOf(calls);
  while (busy.active(one) === 0) await new Promise(setImmediate);
  for (let i = 0; i < 5; i++) expect(await bodyOf(calls)).toBe('quick');
  release();
  expect(await waiting).toBe('slow');
  await expect(
    bodyOf(caller([instance(await refusing())], { strategy: undefined, leastActive: busy })),
  ).rejects.toThrow();
  expect([busy.active(one), busy.active(other)]).toEqual([0, 0]);
});

test('a listener that throws breaks no request', async () => {
  const port = await listening((_request, response) => response.end('here'));
  const reported = (): void => {
    throw new Error('listener');
  };
  const calls = caller([instance(await refusing()), instance(port)], { reported });
  for (let i = 0; i < 2; i++) expect(await bodyOf(calls)).toBe('here');
});

test('finding the instance costs a call less than 20 µs', () => {
  const list = Array.from({ length: 100 }, (_, i) => instance(1000 + i, 1 + (i % 3)));
  const view = new LiveView({
    service: serviceKey('public', 'DEFAULT_GROUP', 'orders'),
    clusters: [],
    strategy: roundRobin(),
    closed: () => {},
    listenerFailed: () => {},
  });
  view.take(list, { added: list, removed: [], modified: [] }, 'server');
  const routing = new ServiceInterceptor({ subscribe: () => view }, { ejection: {} }, systemClock);
  const controller = {} as Dispatcher.DispatchController;
  const dispatch = routing.intercept((_request, handler) => {
    handler.onResponseStart?.(controller, 200, {}, 'OK');
    handler.onResponseEnd?.(controller, {});
    return true;
  });
  const batches = Array.from({ length: 30 }, () => {
    const before = process.cpuUsage();
    for (let i = 0; i < 2000; i++)
      dispatch({ origin: 'http://orders', path: '/', method: 'GET' }, { onResponseEnd() {} });
    return process.cpuUsage(before).user / 2000;
  });
  expect(Math.min(...batches)).toBeLessThan(20);
});
