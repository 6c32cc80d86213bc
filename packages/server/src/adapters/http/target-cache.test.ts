import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FastRequest } from './fast-request.js';
import { textAnswer } from './http-answer.js';
import { resolveTarget } from './resolved-target.js';
import { RouteTable } from './route-table.js';
import { TargetCache } from './target-cache.js';

const TABLE = new RouteTable([
  { method: 'GET', path: '/', summary: 'test', repeated: true, handle: () => textAnswer(200, '') },
]);
const LIMITS = { requestParameters: 10 };
const resolved = (target: string) => resolveTarget(TABLE, LIMITS, { method: 'GET', target });
const lineOf = (target: string): Buffer => Buffer.from(`GET ${target} HTTP/1.1\r\n`, 'latin1');

function cacheOf(targets: number, bytes: number, clients = 0): TargetCache {
  return new TargetCache({ targets, bytes, clients: () => clients }, (_, target) => resolved(target));
}

/** Looks a target up and offers it when it is missing, as the lane does. @returns whether it was found */
function use(cache: TargetCache, target: string): boolean {
  const line = lineOf(target);
  const found = cache.find(line, 0);
  if (found === undefined) cache.offer(line, 0, line.length, resolved(target));
  else expect(found.resolved.target).toBe(target);
  return found !== undefined;
}

describe('TargetCache', () => {
  it('finds a line that stands anywhere in the bytes', () => {
    const cache = cacheOf(10, 1000);
    use(cache, '/?a');
    const bytes = Buffer.concat([Buffer.from('xyz'), lineOf('/?a'), Buffer.from('Host: x\r\n')]);
    expect(cache.find(bytes, 3)?.resolved.target).toBe('/?a');
    expect(cache.find(bytes, 4)).toBeUndefined();
  });

  it('does not find an incomplete line', () => {
    const cache = cacheOf(10, 1000);
    use(cache, '/?a');
    const line = lineOf('/?a');
    for (let end = 0; end < line.length; end++) expect(cache.find(line.subarray(0, end), 0)).toBeUndefined();
  });

  it('keeps at most two generations', () => {
    const cache = cacheOf(8, 1_000_000);
    for (let i = 0; i < 100; i++) {
      use(cache, `/?${i}`);
      expect(cache.size).toBeLessThanOrEqual(16);
    }
  });

  it('bounds the bytes too', () => {
    const cache = cacheOf(1000, 200);
    for (let i = 0; i < 100; i++) use(cache, `/?${'x'.repeat(30)}${i}`);
    expect(cache.size).toBeLessThanOrEqual(8);
  });

  it('keeps what is in use while others pass by', () => {
    const cache = cacheOf(8, 1_000_000);
    use(cache, '/?hot');
    for (let i = 0; i < 1000; i++) {
      use(cache, `/?cold${i}`);
      expect(use(cache, '/?hot')).toBe(true);
    }
  });

  it('finds a part of a set that is too large, instead of nothing', () => {
    const cache = cacheOf(100, 1_000_000);
    let found = 0;
    for (let round = 0; round < 50; round++) {
      for (let i = 0; i < 1000; i++) if (use(cache, `/?${i}`)) found++;
    }
    expect(found).toBeGreaterThan(1000);
  });

  it('keeps nothing when it is off, and no very long line', () => {
    expect([1, 2].map(() => use(cacheOf(0, 1000), '/?a'))).toEqual([false, false]);
    const cache = cacheOf(10, 1_000_000);
    const long = `/?${'x'.repeat(5000)}`;
    expect([use(cache, long), use(cache, long)]).toEqual([false, false]);
  });

  it('keeps a line of every known client beside the bound for strangers', () => {
    const cache = cacheOf(8, 800, 1000);
    for (let i = 0; i < 1000; i++) use(cache, `/?client${i}`);
    for (let i = 0; i < 1000; i++) expect(use(cache, `/?client${i}`)).toBe(true);
    for (let i = 0; i < 100_000; i++) use(cache, `/?stranger${i}`);
    expect(cache.size).toBeLessThanOrEqual(2 * (8 + 1250));
  });

  it('resolves a line again that it let go, as it did when a memo was set', () => {
    const cache = cacheOf(10, 1000);
    const line = lineOf('/?a=1');
    use(cache, '/?a=1');
    const kept = cache.find(line, 0);
    const before = kept?.resolved;
    if (kept !== undefined) kept.value = 'memo';
    const found = cache.find(line, 0);
    expect(found?.value).toBe('memo');
    expect(found?.resolved).not.toBe(before);
    expect(found?.resolved.parameters.get('a')).toBe('1');
  });

  it('counts bodies that are kept beside a line', () => {
    const cache = cacheOf(1000, 2000);
    for (let i = 0; i < 100; i++) {
      const line = lineOf(`/?${i}`);
      const kept = cache.offer(line, 0, line.length, resolved(`/?${i}`));
      const request = new FastRequest('', LIMITS);
      Object.assign(request, { bytes: Buffer.alloc(500), bodyEnd: 500 });
      if (kept !== undefined) expect(cache.memoFor(kept, request)).toBe(kept);
      expect(cache.size).toBeLessThanOrEqual(10);
    }
  });

  it('never confuses two lines', () => {
    const target = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(target, { maxLength: 200 }), (targets) => {
        const cache = cacheOf(20, 10_000);
        for (const each of targets) use(cache, `/?${each}`);
      }),
    );
  });
});
