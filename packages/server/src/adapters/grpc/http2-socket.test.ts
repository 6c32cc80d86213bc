// What one peer may take of a turn of the event loop, and when reading stops and goes on.

import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { FRAME, frame, settingsFrame } from './http2/frame.js';
import { Http2Socket } from './http2-socket.js';
import { SharedTurns } from './shared-turns.js';

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const PING = frame({ type: FRAME.ping, flags: 0, streamId: 0 }, new Uint8Array(8));
const PING_BYTES = PING.length;

/** The socket's side: what was written to it, and whether it is read. */
class SocketDouble extends EventEmitter {
  readonly written: number[] = [];
  writable = true;
  destroyed = false;
  allowHalfOpen = true;
  writableLength = 0;
  paused = false;
  ended = false;

  write(bytes: Uint8Array): boolean {
    this.written.push(bytes.length);
    return this.writableLength === 0;
  }
  pause(): void {
    this.paused = true;
  }
  resume(): void {
    this.paused = false;
  }
  isPaused(): boolean {
    return this.paused;
  }
  end(): void {
    this.ended = true;
  }
  destroy(): void {
    this.destroyed = true;
  }
}

/** A connection on a clock that moves with each look at it. */
function opened({ stepMs }: { readonly stepMs: number }) {
  const socket = new SocketDouble();
  const turns: (() => void)[] = [];
  let now = 0;
  const nowMs = () => {
    now += stepMs;
    return now;
  };
  const http2 = new Http2Socket(socket as unknown as Socket, {
    bounds: { streams: 4, headerBytes: 1000, controlFramesPerSecond: 1_000_000 },
    events: {
      onRequest: () => ({ data: () => undefined, end: () => undefined, closed: () => undefined }),
      onStreamRefused: () => undefined,
      onRelief: () => undefined,
      onFailed: () => undefined,
      onClosed: () => undefined,
    },
    nowMs,
    turns: new SharedTurns({ nowMs, nextTurn: (callback) => void turns.push(callback) }),
  });
  http2.start(Buffer.concat([PREFACE, settingsFrame([])]));
  socket.written.length = 0;
  const answered = () => socket.written.reduce((sum, bytes) => sum + bytes, 0) / PING_BYTES;
  const takeTurn = () => turns.shift()?.();
  return { http2, socket, turns, answered, takeTurn };
}

const pings = (count: number) => Buffer.concat(Array.from({ length: count }, () => PING));

describe('Http2Socket', () => {
  it('does all that a usual read brought, and goes on reading', () => {
    const { socket, turns, answered } = opened({ stepMs: 0 });
    socket.emit('data', pings(3000));
    expect([answered(), socket.paused, turns.length]).toEqual([3000, false, 0]);
  });

  it('leaves what takes longer than a moment to the shared turns, in order and without reading more', () => {
    const { socket, turns, answered, takeTurn } = opened({ stepMs: 3 });
    socket.emit('data', pings(3000));
    expect(answered()).toBeLessThan(300);
    expect([socket.paused, turns.length]).toEqual([true, 1]);
    let taken = 0;
    for (; turns.length > 0; taken++) takeTurn();
    expect(taken).toBeGreaterThan(8);
    expect([answered(), socket.paused]).toEqual([3000, false]);
  });

  it('does not let a peer that fills whole reads be read again before others', () => {
    const { socket, turns, answered, takeTurn } = opened({ stepMs: 0 });
    socket.emit('data', pings(4000));
    expect([answered(), socket.paused, turns.length]).toEqual([4000, true, 1]);
    takeTurn();
    expect([socket.paused, turns.length]).toEqual([false, 0]);
  });

  it('does not read on while its peer takes nothing, and not after the end', () => {
    const { socket, takeTurn } = opened({ stepMs: 0 });
    socket.writableLength = 2 * 1024 * 1024;
    socket.emit('data', pings(4000));
    takeTurn();
    expect(socket.paused).toBe(true);
    socket.writableLength = 0;
    socket.emit('drain');
    expect(socket.paused).toBe(false);
    socket.emit('data', pings(4000));
    socket.destroyed = true;
    takeTurn();
    expect(socket.paused).toBe(true);
  });

  it('reads no more of a peer that broke a rule, and closes soon', () => {
    vi.useFakeTimers();
    const { socket, turns, takeTurn } = opened({ stepMs: 0 });
    socket.emit('data', Buffer.concat([frame({ type: FRAME.data, flags: 0, streamId: 0 }), Buffer.alloc(70_000)]));
    socket.emit('drain');
    takeTurn();
    expect([socket.paused, socket.ended, socket.destroyed, turns.length]).toEqual([true, true, false, 0]);
    vi.advanceTimersByTime(200);
    expect(socket.destroyed).toBe(true);
    vi.useRealTimers();
  });

  it('writes its last words before it closes', () => {
    const { http2, socket } = opened({ stepMs: 0 });
    http2.finish('stops');
    expect([socket.written.length, socket.ended]).toEqual([1, true]);
  });
});
