import type { Instant } from '@rollcall/runtime';
import { expect, it } from 'vitest';
import { LineBudget } from './line-budget.js';

const at = (ms: number) => ms as Instant;

it('takes 20 lines of a kind in 10 s, and tells with the next how many were left out', () => {
  const budget = new LineBudget();
  for (let n = 0; n < 20; n += 1) expect(budget.take('push-failed', at(n))).toBe(0);
  for (let n = 0; n < 500; n += 1) expect(budget.take('push-failed', at(9_999))).toBeUndefined();
  expect(budget.take('push-given-up', at(9_999))).toBe(0);
  expect(budget.take('push-failed', at(10_000))).toBe(500);
  expect(budget.take('push-failed', at(10_001))).toBe(0);
});
