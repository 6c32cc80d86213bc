import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AsAnswer, HistoryAnswer, WhyAnswer } from '../../src/index.js';
import { ServerFixture, type StartedServer } from './started-server.test-support.js';

const SHORT = 'preserved.heart.beat.timeout=1200,preserved.ip.delete.timeout=2400';
const AGENT = 'Nacos-Java-Client:v1.4.8';

let fixture: ServerFixture;
let server: StartedServer;
let opened: { destroy(): void }[];

beforeEach(async () => {
  opened = [];
  fixture = new ServerFixture();
  server = await fixture.start();
});

afterEach(async () => {
  for (const each of opened) each.destroy();
  await fixture.remove();
});

const instance = (port: number) => ({ serviceName: 'orders', ip: '127.0.0.1', port: String(port) });
const register = (port: number, metadata = SHORT) =>
  server.text('POST', '/nacos/v1/ns/instance', { ...instance(port), metadata });
const why = (port: number, more: Record<string, string> = {}) =>
  server.json<WhyAnswer>('GET', '/rollcall/v1/why', { ...instance(port), ...more });

/** Beats over one kept connection. */
async function keptConnection(port: number): Promise<{ socket: Socket; beat: () => Promise<void> }> {
  const url = new URL(server.url);
  const socket = connect(Number(url.port), url.hostname);
  opened.push(socket);
  await once(socket, 'connect');
  const query = new URLSearchParams(instance(port));
  const beat = async () => {
    socket.write(`PUT /nacos/v1/ns/instance/beat?${query} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Length: 0\r\n\r\n`);
    await once(socket, 'data');
  };
  for (let i = 0; i < 4; i++) await beat();
  return { socket, beat };
}

/** A subscriber over UDP that acknowledges, or not. */
async function subscriber(acknowledges: boolean): Promise<number> {
  const socket = createSocket('udp4');
  opened.push({ destroy: () => socket.close() });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.on('message', (bytes, peer) => {
    const { lastRefTime } = JSON.parse(bytes.toString()) as { lastRefTime: number };
    if (acknowledges) socket.send(JSON.stringify({ type: 'push-ack', lastRefTime, data: '' }), peer.port, peer.address);
  });
  const query = new URLSearchParams({ serviceName: 'orders', udpPort: String(port), clientIP: '127.0.0.1' });
  await fetch(`${server.url}/nacos/v1/ns/instance/list?${query}`, { headers: { 'User-Agent': AGENT } });
  return port;
}

/** The account once the instance is unhealthy. */
async function account(port: number, more: Record<string, string> = {}): Promise<WhyAnswer> {
  for (;;) {
    const answer = await why(port, more);
    if (answer.incident?.downAt !== undefined && answer.state !== 'healthy') return answer;
    await sleep(50);
  }
}

const causesOf = ({ causes }: WhyAnswer) => causes.map(({ cause }) => cause);

describe('the ledger over sockets', () => {
  it('tells a silent crash from an exit and from a process that stands still', { timeout: 20_000 }, async () => {
    for (const port of [1, 2, 3]) await register(port);
    const ended = await keptConnection(2);
    await keptConnection(3);
    ended.socket.end();
    expect((await account(1)).cause).toBe('silent-crash');
    expect((await account(2)).cause).toBe('exited-without-deregistration');
    expect((await account(3)).cause).toBe('frozen');
  });

  it('adds up to the moment at which each subscriber knew', { timeout: 20_000 }, async () => {
    await register(1);
    const told = await subscriber(true);
    const deaf = await subscriber(false);
    await server.text('GET', '/nacos/v1/ns/instance/list', { serviceName: 'orders' });
    await account(1);
    await sleep(200);
    await server.text('GET', '/nacos/v1/ns/instance/list', { serviceName: 'orders' });
    const answer = await account(1, { lang: 'zh' });
    expect(answer.verdict).toMatch(/[\u4e00-\u9fff]/);
    const by = new Map(answer.subscribers.map(({ subscriber: name, told: chain }) => [name, chain]));
    expect(by.get(`127.0.0.1:${told}`)).toMatchObject({ end: 'told', by: 'push' });
    expect(by.get(`127.0.0.1:${deaf}`)).toMatchObject({ end: 'open' });
    expect(by.get('127.0.0.1')).toMatchObject({ end: 'told', by: 'poll' });
    expect(causesOf(answer)).toEqual(expect.arrayContaining(['silent-crash', 'push-not-acknowledged', 'poll-only']));
    for (const { stages, totalMs } of by.values()) {
      expect(stages.reduce((sum, { ms }) => sum + ms, 0)).toBe(totalMs);
    }
    const held = await server.json<AsAnswer>('GET', '/rollcall/v1/as', {
      serviceName: 'orders',
      subscriber: `127.0.0.1:${told}`,
    });
    expect(held).toMatchObject({ how: 'pushed', instances: [{ port: 1, healthy: false }] });
  });

  it('confirms a death by a refused port when that is wanted', { timeout: 20_000 }, async () => {
    await server.server.close();
    server = await fixture.start({ confirmDead: 'on' });
    const process = createServer().listen(0, '127.0.0.1');
    await once(process, 'listening');
    const live = (process.address() as AddressInfo).port;
    opened.push({ destroy: () => process.close() });
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const dead = (gone.address() as AddressInfo).port;
    gone.close();
    for (const port of [live, dead]) await register(port, 'preserved.heart.beat.interval=1000');
    const answer = await account(dead);
    expect(answer.cause).toBe('confirmed-dead');
    expect(answer.incident?.totalMs).toBeLessThan(5000);
    expect((await why(live)).state).toBe('healthy');
  });

  it('tells who left and how long it waited', { timeout: 20_000 }, async () => {
    await register(1);
    await subscriber(true);
    await server.text('DELETE', '/nacos/v1/ns/instance', { ...instance(1), awaitSubscribersMs: '2000' });
    const answer = await why(1);
    expect(answer.cause).toBe('deregistered');
    expect(answer.incident?.awaited).toMatchObject({ acknowledged: 1, pending: [] });
  });

  it('knows after a restart what happened before it', { timeout: 20_000 }, async () => {
    await register(1);
    await server.text('DELETE', '/nacos/v1/ns/instance', instance(1));
    await server.server.close();
    server = await fixture.start();
    // What the earlier run recorded is read while the server already answers.
    while ((await why(1)).cause === 'none') await sleep(50);
    expect((await why(1)).cause).toBe('deregistered');
    const { facts } = await server.json<HistoryAnswer>('GET', '/rollcall/v1/history', { serviceName: 'orders' });
    const types = facts.map(({ type }) => type);
    expect(types.filter((type) => type === 'server-started')).toHaveLength(2);
    expect(types).toEqual(expect.arrayContaining(['instance-registered', 'instance-removed']));
  });

  it('streams facts as they happen', { timeout: 20_000 }, async () => {
    const response = await fetch(`${server.url}/rollcall/v1/history/follow?serviceName=orders`);
    const reader = response.body?.getReader();
    await register(1);
    let text = '';
    while (!text.includes('instance-registered')) text += Buffer.from((await reader?.read())?.value ?? []).toString();
    expect(text).toContain('event: service-appeared');
    await reader?.cancel();
  });

  it('says so when no history is kept, and refuses what it cannot read', { timeout: 20_000 }, async () => {
    expect((await server.fetch('GET', '/rollcall/v1/why', { ...instance(1), at: 'yesterday' })).status).toBe(400);
    expect((await server.fetch('GET', '/rollcall/v1/why', { serviceName: 'orders' })).status).toBe(400);
    expect((await server.fetch('GET', '/rollcall/v1/why', { ...instance(1), lang: 'de' })).status).toBe(400);
    expect(await why(1)).toMatchObject({ state: 'unknown', cause: 'none' });
    const refusalOf = async (path: string, more: Record<string, string>) => {
      const answer = await server.fetch('GET', `/rollcall/v1/${path}`, { ...instance(1), ...more });
      return [answer.status, await answer.text()];
    };
    const refused = (text: string) => [400, expect.stringContaining(text)];
    for (const path of ['why', 'history', 'history/follow']) {
      expect(await refusalOf(path, { port: '99999' })).toEqual(refused("Param 'port'"));
      expect(await refusalOf(path, { instance: '1' })).toEqual(refused("Param 'instance' is unknown here"));
    }
    expect(await refusalOf('as', { subscriber: 'x' })).toEqual(refused("Param 'ip' is unknown here"));
    expect(await refusalOf('history', { at: '1' })).toEqual(refused("Param 'at' is unknown here"));
    expect(await refusalOf('history/follow', { after: 'noon' })).toEqual(refused("Param 'after'"));
    await server.server.close();
    server = await fixture.start({ ledger: 'off' });
    expect((await server.fetch('GET', '/rollcall/v1/why', instance(1))).status).toBe(404);
  });
});
