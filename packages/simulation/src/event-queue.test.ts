import { describe, expect, it } from 'vitest';
import { EventQueue } from './event-queue.js';
import { SeededRandom } from './seeded-random.js';

describe('the event queue', () => {
  it('keeps order of time, and at one time the order of asking', () => {
    const queue = new EventQueue();
    const random = new SeededRandom(1, 'order');
    const seen: [at: number, order: number][] = [];
    for (let order = 0; order < 500; order += 1) {
      const at = random.integer(0, 50);
      queue.at(at, () => seen.push([queue.now, order]));
    }
    queue.runUntil(50);
    expect(seen).toHaveLength(500);
    expect(seen).toEqual([...seen].sort(([a, first], [b, second]) => a - b || first - second));
  });

  it('stops at the end that is asked for, and goes on from there', () => {
    const queue = new EventQueue();
    const seen: number[] = [];
    queue.after(10, () => queue.after(10, () => seen.push(queue.now)));
    queue.runUntil(19);
    expect([queue.now, seen]).toEqual([19, []]);
    queue.runUntil(20);
    expect(seen).toEqual([20]);
  });
});
