import { describe, expect, it } from 'vitest';
import { IdleWatch } from './idle-watch.js';

const watchFrom = (now: number) => new IdleWatch({ idleMs: 20_000, detectionMs: 5_000, now });

describe('IdleWatch', () => {
  it('asks after 20 s of silence and gives up 5 s later', () => {
    const watch = watchFrom(1000);
    expect(watch.check(20_999)).toBe('alive');
    expect(watch.check(21_000)).toBe('ask');
    expect(watch.check(25_999)).toBe('alive');
    expect(watch.check(26_000)).toBe('give-up');
  });

  it('never gives up a client that answers the question', () => {
    const watch = watchFrom(0);
    expect(watch.check(20_000)).toBe('ask');
    watch.sign(24_999);
    expect(watch.check(25_000)).toBe('alive');
    expect(watch.check(44_998)).toBe('alive');
    expect(watch.check(44_999)).toBe('ask');
  });
});
