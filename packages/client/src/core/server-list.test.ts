import { ManualClock } from '@rollcall/runtime/testing';
import { describe, expect, test } from 'vitest';
import { ServerList } from './server-list.js';

describe('ServerList', () => {
  test('starts at a random server, each with the same chance', () => {
    const starts = [0, 0.34, 0.99].map((value) => new ServerList(['a', 'b', 'c'], () => value));
    expect(starts.map((list) => list.attempts(new ManualClock().now(), 3)[0])).toEqual(['a', 'b', 'c']);
  });

  test('keeps the server that answers and tries the others after it, each once', () => {
    const { now } = setUp();
    const list = new ServerList(['a', 'b', 'c'], () => 0);
    list.answered('b');
    expect(list.attempts(now(), 3)).toEqual(['b', 'c', 'a']);
  });

  test('tries a single server several times', () => {
    expect(new ServerList(['a'], () => 0).attempts(new ManualClock().now(), 3)).toEqual(['a', 'a', 'a']);
  });

  test('has nothing to try without servers', () => {
    expect(new ServerList([], () => 0).attempts(new ManualClock().now(), 3)).toEqual([]);
  });

  test('leaves a server alone that failed, twice as long each time, and asks it last while that lasts', () => {
    const { clock, now } = setUp();
    const list = new ServerList(['a', 'b'], () => 0);
    list.failed('a', now());
    expect(list.attempts(now(), 3)).toEqual(['b', 'a']);
    clock.advance(499);
    expect(list.attempts(now(), 3)).toEqual(['b', 'a']);
    clock.advance(1);
    expect(list.attempts(now(), 3)).toEqual(['a', 'b']);
    list.failed('a', now());
    clock.advance(999);
    expect(list.attempts(now(), 3)).toEqual(['b', 'a']);
    clock.advance(1);
    expect(list.attempts(now(), 3)).toEqual(['a', 'b']);
  });

  test('when all failed, the one that may be asked soonest is asked first', () => {
    const { now } = setUp();
    const list = new ServerList(['a', 'b'], () => 0);
    list.failed('a', now());
    list.failed('a', now());
    list.failed('b', now());
    expect(list.attempts(now(), 3)).toEqual(['b', 'a']);
  });

  test('a new list keeps the server in use and what is known of the others', () => {
    const { now } = setUp();
    const list = new ServerList(['a', 'b', 'b'], () => 0);
    list.answered('b');
    list.failed('a', now());
    expect(list.replace(['c', 'a', 'b'])).toBe(true);
    expect(list.attempts(now(), 3)).toEqual(['b', 'c', 'a']);
    expect(list.replace(['b', 'a', 'c'])).toBe(false);
    expect(list.replace(['c'])).toBe(true);
    expect(list.addresses).toEqual(['c']);
    list.answered('a');
    list.failed('a', now());
    expect(list.attempts(now(), 1)).toEqual(['c']);
  });
});

function setUp() {
  const clock = new ManualClock();
  return { clock, now: () => clock.now() };
}
