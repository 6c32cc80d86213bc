import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PeerRelay } from './peer-relay.js';

const HOST = '127.0.0.1';
let target: Server;
let relay: PeerRelay;
let listen: number;
let client: Socket;

beforeEach(async () => {
  target = createServer((socket) => socket.pipe(socket)).listen(0, HOST);
  await once(target, 'listening');
  listen = await freePort();
  relay = new PeerRelay({ from: 0, to: 1, host: HOST, listen, target: (target.address() as AddressInfo).port });
  await relay.listen();
  client = connect(listen, HOST);
  await once(client, 'connect');
});

afterEach(async () => {
  client.destroy();
  await relay.close();
  if (target.listening) target.close();
});

describe('PeerRelay', () => {
  it('passes bytes on, both ways', async () => {
    client.write('there and back');
    expect(String(await received())).toBe('there and back');
  });

  it('keeps what is sent in a silence, and passes it on afterwards', async () => {
    client.write('first');
    await received();
    relay.silence();
    client.write('second');
    const late = connect(listen, HOST);
    await once(late, 'connect');
    late.write('third');
    expect(client.readableLength).toBe(0);
    relay.resume();
    expect(String(await received())).toBe('second');
    expect(String((await once(late, 'data'))[0])).toBe('third');
    late.destroy();
  });

  it('refuses while the port of the node is closed', async () => {
    client.destroy();
    target.close();
    await once(target, 'close');
    const first = connect(listen, HOST).on('error', () => undefined);
    await once(first, 'close');
    const second = connect(listen, HOST);
    const [error] = (await once(second, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNREFUSED');
  });
});

async function received(): Promise<Buffer> {
  const [bytes] = (await once(client, 'data')) as [Buffer];
  return bytes;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
