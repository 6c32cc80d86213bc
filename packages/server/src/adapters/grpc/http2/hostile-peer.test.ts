// Peers that break rules or use more than their share: what ends the stream, what the connection, and what it is called.

import { expect, it } from 'vitest';
import { fieldBlock } from './field-block.js';
import { FLAG, FRAME, frame, resetFrame, SETTING, settingsFrame, windowUpdateFrame } from './frame.js';
import { dataFrame, Http2Peer, headersFrame, PREFACE, REQUEST, wholeRequest } from './http2-peer.test-support.js';

const times = (count: number, make: (index: number) => Uint8Array) => Array.from({ length: count }, (_, i) => make(i));
const of = (type: number, streamId: number, bytes = 0, flags = 0) =>
  frame({ type, flags, streamId }, new Uint8Array(bytes));
const field = (name: string, value: string) => ({ name, value });
const withField = (...more: typeof REQUEST) => headersFrame(1, { fields: [...REQUEST, ...more] });
const bytesAt = (bytes: Uint8Array, at: number, value: number) => Uint8Array.from(bytes).fill(value, at, at + 1);

it.each<[string, string, Uint8Array[]]>([
  ['rapid resets', 'reset-flood', times(300, (i) => (i % 2 === 0 ? headersFrame(i + 1) : resetFrame(i, 'NO_ERROR')))],
  ['pings', 'ping-flood', times(101, () => of(FRAME.ping, 0, 8))],
  ['settings', 'settings-flood', times(101, () => settingsFrame([]))],
  ['updates of the window', 'window-flood', times(101, () => windowUpdateFrame(0, 1))],
  ['priorities', 'priority-flood', times(101, () => of(FRAME.priority, 7, 5))],
  ['unknown frames', 'unknown-frame-flood', times(101, () => of(0xbb, 0))],
  ['streams beyond the allowed', 'stream-flood', times(150, (i) => headersFrame(2 * i + 1))],
  ['malformed requests', 'stream-flood', times(150, (i) => headersFrame(2 * i + 1, { fields: [] }))],
  ['data byte by byte', 'data-flood', [headersFrame(1), ...times(120, () => dataFrame(1, 1))]],
  ['empty data', 'data-flood', [headersFrame(1), ...times(120, () => dataFrame(1, 0))]],
  ['data of a stream that ended', 'data-flood', [wholeRequest(1), ...times(150, () => dataFrame(1, 1))]],
  ['an endless header block', 'headers-too-large', [headersFrame(1, { flags: 0 }), ...times(40, () => of(9, 1))]],
  ['a large header block', 'headers-too-large', [headersFrame(1, { flags: 0 }), ...times(4, () => of(9, 1, 300))]],
  ['a small block of large headers', 'headers-too-large', [withField(...new Array(40).fill(field('a', 'b')))]],
])('a flood of %s ends the connection as %s', (_, reason, frames) => {
  const peer = Http2Peer.greeted();
  peer.send(...frames);
  expect(peer.error).toMatchObject({ reason, code: 'ENHANCE_YOUR_CALM' });
  expect(peer.frames().at(-1)).toMatch(/^goAway \d+ 11$/);
  const { length } = peer.events;
  peer.send(wholeRequest(1001));
  expect(peer.events).toHaveLength(length);
});

it('ends the connection of a peer whose requests are all refused', () => {
  const peer = Http2Peer.greeted();
  peer.refusing = true;
  peer.send(...times(99, (i) => headersFrame(2 * i + 1, { flags: FLAG.endHeaders | FLAG.endStream })));
  expect(peer.error).toBeUndefined();
  peer.send(headersFrame(201, { flags: FLAG.endHeaders | FLAG.endStream }));
  expect(peer.error).toMatchObject({ reason: 'refusal-flood', code: 'ENHANCE_YOUR_CALM' });
});

it('counts a flood per second, and lets messages pay for frames that go with them', () => {
  const peer = Http2Peer.greeted();
  for (let second = 0; second < 3; second++) {
    peer.now = second * 1000;
    peer.send(...times(90, () => of(FRAME.ping, 0, 8)));
  }
  for (let i = 0; i < 500; i++) peer.send(wholeRequest(2 * i + 1), of(FRAME.ping, 0, 8), windowUpdateFrame(0, 11));
  expect(peer.error).toBeUndefined();
});

it.each<[string, string, Uint8Array[]]>([
  ['another frame than SETTINGS first', 'protocol-error', [PREFACE, of(FRAME.ping, 0, 8)]],
  ['another beginning', 'protocol-error', [Buffer.from('PRI * HTTP/2.0\r\n\r\nsm\r\n\r\n')]],
  ['a hello of TLS', 'protocol-error', [Uint8Array.of(0x16, 3, 1, 0, 200)]],
  ['garbage behind the preface', 'frame-size-error', [PREFACE, new Uint8Array(50).fill(0xff)]],
])('%s ends the connection', (_, reason, bytes) => {
  const peer = new Http2Peer();
  peer.send(...bytes);
  expect(peer.error).toMatchObject({ reason });
});

it.each<[string, string, Uint8Array[]]>([
  ['a frame that is too long', 'frame-size-error', [of(FRAME.data, 1, 16_385)]],
  ['the head alone of such a frame', 'frame-size-error', [of(FRAME.data, 1, 16_385).subarray(0, 9)]],
  ['data of no stream', 'protocol-error', [dataFrame(0, 1)]],
  ['data of a stream that never began', 'protocol-error', [dataFrame(1, 1)]],
  ['a reset of such a stream', 'protocol-error', [resetFrame(1, 'NO_ERROR')]],
  ['a window of such a stream', 'protocol-error', [windowUpdateFrame(1, 1)]],
  ['a stream with an even id', 'protocol-error', [headersFrame(2)]],
  ['headers of no stream', 'protocol-error', [headersFrame(0)]],
  ['a promise', 'protocol-error', [of(FRAME.pushPromise, 1, 4)]],
  ['settings of a stream', 'protocol-error', [of(FRAME.settings, 1)]],
  ['a ping of a stream', 'protocol-error', [of(FRAME.ping, 1, 8)]],
  ['a priority of no stream', 'protocol-error', [of(FRAME.priority, 0, 5)]],
  ['a window that grows by nothing', 'protocol-error', [windowUpdateFrame(0, 0)]],
  ['a continuation of nothing', 'protocol-error', [of(FRAME.continuation, 1)]],
  ['another frame in a header block', 'protocol-error', [headersFrame(1, { flags: 0 }), of(FRAME.ping, 0, 8)]],
  ['a continuation of another', 'protocol-error', [headersFrame(1, { flags: 0 }), of(FRAME.continuation, 3)]],
  ['more padding than there is', 'protocol-error', [headersFrame(1), dataFrame(1, Uint8Array.of(9, 0), FLAG.padded)]],
  ['a padding without its length', 'frame-size-error', [headersFrame(1), of(FRAME.data, 1, 0, FLAG.padded)]],
  ['settings of an odd size', 'frame-size-error', [of(FRAME.settings, 0, 5)]],
  ['an acknowledgement with content', 'frame-size-error', [of(FRAME.settings, 0, 6, FLAG.ack)]],
  ['too many settings', 'protocol-error', [of(FRAME.settings, 0, 6 * 33)]],
  ['a push setting of 2', 'protocol-error', [settingsFrame([[SETTING.enablePush, 2]])]],
  ['a frame size that is too small', 'protocol-error', [settingsFrame([[SETTING.maxFrameSize, 100]])]],
  ['a window that is too large', 'flow-control-error', [settingsFrame([[SETTING.initialWindowSize, 2 ** 31]])]],
  ['a window that grows too large', 'flow-control-error', times(2, () => windowUpdateFrame(0, 2 ** 31 - 1))],
  ['a short ping', 'frame-size-error', [of(FRAME.ping, 0, 7)]],
  ['a short reset', 'frame-size-error', [headersFrame(1), of(FRAME.rstStream, 1, 3)]],
  ['a short window', 'frame-size-error', [of(FRAME.windowUpdate, 0, 3)]],
  ['a short priority', 'frame-size-error', [of(FRAME.priority, 1, 4)]],
  [
    'headers that cannot be decoded',
    'compression-error',
    [frame({ type: 1, flags: 4, streamId: 1 }, Uint8Array.of(0x80))],
  ],
])('%s ends the connection as %s', (_, reason, frames) => {
  const peer = Http2Peer.greeted();
  peer.send(...frames);
  expect(peer.error).toMatchObject({ reason });
  expect(peer.frames().at(-1)).toMatch(/^goAway/);
});

it.each<[string, Uint8Array]>([
  ['no method', headersFrame(1, { fields: REQUEST.slice(1) })],
  ['an empty path', headersFrame(1, { fields: [...REQUEST.slice(0, 2), field(':path', '')] })],
  ['a method twice', headersFrame(1, { fields: [...REQUEST.slice(0, 1), ...REQUEST] })],
  ['a pseudo header behind others', withField(field(':authority', 'a'))],
  ['an unknown pseudo header', headersFrame(1, { fields: [field(':a', 'b'), ...REQUEST] })],
  ['a name in upper case', withField(field('Te', 'trailers'))],
  ['an empty name', withField(field('', 'a'))],
  ['a header of HTTP/1', withField(field('connection', 'close'))],
  ['another te than trailers', withField(field('te', 'gzip'))],
])('a request with %s ends its stream only', (_, headers) => {
  const peer = Http2Peer.greeted();
  peer.send(headers, wholeRequest(3));
  expect(peer.frames()[0]).toBe('rstStream 1 1');
  expect(peer.events).toEqual(['request 3 /a', 'data 3 1', 'end 3', 'closed 3']);
});

it.each<[string, Uint8Array[], number]>([
  ['data behind the end', [wholeRequest(1), dataFrame(1, 200)], 5],
  ['headers behind the end', [wholeRequest(1), headersFrame(1)], 5],
  ['trailers that do not end it', [headersFrame(1), headersFrame(1)], 1],
  ['a window that grows by nothing', [headersFrame(1), windowUpdateFrame(1, 0)], 1],
  ['a window that grows too large', [headersFrame(1), windowUpdateFrame(1, 2 ** 31 - 1)], 3],
])('a stream with %s is reset', (_, frames, code) => {
  const peer = Http2Peer.greeted();
  peer.answerBody = undefined;
  peer.send(...frames);
  expect(peer.frames()).toEqual([`rstStream 1 ${code}`]);
  expect(peer.error).toBeUndefined();
});

it('refuses streams beyond the allowed one by one, and serves the others', () => {
  const peer = Http2Peer.greeted();
  peer.send(...times(6, (i) => headersFrame(2 * i + 1)));
  expect(peer.frames()).toEqual(['rstStream 9 7', 'rstStream 11 7']);
  expect(peer.events.filter((text) => text === 'refused')).toHaveLength(2);
  peer.send(dataFrame(1, 200, FLAG.endStream), wholeRequest(13));
  expect(peer.events.slice(-4)).toEqual(['request 13 /a', 'data 13 1', 'end 13', 'closed 13']);
});

it('decodes the headers of refused streams, which later ones refer to', () => {
  const peer = Http2Peer.greeted();
  const block = Buffer.concat([fieldBlock(REQUEST), Uint8Array.of(0x40, 1), Buffer.from('a'), Uint8Array.of(1, 0x62)]);
  const again = Buffer.concat([fieldBlock(REQUEST), Uint8Array.of(0xbe)]);
  const headers = (id: number, bytes: Uint8Array) => frame({ type: FRAME.headers, flags: 4, streamId: id }, bytes);
  peer.send(...times(4, (i) => headersFrame(2 * i + 1)), headers(9, block), resetFrame(1, 'NO_ERROR'));
  peer.send(headers(11, again));
  expect(peer.error).toBeUndefined();
  expect(peer.events.at(-1)).toBe('request 11 /a');
});

it('keeps nothing of what waits for a peer that takes nothing, once it is gone', () => {
  const peer = Http2Peer.greeted();
  peer.send(settingsFrame([[SETTING.initialWindowSize, 0]]));
  peer.send(wholeRequest(1), wholeRequest(3));
  expect(peer.connection.waitingBytes).toBe(20);
  peer.send(resetFrame(1, 'NO_ERROR'));
  expect(peer.connection.waitingBytes).toBe(10);
  peer.connection.abandon();
  expect(peer.connection.waitingBytes).toBe(0);
});

it('takes a frame whose first byte says another length only when it is whole', () => {
  const peer = Http2Peer.greeted();
  peer.send(bytesAt(of(FRAME.ping, 0, 8), 2, 9));
  expect(peer.frames()).toEqual([]);
});
