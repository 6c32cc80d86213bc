import { ManualClock, ManualTimers } from '@rollcall/runtime/testing';
import { describe, expect, test } from 'vitest';
import { ClientError } from '../../core/client-error.js';
import { serverAddresses } from '../server-address.js';
import { TokenLogin } from './token-login.js';

const CLIENTS = 500;
const CALL_EVERY_MS = 1000;
const LOGIN_TIMEOUT_MS = 3000;

/** A repeatable source of jitter, mulberry32. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Clients that call every second against a server whose logins take longer than they wait. */
function crowd() {
  const clock = new ManualClock();
  const timers = new ManualTimers(clock);
  const startedAtMs: number[] = [];
  let mostOfOneClient = 0;
  const logins = Array.from({ length: CLIENTS }, (_, index) => {
    let underWay = 0;
    return new TokenLogin({
      credentials: { username: 'u', password: 'p' },
      exchange: {
        send: () => {
          startedAtMs.push(clock.now().mono);
          mostOfOneClient = Math.max(mostOfOneClient, ++underWay);
          return new Promise((_resolve, reject) =>
            timers.once(LOGIN_TIMEOUT_MS, () => {
              underWay--;
              reject(new ClientError('deadline-exceeded', 'The login took too long'));
            }),
          );
        },
      },
      servers: () => serverAddresses('127.0.0.1:8848', 'http'),
      contextPathOf: () => '/nacos',
      clock,
      random: seeded(index),
      timeoutMs: LOGIN_TIMEOUT_MS,
      noted: () => {},
    });
  });
  const second = async (): Promise<void> => {
    for (const login of logins) void login.withToken(async () => {});
    await new Promise(setImmediate);
    timers.advance(CALL_EVERY_MS);
    await new Promise(setImmediate);
  };
  return { startedAtMs, second, mostOfOneClient: () => mostOfOneClient };
}

describe('logins that time out at a saturated server', () => {
  test('become fewer and spread out, and no client has two under way', async () => {
    const { startedAtMs, second, mostOfOneClient } = crowd();
    for (let i = 0; i < 120; i++) await second();
    const perSecond = Array.from(
      { length: 120 },
      (_, i) => startedAtMs.filter((ms) => Math.floor(ms / 1000) === i).length,
    );
    const within = (from: number, to: number) => perSecond.slice(from, to).reduce((sum, count) => sum + count, 0);
    expect(mostOfOneClient()).toBe(1);
    expect(within(0, 30)).toBeLessThanOrEqual(CLIENTS * 3);
    expect(within(90, 120)).toBeLessThan(within(0, 30) / 3);
    expect(Math.max(...perSecond.slice(60))).toBeLessThan(CLIENTS / 10);
  }, 20_000);
});
