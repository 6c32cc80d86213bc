import { ManualClock } from '@rollcall/runtime/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConnectionEffect, type ConnectionInput, ConnectionPlan } from './connection-plan.js';

const HEALTH_IDLE_MS = 5000;

class Harness {
  readonly clock = new ManualClock();
  readonly effects: ConnectionEffect[] = [];
  readonly plan: ConnectionPlan;

  constructor(servers: readonly string[], random: () => number = () => 0) {
    this.plan = new ConnectionPlan(servers, random, (effect) => this.effects.push(effect));
    this.step({ type: 'start' });
  }

  get nowMs(): number {
    return this.clock.now().mono;
  }

  step(input: ConnectionInput): void {
    this.plan.step(input, this.clock.now());
  }

  advance(ms: number): void {
    const end = this.nowMs + ms;
    for (;;) {
      const next = this.plan.nextDeadline();
      if (next === undefined || next > end) break;
      this.clock.advance(Math.max(0, next - this.nowMs));
      this.step({ type: 'woken' });
    }
    this.clock.advance(end - this.nowMs);
  }

  /** What was done since the last look, in short. */
  done(): string[] {
    return this.effects.splice(0).map((effect) => {
      if (effect.type === 'connect') return `connect ${effect.server} #${effect.attempt}`;
      if (effect.type === 'lost' || effect.type === 'unreachable') return effect.type;
      return `${effect.type} #${effect.attempt}`;
    });
  }

  fail(attempt: number): void {
    this.step({ type: 'gone', attempt, reason: 'scripted' });
  }
}

describe('finding a server', () => {
  it('tries each server once, says that none is there, and waits longer after each pass', () => {
    const harness = new Harness(['a', 'b']);
    expect(harness.done()).toEqual(['connect a #1']);
    harness.fail(1);
    expect(harness.done()).toEqual(['connect b #2']);
    harness.fail(2);
    expect(harness.done()).toEqual(['unreachable']);
    const waits: number[] = [];
    for (let attempt = 3; attempt < 19; attempt++) {
      const from = harness.nowMs;
      const next = harness.plan.nextDeadline() ?? 0;
      harness.advance(Math.max(0, next - from));
      harness.fail(attempt);
      if (next > from) waits.push(next - from);
    }
    expect(waits).toEqual([100, 200, 400, 800, 1600, 2500, 2500, 2500]);
  });

  it('spreads the first tries of a thousand clients that lost the same server', () => {
    const delays = Array.from({ length: 1000 }, (_, index) => {
      const harness = new Harness(['a'], () => index / 1000);
      harness.step({ type: 'connected', attempt: 1 });
      harness.fail(1);
      return harness.plan.nextDeadline() ?? -1;
    });
    expect(new Set(delays).size).toBeGreaterThan(200);
    expect(Math.max(...delays)).toBeLessThanOrEqual(300);
  });

  it('starts when servers become known, and not before', () => {
    const harness = new Harness([]);
    harness.advance(60_000);
    expect(harness.done()).toEqual([]);
    harness.step({ type: 'servers', addresses: ['a'] });
    expect(harness.done()).toEqual(['connect a #1']);
  });

  it('ignores news of attempts that are over', () => {
    const harness = new Harness(['a']);
    harness.fail(1);
    harness.advance(1000);
    harness.done();
    harness.step({ type: 'connected', attempt: 1 });
    harness.step({ type: 'gone', attempt: 1, reason: 'late' });
    expect(harness.done()).toEqual([]);
    harness.step({ type: 'connected', attempt: 2 });
    expect(harness.done()).toEqual(['opened #2']);
  });
});

describe('an open connection', () => {
  function opened(servers = ['a', 'b']): Harness {
    const harness = new Harness(servers);
    harness.step({ type: 'connected', attempt: 1 });
    harness.done();
    return harness;
  }

  it('is asked after five seconds of silence, once, and again five seconds after it answered', () => {
    const harness = opened();
    harness.advance(HEALTH_IDLE_MS - 1);
    expect(harness.done()).toEqual([]);
    harness.advance(1);
    expect(harness.done()).toEqual(['check #1']);
    harness.advance(60_000);
    expect(harness.done()).toEqual([]);
    harness.step({ type: 'heard', attempt: 1 });
    harness.advance(HEALTH_IDLE_MS);
    expect(harness.done()).toEqual(['check #1']);
  });

  it('is not asked while something comes in', () => {
    const harness = opened();
    for (let i = 0; i < 20; i++) {
      harness.advance(HEALTH_IDLE_MS - 1);
      harness.step({ type: 'heard', attempt: 1 });
    }
    expect(harness.done()).toEqual([]);
  });

  it('is asked once after the machine slept for an hour', () => {
    const harness = opened();
    harness.clock.advance(3_600_000);
    harness.step({ type: 'woken' });
    expect(harness.done()).toEqual(['check #1']);
  });

  it('does not care about a wall clock that jumps', () => {
    const harness = opened();
    harness.clock.setWall(0);
    harness.step({ type: 'woken' });
    expect(harness.done()).toEqual([]);
    expect(harness.plan.nextDeadline()).toBe(HEALTH_IDLE_MS);
  });

  it('is asked at once when a call stayed without answer', () => {
    const harness = opened();
    harness.step({ type: 'suspected', attempt: 1 });
    harness.step({ type: 'suspected', attempt: 1 });
    expect(harness.done()).toEqual(['check #1']);
  });

  it('that is gone is replaced by one to another server', () => {
    const harness = opened();
    harness.fail(1);
    expect(harness.done()).toEqual(['close #1', 'lost', 'connect b #2']);
  });
});

describe('a server that sends its client away', () => {
  function sent(target: string | undefined, servers = ['a', 'b', 'c']): Harness {
    const harness = new Harness(servers);
    harness.step({ type: 'connected', attempt: 1 });
    harness.done();
    harness.step({ type: 'sent-away', attempt: 1, target });
    return harness;
  }

  it('is left for the one it names when that is known, else for the next', () => {
    expect(sent('c').done()).toEqual(['connect c #2']);
    expect(sent(undefined).done()).toEqual(['connect b #2']);
    expect(sent('unknown').done()).toEqual(['connect b #2']);
    expect(sent(undefined, ['a']).done()).toEqual(['connect a #2']);
  });

  it('keeps its connection until two seconds after the new one is there', () => {
    const harness = sent('b');
    harness.step({ type: 'connected', attempt: 2 });
    expect(harness.done()).toEqual(['connect b #2', 'opened #2']);
    harness.advance(1999);
    expect(harness.done()).toEqual([]);
    harness.advance(1);
    expect(harness.done()).toEqual(['close #1']);
  });

  it('is stayed with when nobody else is there', () => {
    const harness = sent('b', ['a', 'b']);
    harness.fail(2);
    harness.fail(3);
    expect(harness.done()).toEqual(['connect b #2', 'connect a #3']);
    harness.advance(HEALTH_IDLE_MS);
    expect(harness.done()).toEqual(['check #1']);
  });

  it('and ends meanwhile loses its client to the one that is being tried', () => {
    const harness = sent('b');
    harness.done();
    harness.fail(1);
    expect(harness.done()).toEqual(['close #1', 'lost']);
    harness.step({ type: 'connected', attempt: 2 });
    expect(harness.done()).toEqual(['opened #2']);
  });

  it('is left too when it is taken from the list', () => {
    const harness = new Harness(['a', 'b']);
    harness.step({ type: 'connected', attempt: 1 });
    harness.done();
    harness.step({ type: 'servers', addresses: ['c'] });
    expect(harness.done()).toEqual(['connect c #2']);
  });
});

it('whatever happens: one attempt at a time, each connection closed or reported gone, and never idle without a connection', () => {
  const event = fc.oneof(
    fc.record({ kind: fc.constantFrom('connected', 'gone', 'heard', 'suspected', 'sent-away'), back: fc.nat(3) }),
    fc.record({ kind: fc.constant('advance'), back: fc.nat(8000) }),
    fc.record({ kind: fc.constant('servers'), back: fc.nat(2) }),
  );
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 60 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (events, random) => {
        const harness = new Harness(['a', 'b'], () => random);
        const alive = new Set<number>();
        const open = new Set<number>();
        let trying: number | undefined;
        let last = 0;
        const take = (): void => {
          for (const effect of harness.effects.splice(0)) {
            if (effect.type === 'connect') {
              expect(trying).toBeUndefined();
              trying = effect.attempt;
              last = effect.attempt;
              alive.add(effect.attempt);
            } else if (effect.type === 'close') {
              expect(alive.delete(effect.attempt) || !open.has(effect.attempt)).toBe(true);
              open.delete(effect.attempt);
            } else if (effect.type === 'opened') open.add(effect.attempt);
          }
        };
        take();
        for (const { kind, back } of events) {
          const attempt = Math.max(1, last - back);
          if (kind === 'advance') harness.advance(back);
          else if (kind === 'servers')
            harness.step({ type: 'servers', addresses: [['a'], ['a', 'b'], ['b', 'c']][back] ?? [] });
          else if (kind === 'sent-away') harness.step({ type: 'sent-away', attempt, target: undefined });
          else if (kind === 'connected') {
            if (attempt !== trying) continue;
            trying = undefined;
            harness.step({ type: 'connected', attempt });
          } else if (kind === 'gone') {
            if (!alive.has(attempt)) continue;
            alive.delete(attempt);
            open.delete(attempt);
            if (attempt === trying) trying = undefined;
            harness.step({ type: 'gone', attempt, reason: 'scripted' });
          } else harness.step({ type: kind as 'heard' | 'suspected', attempt });
          take();
          expect(open.size).toBeLessThanOrEqual(2);
          if (open.size === 0) expect(trying !== undefined || harness.plan.nextDeadline() !== undefined).toBe(true);
        }
      },
    ),
  );
});
