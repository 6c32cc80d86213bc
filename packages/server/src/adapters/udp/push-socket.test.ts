import { afterEach, describe, expect, it } from 'vitest';
import { type DatagramPeer, PushSocket } from './push-socket.js';
import { UdpSubscriber } from './udp-subscriber.test-support.js';

const PACKET = [Buffer.from('{"type":"dom","data":"{}"'), Buffer.from(',"lastRefTime":7}')];
const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const open of closing.splice(0)) await open.close();
});

async function openSocket(port = 0) {
  const received: { text: string; peer: DatagramPeer }[] = [];
  const socket = await PushSocket.open({
    port,
    onDatagram: (bytes, peer) => void received.push({ text: bytes.toString(), peer }),
    onError: (error) => {
      throw error;
    },
  });
  closing.push(socket);
  return { socket, received };
}

async function subscriber(ip?: string) {
  const opened = await UdpSubscriber.open(ip);
  closing.push(opened);
  return opened;
}

const sendTo = (socket: PushSocket, peer: DatagramPeer) =>
  new Promise<NodeJS.ErrnoException | null>((resolve) => socket.send(PACKET, peer, resolve));

const received = async (messages: readonly unknown[]) => {
  while (messages.length === 0) await new Promise(setImmediate);
  return messages[0];
};

describe('the push socket', () => {
  it('sends to both families and receives from both', async () => {
    const { socket, received: messages } = await openSocket();
    const v4 = await subscriber();
    expect(await sendTo(socket, v4)).toBeNull();
    expect(await v4.push(0)).toMatchObject({ number: 7, fromPort: socket.port });
    await v4.send('four', socket.port);
    expect(await received(messages)).toEqual({ text: 'four', peer: { ip: '127.0.0.1', port: v4.port } });
    if (socket.portV6 === undefined) return;
    messages.length = 0;
    const v6 = await subscriber('::1');
    expect(await sendTo(socket, v6)).toBeNull();
    expect(await v6.push(0)).toMatchObject({ number: 7, fromPort: socket.portV6 });
    await v6.send('six', socket.portV6);
    expect(await received(messages)).toEqual({ text: 'six', peer: { ip: '::1', port: v6.port } });
  });

  it('tells errors of the system per send and lives on', async () => {
    const { socket } = await openSocket();
    // The broadcast address of loopback: forbidden without a socket option that is not set.
    expect(await sendTo(socket, { ip: '127.255.255.255', port: 9 })).toMatchObject({ code: 'EACCES' });
    const v4 = await subscriber();
    expect(await sendTo(socket, v4)).toBeNull();
    await v4.push(0);
  });

  it('does not mind ports on which nobody listens', async () => {
    const { socket } = await openSocket();
    const gone = await UdpSubscriber.open();
    const { port } = gone;
    await gone.close();
    for (let n = 0; n < 50; n += 1) expect(await sendTo(socket, { ip: '127.0.0.1', port })).toBeNull();
    const v4 = await subscriber();
    await sendTo(socket, v4);
    await v4.push(0);
  });

  it('says when its port is taken', async () => {
    const { socket } = await openSocket();
    await expect(openSocket(socket.port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
