// What a connection does with right frames, in any pieces, and with the windows of its peer.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldBlock } from './field-block.js';
import { FLAG, FRAME, frame, resetFrame, SETTING, settingsFrame, windowUpdateFrame } from './frame.js';
import { dataFrame, Http2Peer, headersFrame, PREFACE, REQUEST, wholeRequest } from './http2-peer.test-support.js';
import { OutgoingMessage } from './outgoing-message.js';

const ANSWER = (id: number, bytes = 10) => [
  `headers ${id} :status=200`,
  `data ${id} ${bytes}`,
  `headers ${id} grpc-status=0 end`,
];
const window = (bytes: number) => settingsFrame([[SETTING.initialWindowSize, bytes]]);

describe('Http2Connection', () => {
  it('greets, acknowledges settings and pings, and answers', () => {
    const peer = new Http2Peer();
    expect(peer.frames()).toEqual(['settings', 'windowUpdate 0 4128769']);
    peer.send(PREFACE, settingsFrame([]), frame({ type: FRAME.ping, flags: 0, streamId: 0 }, new Uint8Array(8)));
    expect(peer.frames()).toEqual(['settings ack', 'ping ack']);
    peer.send(wholeRequest(1));
    expect(peer.frames()).toEqual(ANSWER(1));
    expect(peer.events).toEqual(['request 1 /a', 'data 1 1', 'end 1', 'closed 1']);
  });

  it('does the same however the bytes are cut', () => {
    const block = fieldBlock(REQUEST);
    const head = frame({ type: FRAME.headers, flags: 0, streamId: 3 }, block.subarray(0, 5));
    const rest = frame({ type: FRAME.continuation, flags: FLAG.endHeaders, streamId: 3 }, block.subarray(5));
    const padded = frame({ type: FRAME.data, flags: FLAG.padded, streamId: 3 }, Uint8Array.of(2, 7, 7, 7, 0, 0));
    const bytes = Buffer.concat([
      ...[PREFACE, settingsFrame([]), wholeRequest(1, 300), head, rest, padded],
      ...[frame({ type: 0x77, flags: 0xff, streamId: 3 }, new Uint8Array(3)), dataFrame(3, 0, FLAG.endStream)],
      ...[headersFrame(5), resetFrame(5, 'REFUSED_STREAM'), wholeRequest(7)],
    ]);
    const whole = new Http2Peer();
    whole.send(bytes);
    const frames = whole.frames();
    expect(whole.events).toContain('data 3 3');
    expect(frames.filter((text) => text.endsWith('end'))).toHaveLength(3);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 60 }), (cuts) => {
        const peer = new Http2Peer();
        let at = 0;
        for (const cut of [...cuts, bytes.length]) {
          peer.send(bytes.subarray(at, at + cut));
          at += cut;
        }
        expect(peer.events).toEqual(whole.events);
        expect(peer.frames()).toEqual(frames);
      }),
    );
  });

  it('ends with the same events and without another error, whatever the frames and the cuts', () => {
    const type = fc.integer({ min: 0, max: 10 });
    const anyFrame = fc
      .record({ type, flags: fc.integer({ min: 0, max: 255 }), streamId: fc.integer({ min: 0, max: 9 }) })
      .chain((head) => fc.uint8Array({ maxLength: 30 }).map((payload) => frame(head, payload)));
    const sane = fc.integer({ min: 0, max: 4 }).map((n) => wholeRequest(2 * n + 1));
    fc.assert(
      fc.property(
        fc.array(fc.oneof(anyFrame, sane), { maxLength: 12 }),
        fc.integer({ min: 1, max: 50 }),
        (frames, cut) => {
          const bytes = Buffer.concat(frames);
          const [one, many] = [Http2Peer.greeted(), Http2Peer.greeted()];
          one.send(bytes);
          for (let at = 0; at < bytes.length; at += cut) many.send(bytes.subarray(at, at + cut));
          expect(many.events).toEqual(one.events);
          expect(many.error?.message).toBe(one.error?.message);
          expect(many.frames()).toEqual(one.frames());
          one.connection.abandon();
          const opened = one.events.filter((text) => text.startsWith('request')).length;
          expect(one.events.filter((text) => text.startsWith('closed'))).toHaveLength(opened);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('sends within both windows, streams in turn, and tells when all is out', () => {
    const peer = Http2Peer.greeted();
    peer.answerBody = new Uint8Array(50_000);
    peer.send(wholeRequest(1), wholeRequest(3));
    expect(peer.connection.waitingBytes).toBe(100_000 - 65_535);
    const sent = peer.frames().filter((text) => text.startsWith('data'));
    expect(sent).toEqual(['data 1 16384', 'data 1 16384', 'data 1 16384', 'data 1 848', 'data 3 15535']);
    peer.send(windowUpdateFrame(0, 1000));
    expect(peer.frames()).toEqual(['data 3 1000']);
    peer.send(windowUpdateFrame(0, 100_000));
    expect(peer.frames().at(-1)).toBe('headers 3 grpc-status=0 end');
    expect(peer.connection.waitingBytes).toBe(0);
    expect(peer.events.at(-1)).toBe('relief');
  });

  it('follows changes of the first window, also below what is used already', () => {
    const peer = Http2Peer.greeted();
    peer.send(window(8));
    peer.send(wholeRequest(1));
    expect(peer.frames().slice(1)).toEqual(['headers 1 :status=200', 'data 1 8']);
    peer.send(window(3));
    peer.send(windowUpdateFrame(1, 6));
    expect(peer.frames()).toEqual(['settings ack', 'data 1 1']);
    peer.send(window(4));
    expect(peer.frames()).toEqual(['data 1 1', 'headers 1 grpc-status=0 end', 'settings ack']);
  });

  it('opens its own windows again as they are used', () => {
    const peer = Http2Peer.greeted();
    peer.send(headersFrame(1));
    for (let sent = 0; sent < 160; sent++) peer.send(dataFrame(1, 16_384));
    const updates = peer.frames();
    expect(updates).toContain('windowUpdate 1 524288');
    expect(updates).toContain('windowUpdate 0 2097152');
    expect(peer.error).toBeUndefined();
  });

  it('writes what one read causes at once, and asks for a flush of what comes later', () => {
    const peer = Http2Peer.greeted();
    peer.answerBody = undefined;
    const writes: number[] = [];
    peer.write = (bytes) => void writes.push(bytes.length);
    const asked = peer.flushesAsked;
    peer.send(windowUpdateFrame(0, 1000), frame({ type: FRAME.ping, flags: 0, streamId: 0 }, new Uint8Array(8)));
    peer.send(wholeRequest(1), wholeRequest(3), window(10), window(20));
    expect([writes, peer.flushesAsked]).toEqual([[17, 18], asked]);
    for (const stream of peer.streams.values()) stream.finish(fieldBlock([{ name: 'grpc-status', value: '0' }]));
    expect([writes.length, peer.flushesAsked]).toEqual([2, asked + 1]);
    peer.connection.flush();
    peer.connection.flush();
    expect(writes).toHaveLength(3);
  });

  it('sends one message to many streams from the same bytes', () => {
    const message = new OutgoingMessage(new Uint8Array(20_000));
    expect(message.framedFor(5)).toBe(message.framedFor(5));
    const peer = Http2Peer.greeted();
    peer.send(headersFrame(5));
    peer.streams.get(5)?.send(message);
    expect(peer.frames()).toEqual(['data 5 16384', 'data 5 3616']);
  });

  it('empties its header table when the peer changed its size', () => {
    const peer = Http2Peer.greeted();
    peer.send(settingsFrame([[SETTING.headerTableSize, 0]]));
    const written: number[] = [];
    peer.write = (bytes) => void written.push(...bytes);
    peer.send(wholeRequest(1), wholeRequest(3));
    const head = (id: number) => [0, 0, id === 1 ? 2 : 1, 1, 4, 0, 0, 0, id, ...(id === 1 ? [0x20] : []), 0x88];
    expect(written.slice(0, 11)).toEqual(head(1));
    expect(written.join()).toContain(head(3).join());
  });

  it('ends a stream before its peer does with CANCEL', () => {
    const peer = Http2Peer.greeted();
    peer.send(headersFrame(1));
    peer.streams.get(1)?.finish(fieldBlock([{ name: 'grpc-status', value: '14' }]));
    expect(peer.frames()).toEqual(['headers 1 grpc-status=14 end', 'rstStream 1 8']);
    expect(peer.events.at(-1)).toBe('closed 1');
  });

  it('finishes when the open streams have ended, and takes no new ones', () => {
    const peer = Http2Peer.greeted();
    peer.send(headersFrame(1));
    peer.connection.finish('stops');
    peer.send(wholeRequest(3));
    expect(peer.frames()).toEqual(['goAway 1 0']);
    expect(peer.events).not.toContain('finished');
    peer.send(dataFrame(1, 0, FLAG.endStream));
    expect(peer.frames()).toEqual(ANSWER(1));
    expect(peer.events.at(-1)).toBe('finished');
  });
});
