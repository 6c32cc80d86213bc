import { ManualClock } from '@rollcall/runtime/testing';
import { describe, expect, test } from 'vitest';
import { LoginSchedule } from './login-schedule.js';

function setUp(random = 0) {
  const clock = new ManualClock();
  return { clock, login: new LoginSchedule(() => random), now: () => clock.now() };
}

describe('LoginSchedule', () => {
  test.each([
    ['a fifteenth', 0, 18_000_000 - 1_200_000],
    ['a tenth', 1, 18_000_000 - 1_800_000],
  ])('renews %s of the life before its end', (_name, random, dueMs) => {
    const { clock, login, now } = setUp(random);
    expect(login.isDue(now())).toBe(true);
    login.loggedIn('t', 18_000, now());
    clock.advance(dueMs - 1);
    expect(login.isDue(now())).toBe(false);
    clock.advance(1);
    expect(login.isDue(now())).toBe(true);
    expect(login.token).toBe('t');
  });

  test('a token that lives shorter than 5 s does not cause more than one login in 5 s', () => {
    const { clock, login, now } = setUp();
    login.loggedIn('t', 1, now());
    clock.advance(4999);
    expect(login.isDue(now())).toBe(false);
    clock.advance(1);
    expect(login.isDue(now())).toBe(true);
  });

  test.each(['', 'AUTH_DISABLED'])(
    'BR-146 token "%s" of a server without authentication is not sent, and asked for once per life',
    (token) => {
      const { clock, login, now } = setUp();
      login.loggedIn(token, 0, now());
      clock.advance(3_600_000);
      expect(login.token).toBe('');
      expect(login.isDue(now())).toBe(false);
    },
  );

  test('BR-145 a refused token causes one login; refused for good, one in 5 s', () => {
    const { clock, login, now } = setUp();
    login.loggedIn('old', 18_000, now());
    clock.advance(60_000);
    expect(login.refused('old', now())).toBe(true);
    expect(login.isDue(now())).toBe(true);
    login.loggedIn('new', 18_000, now());
    expect(login.refused('old', now())).toBe(true);
    expect(login.refused('new', now())).toBe(false);
    clock.advance(5000);
    expect(login.refused('new', now())).toBe(true);
  });

  test('BR-147 failed logins wait longer each time and keep the old token', () => {
    const { clock, login, now } = setUp();
    login.loggedIn('old', 18_000, now());
    clock.advance(18_000_000);
    const waits: number[] = [];
    for (let round = 0; round < 7; round++) {
      login.failed(now());
      let waitMs = 0;
      while (!login.isDue(now())) {
        clock.advance(1000);
        waitMs += 1000;
      }
      waits.push(waitMs);
    }
    expect(waits).toEqual([5000, 10_000, 20_000, 40_000, 80_000, 150_000, 150_000]);
    expect(login.token).toBe('old');
  });
});
