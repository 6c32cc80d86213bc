import { ManualClock } from '@rollcall/runtime/testing';
import { expect, test } from 'vitest';
import { AlarmClock, alarm } from './alarm-clock.js';

function setUp() {
  const time = new ManualClock();
  const alarms = new AlarmClock();
  const rung: string[] = [];
  const named = (name: string) => alarm((now) => rung.push(`${name} at ${now.mono}`));
  const wakeAt = (ms: number): void => {
    time.advance(ms - time.now().mono);
    alarms.ringDue(time.now());
  };
  return { alarms, rung, named, wakeAt, now: () => time.now() };
}

test('exact alarms ring when they are due, in order of time, once', () => {
  const { alarms, rung, named, wakeAt, now } = setUp();
  for (const [name, ms] of [
    ['late', 300],
    ['early', 100],
    ['later', 301],
  ] as const)
    alarms.set(named(name), now(), ms);
  expect(alarms.next).toBe(100);
  wakeAt(99);
  wakeAt(300);
  wakeAt(300);
  expect(rung).toEqual(['early at 300', 'late at 300']);
  expect(alarms.next).toBe(301);
});

test('loose alarms ring up to 200 ms early, with another loose one that is due and not otherwise', () => {
  const { alarms, rung, named, wakeAt, now } = setUp();
  for (const [name, ms] of [
    ['a', 5000],
    ['b', 5200],
    ['c', 5201],
  ] as const)
    alarms.setLoose(named(name), now(), ms);
  alarms.set(named('exact'), now(), 4990);
  alarms.set(named('other'), now(), 5100);
  wakeAt(4990);
  expect(rung.splice(0)).toEqual(['exact at 4990']);
  wakeAt(5000);
  expect(rung.splice(0)).toEqual(['a at 5000', 'b at 5000']);
  expect(alarms.next).toBe(5100);
});

test('a loose alarm with a short delay is exact', () => {
  const { alarms, rung, named, wakeAt, now } = setUp();
  alarms.setLoose(named('a'), now(), 4000);
  alarms.setLoose(named('short'), now(), 3999);
  wakeAt(3999);
  expect(rung).toEqual(['short at 3999']);
});

test('an alarm that is set again, either way, or cleared has one time or none', () => {
  const { alarms, rung, named, wakeAt, now } = setUp();
  const [moved, cleared] = [named('moved'), named('cleared')];
  alarms.setLoose(moved, now(), 5000);
  alarms.set(moved, now(), 6000);
  alarms.set(cleared, now(), 100);
  alarms.setLoose(cleared, now(), 5000);
  alarms.clear(cleared);
  wakeAt(6000);
  expect(rung).toEqual(['moved at 6000']);
  expect(alarms.next).toBeUndefined();
});
