import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { pushAckText, readPushDatagram } from './push-datagram.js';
import { PushReceiver } from './push-receiver.js';

const DATA = '{"name":"G@@s","lastRefTime":17,"hosts":[{"ip":"h","port":1}]}';
const packet = (number: string, data = DATA, type = 'dom') =>
  `{"type":"${type}","data":${JSON.stringify(data)},"lastRefTime":${number}}`;

describe('readPushDatagram', () => {
  test.each(['dom', 'service'])('reads a %s push, plain, packed, and with zeros behind it', (type) => {
    const text = packet('5', DATA, type);
    for (const bytes of [Buffer.from(text), gzipSync(text), Buffer.from(`${text}\0\0\0`)])
      expect(readPushDatagram(bytes)).toEqual({ type: 'list', data: DATA, number: '5' });
  });

  test('repeats a number above 2^53 digit by digit', () => {
    const push = readPushDatagram(Buffer.from(packet('9007199254740993')));
    expect(push && pushAckText(push)).toBe('{"type": "push-ack", "lastRefTime":"9007199254740993", "data":""}');
  });

  test.each([
    ['the number first', `{"lastRefTime":7,"type":"dom","data":${JSON.stringify(DATA)}}`],
    ['the number as text', `{"type":"dom","data":${JSON.stringify(DATA)},"lastRefTime":"7"}`],
  ])('finds %s, not the one inside the list', (_name, text) => {
    expect(readPushDatagram(Buffer.from(text))).toMatchObject({ number: '7' });
  });

  test.each([
    ['nothing', ''],
    ['text', 'GET / HTTP/1.1\r\n\r\n'],
    ['JSON without a type', '{"lastRefTime":5}'],
    ['JSON without a number', '{"type":"dom","data":"{}"}'],
    ['a number alone', '5'],
  ])('%s is no push', (_name, text) => {
    expect(readPushDatagram(Buffer.from(text))).toBeUndefined();
  });

  test('broken compression is no push, nor is a packet that unpacks without end', () => {
    expect(readPushDatagram(Buffer.from([0x1f, 0x8b, 1, 2, 3]))).toBeUndefined();
    expect(readPushDatagram(gzipSync(Buffer.alloc(17 * 1024 * 1024)))).toBeUndefined();
  });
});

describe('PushReceiver', () => {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()));
  });

  function receiver(port = 0) {
    const lists: string[] = [];
    const notes: string[] = [];
    const made = new PushReceiver(port, {
      pushed: ({ list, source }) => void lists.push(`${list.grouped} ${list.instances.length} ${source}`),
      noted: (_level, event) => void notes.push(event),
    });
    open.push(made);
    return { made, lists, notes };
  }

  async function sender(): Promise<{ socket: Socket; ask(text: string | Buffer, port: number): Promise<string> }> {
    const socket = createSocket('udp4');
    open.push(socket);
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const ask = async (text: string | Buffer, port: number): Promise<string> => {
      const answered = once(socket, 'message');
      socket.send(text, port, '127.0.0.1');
      return String((await answered)[0]);
    };
    return { socket, ask };
  }

  test('takes a list, then acknowledges it to where it came from', async () => {
    const { made, lists } = receiver();
    const { ask } = await sender();
    expect(await ask(packet('5'), await made.port)).toBe('{"type": "push-ack", "lastRefTime":"5", "data":""}');
    expect(lists).toEqual(['G@@s 1 127.0.0.1']);
  });

  test('takes a packed list of tens of thousands of bytes: the Go client of 1.x stops at 4,024', async () => {
    const { made, lists } = receiver();
    const { ask } = await sender();
    const hosts = Array.from({ length: 5000 }, (_, i) => ({
      ip: `10.${i % 251}.${(i * 7) % 253}.${(i * 31) % 241}`,
      port: (i * 7919) % 60_000,
    }));
    const bytes = gzipSync(packet('6', JSON.stringify({ name: 'G@@s', hosts })));
    expect(bytes.length).toBeGreaterThan(20_000);
    expect(bytes.length).toBeLessThan(65_507);
    await ask(bytes, await made.port);
    expect(lists).toEqual(['G@@s 5000 127.0.0.1']);
  });

  test('BR-113 survives whatever else comes to its port, and acknowledges none of it', async () => {
    const { made, lists, notes } = receiver();
    const { socket, ask } = await sender();
    const port = await made.port;
    const answers: string[] = [];
    socket.on('message', (bytes) => void answers.push(String(bytes)));
    for (const bytes of ['', 'text', '{"lastRefTime":1}', packet('1', 'no list'), packet('2', '<html>')])
      socket.send(bytes, port, '127.0.0.1');
    socket.send(Buffer.from([0x1f, 0x8b, 0]), port, '127.0.0.1');
    await ask(packet('9'), port);
    expect(answers).toEqual(['{"type": "push-ack", "lastRefTime":"9", "data":""}']);
    expect(lists).toHaveLength(1);
    expect(notes).toEqual(['push-unreadable']);
  });

  test('BR-113 answers other kinds of packets without content', async () => {
    const { made, lists } = receiver();
    const { ask } = await sender();
    expect(await ask(packet('3', '{}', 'dump'), await made.port)).toBe(
      '{"type": "unknown-ack", "lastRefTime":"3", "data":""}',
    );
    expect(lists).toEqual([]);
  });

  test('without the port it says so and has none, so that the client polls', async () => {
    const first = receiver();
    const second = receiver(await first.made.port);
    expect(await second.made.port).toBe(0);
    expect(second.notes).toEqual(['push-port-failed']);
    await second.made.close();
  });
});
