import { ManualClock, ManualTimers } from '@rollcall/runtime/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ScriptedServer } from '../scripted-server.test-support.js';
import { EndpointServers } from './endpoint-servers.js';
import { HttpExchange } from './http-exchange.js';

let host: ScriptedServer;
beforeEach(async () => {
  host = await ScriptedServer.start();
});
afterEach(() => host.close());

function setUp() {
  const timers = new ManualTimers(new ManualClock());
  const lists: string[][] = [];
  const notes: string[] = [];
  const endpoint = new EndpointServers({
    endpoint: { host: '127.0.0.1', port: host.port },
    namespace: 'n1',
    scheme: 'http',
    exchange: new HttpExchange({ connectTimeoutMs: 1000, connectionsMax: 1, tls: {} }),
    timers,
    random: () => 0,
    timeoutMs: 1000,
    noted: (_level, event) => void notes.push(event),
    found: (servers) => void lists.push(servers.map(({ origin }) => origin)),
  });
  /** Moves on to the next refresh and waits for its end. */
  const refresh = async (ms: number): Promise<void> => {
    timers.advance(ms);
    while (timers.size === 0) await new Promise((resolve) => setImmediate(resolve));
  };
  return { endpoint, timers, lists, notes, refresh };
}

test('the list is asked for at the start and every 30 s; a failure keeps the old one', async () => {
  host.answer = () => ' 10.0.0.1 \r\n\n10.0.0.2:80\n';
  const { endpoint, timers, lists, notes, refresh } = setUp();
  await endpoint.started;
  expect(lists).toEqual([['http://10.0.0.1:8848', 'http://10.0.0.2:80']]);
  expect(host.received[0]).toMatchObject({ path: '/nacos/serverlist', rawQuery: '?namespace=n1' });
  host.answer = () => ({ status: 500 });
  timers.advance(29_999);
  expect(host.received).toHaveLength(1);
  await refresh(1);
  host.answer = () => '\n';
  await refresh(30_000);
  expect(lists).toHaveLength(1);
  expect(notes).toEqual(['server-list-failed']);
  await endpoint.close();
  expect(timers.size).toBe(0);
});

test('while no list is known it is asked for sooner, waiting longer each time', async () => {
  host.answer = () => 'reset';
  const { endpoint, lists, refresh } = setUp();
  await endpoint.started;
  await refresh(500);
  await refresh(1000);
  host.answer = () => '10.0.0.1';
  await refresh(2000);
  expect(host.received).toHaveLength(4);
  expect(lists).toEqual([['http://10.0.0.1:8848']]);
  await endpoint.close();
});
