import { after, type Instant } from '@rollcall/runtime';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SWITCHES } from '../../core/switches.js';
import { hostOf, serviceOf } from '../../testing/core-fixture.js';
import type { ProbeOutcome } from './probe-outcome.js';
import { ProbeSchedule } from './probe-schedule.js';
import type { ProbeTarget } from './probe-target.js';

const SERVICE = serviceOf('shop');
const START = 0 as Instant;
const INTERVALS = DEFAULT_SWITCHES.tcpHealthParams;

const ok: ProbeOutcome = { type: 'ok', ms: 1 };
const timeout: ProbeOutcome = { type: 'timeout', ms: 500 };
const refused: ProbeOutcome = { type: 'refused', ms: 1 };
const notProbed: ProbeOutcome = { type: 'not-probed', ms: 0 };
const status = (code: number): ProbeOutcome => ({ type: 'bad-status', status: code, ms: 1 });

/** One target whose health is what the schedule decides. */
class Probed {
  readonly schedule: ProbeSchedule;
  now = START;
  healthy = true;

  constructor(random = 0) {
    this.schedule = new ProbeSchedule({ random: () => random, inFlightMax: 1 });
    this.schedule.add(SERVICE, hostOf(1), START);
  }

  /** Waits for the next probe and lets it find something. @returns ms waited */
  probe(outcome: ProbeOutcome): number {
    const due = this.schedule.nextDue() as Instant;
    const waitedMs = due - this.now;
    this.now = due;
    const target = this.schedule.takeDue(due) as ProbeTarget;
    const judgement = { intervals: INTERVALS, checkTimes: 3, healthy: this.healthy };
    this.healthy = this.schedule.finish(target, outcome, judgement, this.now) ?? this.healthy;
    return waitedMs;
  }

  probeAll(...outcomes: readonly ProbeOutcome[]): readonly boolean[] {
    return outcomes.map((outcome) => {
      this.probe(outcome);
      return this.healthy;
    });
  }
}

describe('findings', () => {
  it.each([
    ['time-outs', timeout],
    ['302', status(302)],
    ['503', status(503)],
    ['broken connections', { type: 'error', ms: 1 } as const],
  ])('%s make an instance unhealthy at the third in a row', (_, outcome) => {
    expect(new Probed().probeAll(outcome, outcome, outcome)).toEqual([true, true, false]);
  });

  it.each([
    ['refusal', refused],
    ['404', status(404)],
    ['500', status(500)],
    ['SQL error', { type: 'sql-error', ms: 1 } as const],
  ])('one %s makes it unhealthy', (_, outcome) => {
    expect(new Probed().probeAll(outcome)).toEqual([false]);
  });

  it('a good probe between bad ones starts the count anew', () => {
    expect(new Probed().probeAll(timeout, timeout, ok, timeout, timeout, timeout)).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it('three good ones in a row make it healthy again', () => {
    const probed = new Probed();
    expect(probed.probeAll(refused, ok, ok, refused, ok, ok, ok)).toEqual([
      false,
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  it('a probe that was not made says nothing, whatever stands around it', () => {
    expect(new Probed().probeAll(timeout, notProbed, timeout, notProbed, timeout)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it('health equals the rule over any history', () => {
    const finding = fc.constantFrom(ok, timeout, refused, notProbed, status(404), status(503));
    fc.assert(
      fc.property(
        fc.array(finding, { maxLength: 40 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (all, random) => {
          const probed = new Probed(random);
          all.forEach((outcome, index) => {
            probed.probe(outcome);
            expect(probed.healthy).toBe(healthAfter(all.slice(0, index + 1)));
          });
        },
      ),
    );
  });
});

/** The rule said another way: the newest run of three alike, or refusal, that is not followed by a later one decides. */
function healthAfter(outcomes: readonly ProbeOutcome[]): boolean {
  const said = outcomes.filter(({ type }) => type !== 'not-probed');
  for (let end = said.length; end > 0; end--) {
    const last = said[end - 1] as ProbeOutcome;
    if (isDead(last)) return false;
    const run = said.slice(Math.max(0, end - 3), end);
    if (run.length === 3 && run.every(({ type }) => (type === 'ok') === (last.type === 'ok')))
      return last.type === 'ok';
  }
  return true;
}

const isDead = (outcome: ProbeOutcome) =>
  outcome.type === 'refused' || (outcome.type === 'bad-status' && outcome.status === 404);

describe('times', () => {
  it.each([
    [0, 2000],
    [0.5, 4500],
    [0.9999, 6999.5],
  ])('first probe with random %d after %d ms', (random, ms) => {
    expect(new Probed(random).probe(ok)).toBeCloseTo(ms, 6);
  });

  it('the interval is a weighted average of response times, not below its minimum', () => {
    const probed = new Probed();
    const waited = [ok, ok, ok, ok].map((outcome) => probed.probe(outcome));
    expect(waited[1]).toBeCloseTo(0.75 * 2000 + 0.25 * 1, 6);
    expect(waited[2]).toBeCloseTo(0.75 * 1500.25 + 0.25 * 1, 6);
    expect(waited[3]).toBe(1000);
  });

  it('the interval is not above its maximum', () => {
    const probed = new Probed();
    for (let round = 0; round < 20; round++) probed.probe({ type: 'timeout', ms: 60_000 });
    expect(probed.probe(ok)).toBe(5000);
  });

  it('intervals stay within their bounds, shortened by a tenth at most', () => {
    const random = fc.double({ min: 0, max: 0.999, noNaN: true });
    const times = fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 2, maxLength: 50 });
    fc.assert(
      fc.property(random, times, (number, all) => {
        const probed = new Probed(number);
        const waited = all.map((ms) => probed.probe({ type: 'ok', ms })).slice(1);
        for (const ms of waited) {
          expect(ms).toBeGreaterThanOrEqual(900 - 1e-6);
          expect(ms).toBeLessThanOrEqual(5000 + 1e-6);
        }
      }),
    );
  });
});

describe('places', () => {
  it('no more probes are under way than allowed', () => {
    const schedule = new ProbeSchedule({ random: () => 0, inFlightMax: 2 });
    for (const n of [1, 2, 3]) schedule.add(SERVICE, hostOf(n), START);
    const now = after(START, 2000);
    const first = schedule.takeDue(now) as ProbeTarget;
    const second = schedule.takeDue(now) as ProbeTarget;
    expect(schedule.takeDue(now)).toBeUndefined();
    expect(schedule.nextDue()).toBeUndefined();
    schedule.postpone(first, 1000, now);
    expect(schedule.nextDue()).toBe(now);
    const third = schedule.takeDue(now) as ProbeTarget;
    expect(new Set([first, second, third]).size).toBe(3);
  });

  it('what a removed target finds changes nothing and gives its place back', () => {
    const schedule = new ProbeSchedule({ random: () => 0, inFlightMax: 1 });
    schedule.add(SERVICE, hostOf(1), START);
    const now = after(START, 2000);
    const target = schedule.takeDue(now) as ProbeTarget;
    expect(schedule.remove(SERVICE, hostOf(1))).toBe(true);
    const judgement = { intervals: INTERVALS, checkTimes: 3, healthy: true };
    expect(schedule.finish(target, refused, judgement, now)).toBeUndefined();
    expect([schedule.size, schedule.inFlight, schedule.nextDue()]).toEqual([0, 0, undefined]);
  });

  it('a target is added once', () => {
    const schedule = new ProbeSchedule({ random: () => 0, inFlightMax: 1 });
    schedule.add(SERVICE, hostOf(1), START);
    schedule.add(SERVICE, hostOf(1), after(START, 1000));
    expect([schedule.size, schedule.nextDue()]).toEqual([1, 2000]);
  });
});
