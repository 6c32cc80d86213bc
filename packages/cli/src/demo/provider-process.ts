// A provider of the demo as a process of its own: serves on a free port, registers once it does, beats over one kept
// connection, and on SIGTERM deregisters and waits until every subscriber knows.

import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Beats come every second, so that the demo need not be long; the heart-beat timeout is the default of 15 s. */
const BEAT_MS = 1000;
const AWAIT_MS = 3000;

/** Runs until SIGTERM. @param server - URL of the registry @param service - to register in */
export async function runProvider(server: string, service: string): Promise<void> {
  const web = createServer((_, response) => void response.end('ok'));
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  const { port } = web.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const instance = { serviceName: service, ip: '127.0.0.1', port: String(port) };
  const ask = (method: string, path: string, parameters: Record<string, string>) =>
    answerOf(`${server}${path}?${new URLSearchParams(parameters)}`, method, agent);
  const metadata = `preserved.heart.beat.interval=${BEAT_MS}`;
  await ask('POST', '/nacos/v1/ns/instance', { ...instance, metadata });
  process.send?.({ type: 'serving', port });
  const beats = setInterval(() => {
    ask('PUT', '/nacos/v1/ns/instance/beat', instance).catch(() => undefined);
  }, BEAT_MS);
  await once(process, 'SIGTERM');
  clearInterval(beats);
  const told = await ask('DELETE', '/nacos/v1/ns/instance', { ...instance, awaitSubscribersMs: String(AWAIT_MS) });
  process.send?.({ type: 'left', told });
  web.close();
  agent.destroy();
  process.disconnect?.();
}

/** What the registry says of waiting for subscribers; empty for other requests. */
async function answerOf(url: string, method: string, agent: Agent): Promise<string> {
  const sent = request(url, { method, agent });
  sent.end();
  const [response] = await once(sent, 'response');
  response.resume();
  await once(response, 'end');
  return String(response.headers['rollcall-subscribers'] ?? '');
}
