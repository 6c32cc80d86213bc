// A consumer of the demo as a process of its own: subscribes over UDP as a 1.x client does, acknowledges pushes, and calls one
// healthy instance of its list after the other. Told so, it loses the next datagram, as networks do.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { get } from 'node:http';
import { gunzipSync } from 'node:zlib';

const CALL_MS = 50;
const CALL_TIMEOUT_MS = 500;
const POLL_MS = 10_000;
/** A version of a client to which the registry sends pushes. */
const AGENT = 'Nacos-Java-Client:v1.4.8';

interface Host {
  readonly ip: string;
  readonly port: number;
  readonly healthy: boolean;
}

/** Runs until its parent ends it. @param server - URL of the registry @param service - to consume */
export async function runConsumer(server: string, service: string): Promise<void> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port: udpPort } = socket.address();
  let hosts: readonly Host[] = [];
  let losing = false;
  process.on('message', (message) => {
    losing = message === 'lose-next';
  });
  socket.on('message', (bytes, peer) => {
    if (losing) {
      losing = false;
      process.send?.({ type: 'lost' });
      return;
    }
    const text = (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString();
    const { lastRefTime, data } = JSON.parse(text) as { lastRefTime: number; data: string };
    hosts = (JSON.parse(data) as { hosts: Host[] }).hosts;
    socket.send(JSON.stringify({ type: 'push-ack', lastRefTime, data: '' }), peer.port, peer.address);
    tell(hosts, 'push');
  });
  const query = new URLSearchParams({ serviceName: service, udpPort: String(udpPort), clientIP: '127.0.0.1' });
  const poll = async () => {
    const response = await fetch(`${server}/nacos/v1/ns/instance/list?${query}`, { headers: { 'User-Agent': AGENT } });
    const list = (await response.json()) as { hosts: Host[] };
    hosts = list.hosts;
  };
  await poll();
  process.send?.({ type: 'subscribed', udpPort });
  setInterval(() => void poll().catch(() => undefined), POLL_MS);
  for (let calls = 0; ; calls++) {
    const healthy = hosts.filter((host) => host.healthy);
    const host = healthy[calls % Math.max(1, healthy.length)];
    if (host !== undefined && !(await answers(host))) process.send?.({ type: 'failed', port: host.port });
    await new Promise((resolve) => setTimeout(resolve, CALL_MS));
  }
}

function tell(hosts: readonly Host[], by: 'push'): void {
  process.send?.({ type: 'list', by, ports: hosts.filter(({ healthy }) => healthy).map(({ port }) => port) });
}

function answers({ ip, port }: Host): Promise<boolean> {
  return new Promise((resolve) => {
    const call = get({ host: ip, port, agent: false, timeout: CALL_TIMEOUT_MS }, (response) => {
      response.resume().once('end', () => resolve(true));
    });
    call.once('timeout', () => call.destroy()).once('error', () => resolve(false));
  });
}
