import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Deadline, DeadlineQueue } from './deadline-queue.js';
import type { Instant } from './time.js';

const deadline = (): Deadline => ({ dueAt: 0 as Instant, heapIndex: -1 });

describe('DeadlineQueue', () => {
  it('agrees with a sorted list for any sequence of arming, moving, taking out and popping', () => {
    const command = fc.record({ do: fc.constantFrom('arm', 'disarm', 'pop'), which: fc.nat(9), at: fc.nat(20) });
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        const queue = new DeadlineQueue<Deadline>();
        const all = Array.from({ length: 10 }, deadline);
        const model = new Map<Deadline, number>();
        for (const { do: what, which, at } of commands) {
          const entry = all[which] as Deadline;
          if (what === 'arm') {
            queue.arm(entry, at as Instant);
            model.set(entry, at);
          } else if (what === 'disarm') {
            queue.disarm(entry);
            model.delete(entry);
          } else {
            const due = queue.popDue(at as Instant);
            const first = Math.min(...model.values());
            if (due === undefined) expect(first > at).toBe(true);
            else {
              expect(model.get(due)).toBe(first);
              model.delete(due);
            }
          }
          expect(queue.size).toBe(model.size);
          expect(queue.first()).toBe(model.size === 0 ? undefined : Math.min(...model.values()));
        }
      }),
    );
  });
});
