import { createHmac } from 'node:crypto';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { serviceKey } from '@rollcall/protocol';
import { ManualClock } from '@rollcall/runtime/testing';
import { afterEach, describe, expect, test } from 'vitest';
import { registeredInstance } from '../../core/instance.js';
import { ScriptedServer, usualAnswer } from '../scripted-server.test-support.js';
import { serverAddresses } from '../server-address.js';
import type { TransportOptions } from '../transport-options.js';
import { HttpTransport } from './http-transport.js';

const ORDERS = serviceKey('n1', 'G 1', 'orders');
const INSTANCE = registeredInstance({ ip: '10.0.0.1', port: 80, cluster: 'c1', weight: 2, metadata: { k: 'ü &=+%' } });
const REGISTER = { type: 'register', service: ORDERS, instance: INSTANCE } as const;
const LIST = { type: 'list', service: ORDERS, purpose: 'once' } as const;
const BOUNDS = { timeoutMs: 10_000 };

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

async function scripted(): Promise<ScriptedServer> {
  const server = await ScriptedServer.start();
  open.push(server);
  return server;
}

function transport(servers: string, options: Partial<TransportOptions> = {}, clock = new ManualClock()) {
  const notes: string[] = [];
  const made = new HttpTransport(
    serverAddresses(servers, 'http'),
    {
      namespace: 'n1',
      app: 'unknown',
      contextPath: '/nacos',
      tls: {},
      connectTimeoutMs: 1000,
      attemptTimeoutMs: 300,
      attemptsForOneServer: 3,
      connectionsMax: 4,
      ...options,
    },
    {
      clock,
      random: () => 0,
      events: {
        pushed: () => {},
        opened: () => {},
        lost: () => {},
        unreachable: () => {},
        noted: (_level, event) => void notes.push(event),
      },
      pushTarget: () => ({ clientIp: '10.9.9.9', udpPort: 4711 }),
    },
  );
  open.push(made);
  return Object.assign(made, { notes });
}

describe('requests', () => {
  test('a registration has the parameters of the Java client, in the query, and no body', async () => {
    const server = await scripted();
    await transport(server.address).call(REGISTER, BOUNDS);
    const [request] = server.received;
    expect(request).toMatchObject({ method: 'POST', path: '/nacos/v1/ns/instance', body: '' });
    expect(Object.fromEntries(request?.query ?? [])).toEqual({
      serviceName: 'G 1@@orders',
      groupName: 'G 1',
      clusterName: 'c1',
      ip: '10.0.0.1',
      port: '80',
      weight: '2.0',
      enable: 'true',
      healthy: 'true',
      ephemeral: 'true',
      metadata: '{"k":"ü &=+%"}',
      namespaceId: 'n1',
      app: 'unknown',
    });
    expect(request?.rawQuery).toContain('serviceName=G+1%40%40orders&');
  });

  test('headers are those of the Java client, with a new id for each attempt', async () => {
    const server = await scripted();
    server.answer = (_request, count) => (count === 1 ? { status: 500 } : 'ok');
    await transport(server.address).call(REGISTER, BOUNDS);
    const [first, second] = server.received.map(({ headers }) => headers);
    expect(first).toMatchObject({
      'user-agent': 'Nacos-Java-Client:v1.4.8',
      'client-version': '1.4.8',
      'request-module': 'Naming',
      'accept-encoding': 'gzip,deflate,sdch',
      'accept-charset': 'UTF-8',
      'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
      connection: 'keep-alive',
    });
    expect(first?.requestid).toMatch(/^[0-9a-f-]{36}$/);
    expect(second?.requestid).not.toBe(first?.requestid);
  });

  test('a full beat has a form body, a light one none', async () => {
    const server = await scripted();
    const client = transport(server.address);
    await client.call({ type: 'beat', service: ORDERS, instance: INSTANCE, form: 'full' }, BOUNDS);
    await client.call({ type: 'beat', service: ORDERS, instance: INSTANCE, form: 'light' }, BOUNDS);
    const [full, light] = server.received;
    expect(full?.method).toBe('PUT');
    expect([...(full?.query.keys() ?? [])]).toEqual(['serviceName', 'clusterName', 'ip', 'port', 'namespaceId', 'app']);
    expect(full?.body.endsWith('&')).toBe(true);
    expect(new URLSearchParams(full?.body).get('beat')).toBe(
      '{"port":80,"ip":"10.0.0.1","weight":2.0,"serviceName":"G 1@@orders","cluster":"c1","metadata":{"k":"ü &=+%"},"scheduled":false,"period":5000,"stopped":false}',
    );
    expect(light?.body).toBe('');
    expect(light?.rawQuery).toBe(full?.rawQuery);
  });

  test('a list that is followed says where pushes go, another one does not', async () => {
    const server = await scripted();
    const client = transport(server.address);
    await client.call({ ...LIST, purpose: 'follow' }, BOUNDS);
    await client.call(LIST, BOUNDS);
    const targets = server.received.map(({ query }) => [
      query.get('clientIP'),
      query.get('udpPort'),
      query.get('healthyOnly'),
    ]);
    expect(targets).toEqual([
      ['10.9.9.9', '4711', 'false'],
      ['', '0', 'false'],
    ]);
  });

  test('a deregistration says its kind and asks to wait only when told to', async () => {
    const server = await scripted();
    server.answer = () => ({
      body: 'ok',
      headers: { 'rollcall-subscribers': 'acknowledged=4, pending=1, waitedMs=38' },
    });
    const client = transport(server.address);
    const call = { type: 'deregister', service: ORDERS, instance: { ...INSTANCE, ephemeral: false } } as const;
    expect(await client.call({ ...call, awaitSubscribersMs: 500 }, BOUNDS)).toEqual({
      acknowledged: 4,
      pending: 1,
      waitedMs: 38,
    });
    await client.call({ ...call, awaitSubscribersMs: 0 }, BOUNDS);
    const [waiting, plain] = server.received.map(({ query }) => query);
    expect(waiting?.get('awaitSubscribersMs')).toBe('500');
    expect(plain?.has('awaitSubscribersMs')).toBe(false);
    expect(plain?.get('ephemeral')).toBe('false');
    expect(plain?.has('groupName')).toBe(false);
  });

  test('are signed with both keys, anew for each attempt', async () => {
    const server = await scripted();
    const clock = new ManualClock(1_700_000_000_000);
    await transport(server.address, { accessKey: { accessKey: 'A', secretKey: 'S' } }, clock).call(REGISTER, BOUNDS);
    const data = '1700000000000@@G 1@@orders';
    expect(Object.fromEntries(server.received[0]?.query ?? [])).toMatchObject({
      data,
      ak: 'A',
      signature: createHmac('sha1', 'S').update(data).digest('base64'),
    });
  });

  test('answers packed with gzip are read', async () => {
    const server = await scripted();
    const text = '{"name":"G 1@@orders","hosts":[{"ip":"h","port":1}]}';
    server.answer = () => ({ body: gzipSync(text), headers: { 'content-encoding': 'gzip' } });
    const answer = await transport(server.address).call(LIST, BOUNDS);
    expect(answer).toMatchObject({ text, source: '127.0.0.1' });
  });
});

describe('attempts', () => {
  test('BR-139 one server that resets two requests answers the third', async () => {
    const server = await scripted();
    server.answer = (_request, count) => (count <= 2 ? 'reset' : 'ok');
    await transport(server.address).call(REGISTER, BOUNDS);
    expect(server.received).toHaveLength(3);
  });

  test.each([400, 401, 403, 404])(
    'BR-139 status %d ends the call at once with the text of the server',
    async (status) => {
      const [one, two] = [await scripted(), await scripted()];
      for (const server of [one, two]) server.answer = () => ({ status, body: 'caused: because;' });
      const call = transport(`${one.address},${two.address}`).call(REGISTER, BOUNDS);
      await expect(call).rejects.toMatchObject({ status, message: expect.stringContaining('caused: because;') });
      expect(one.received.length + two.received.length).toBe(1);
    },
  );

  test.each([
    ['a page of a proxy', '<html><body>Bad gateway</body></html>', 'unexpected-answer'],
    ['broken JSON', '{"name":"G 1@@orders","hosts":[', 'unexpected-answer'],
    ['a status of a proxy', { status: 502, body: '<html>' }, 'unavailable'],
    ['another status', { status: 302 }, 'unexpected-answer'],
    ['silence', 'hang', 'deadline-exceeded'],
    ['a packed body that is none', { body: 'x', headers: { 'content-encoding': 'gzip' } }, 'unexpected-answer'],
  ] as const)('%s makes the next server answer, and is the error when none does', async (_name, bad, code) => {
    const [one, two] = [await scripted(), await scripted()];
    one.answer = () => bad;
    const client = transport(`${one.address},${two.address}`);
    expect(await client.call(LIST, BOUNDS)).toMatchObject({ source: '127.0.0.1' });
    two.answer = () => bad;
    await expect(client.call(LIST, BOUNDS)).rejects.toMatchObject({ code });
  });

  test('a server that works is kept, one that failed is left alone for a while', async () => {
    const [one, two] = [await scripted(), await scripted()];
    one.answer = () => ({ status: 500 });
    const clock = new ManualClock();
    const client = transport(`${one.address},${two.address}`, {}, clock);
    for (let i = 0; i < 5; i++) await client.call(REGISTER, BOUNDS);
    expect([one.received.length, two.received.length]).toEqual([1, 5]);
    clock.advance(60_000);
    await client.call(REGISTER, BOUNDS);
    expect([one.received.length, two.received.length]).toEqual([1, 6]);
  });

  test('nobody listens: the error names the servers and keeps the cause', async () => {
    const call = transport('127.0.0.1:1').call(REGISTER, BOUNDS);
    await expect(call).rejects.toMatchObject({
      code: 'unreachable',
      server: '127.0.0.1:1',
      message: expect.stringMatching(/"register" failed on every server \("127\.0\.0\.1:1"\), last: .*ECONNREFUSED/),
    });
  });

  test('a name that cannot be resolved says so, after three tries with pauses', async () => {
    const startedAt = performance.now();
    await expect(transport('no-such-host.invalid:8848').call(REGISTER, BOUNDS)).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/),
    });
    expect(performance.now() - startedAt).toBeGreaterThan(90);
  });

  test('a black hole costs one attempt, not the whole call', async () => {
    const hole = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((resolve) => hole.once('listening', resolve));
    const server = await scripted();
    const { port } = hole.address() as { port: number };
    await transport(`127.0.0.1:${port},${server.address}`).call(REGISTER, BOUNDS);
    expect(server.received).toHaveLength(1);
    hole.close();
  });

  test('the signal ends a call at once', async () => {
    const server = await scripted();
    server.answer = () => 'hang';
    const abort = new AbortController();
    const call = transport(server.address, { attemptTimeoutMs: 60_000 }).call(REGISTER, {
      ...BOUNDS,
      signal: abort.signal,
    });
    abort.abort();
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
    const dead = transport(server.address).call(REGISTER, { ...BOUNDS, signal: AbortSignal.abort() });
    await expect(dead).rejects.toMatchObject({ code: 'aborted' });
  });

  test('close ends calls under way', async () => {
    const server = await scripted();
    server.answer = () => 'hang';
    const client = transport(server.address, { attemptTimeoutMs: 60_000 });
    const call = client.call(REGISTER, BOUNDS);
    const ended = expect(call).rejects.toMatchObject({ code: 'closed' });
    await client.close();
    await ended;
    await expect(client.call(REGISTER, BOUNDS)).rejects.toMatchObject({ code: 'closed' });
  });
});

describe('login', () => {
  const credentials = { username: 'ü&', password: 'p+&%=# é😀"' };
  const token = (name: string, ttl = 18_000) => `{"accessToken":"${name}","tokenTtl":${ttl},"globalAdmin":false}`;

  test('BR-148 comes before the first call, once for many, with the password in the body', async () => {
    const server = await scripted();
    server.answer = (request) => (request.path.endsWith('/login') ? token('t1') : usualAnswer(request));
    const client = transport(server.address, { credentials });
    await Promise.all([1, 2, 3].map(() => client.call(REGISTER, BOUNDS)));
    const logins = server.to('/v1/auth/users/login', 'POST');
    expect(logins).toHaveLength(1);
    expect(logins[0]?.query.get('username')).toBe(credentials.username);
    expect(new URLSearchParams(logins[0]?.body).get('password')).toBe(credentials.password);
    expect(server.to('/instance').map(({ query }) => query.get('accessToken'))).toEqual(['t1', 't1', 't1']);
  });

  test('BR-145 comes again once after 403, then the call is repeated; for good it is refused without a storm', async () => {
    const server = await scripted();
    let valid = 't1';
    let logins = 0;
    server.answer = (request) => {
      if (request.path.endsWith('/login')) return token(`t${++logins}`);
      return request.query.get('accessToken') === valid
        ? usualAnswer(request)
        : { status: 403, body: 'token invalid!' };
    };
    const clock = new ManualClock();
    const client = transport(server.address, { credentials }, clock);
    await client.call(REGISTER, BOUNDS);
    clock.advance(60_000);
    valid = 't2';
    await client.call(REGISTER, BOUNDS);
    expect(logins).toBe(2);
    valid = 'none';
    clock.advance(60_000);
    for (let i = 0; i < 10; i++)
      await expect(client.call(REGISTER, BOUNDS)).rejects.toMatchObject({ code: 'access-denied' });
    expect(logins).toBe(3);
  });

  test('BR-146 is not repeated when the server has none, and calls go on', async () => {
    const server = await scripted();
    server.answer = (request) => (request.path.endsWith('/login') ? { status: 404 } : usualAnswer(request));
    const clock = new ManualClock();
    const client = transport(server.address, { credentials }, clock);
    for (let i = 0; i < 3; i++) {
      await client.call(REGISTER, BOUNDS);
      clock.advance(60_000);
    }
    expect(server.to('/login')).toHaveLength(2);
    expect(server.to('/login').map(({ path }) => path)).toEqual([
      '/nacos/v1/auth/users/login',
      '/nacos/v3/auth/user/login',
    ]);
    expect(server.to('/instance')[0]?.query.has('accessToken')).toBe(false);
  });

  test('that fails is logged, waits, and leaves the calls to the server', async () => {
    const server = await scripted();
    server.answer = (request) =>
      request.path.endsWith('/login') ? { status: 403, body: 'unknown user!' } : { status: 403 };
    const client = transport(server.address, { credentials });
    for (let i = 0; i < 5; i++)
      await expect(client.call(REGISTER, BOUNDS)).rejects.toMatchObject({ code: 'access-denied' });
    expect(server.to('/login')).toHaveLength(1);
    expect(client.notes).toEqual(['login-failed']);
  });
});

test('another list of servers is used from the next call on', async () => {
  const [one, two] = [await scripted(), await scripted()];
  const client = transport(one.address);
  await client.call(REGISTER, BOUNDS);
  client.replaceServers(serverAddresses(two.address, 'http'));
  await client.call(REGISTER, BOUNDS);
  expect([one.received.length, two.received.length]).toEqual([1, 1]);
  expect(client.servers).toEqual([two.address]);
});
