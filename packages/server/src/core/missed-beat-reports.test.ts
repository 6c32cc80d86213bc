import { describe, expect, it } from 'vitest';
import { CoreFixture, serviceOf } from '../testing/core-fixture.js';
import { addressOf } from './instance-address.js';
import { MISSED_REPORTS_MAX } from './missed-beat-reports.js';

/** Registers so many instances at once and lets all of them miss a beat. */
function lateFixture(instances: number): CoreFixture {
  const fixture = new CoreFixture();
  for (let i = 0; i < instances; i++) {
    const service = serviceOf(`s${i % 10}`);
    fixture.register(service, addressOf(`10.1.${i >> 8}.${i & 255}`, 8080, 'DEFAULT'));
  }
  fixture.advance(8000);
  return fixture;
}

const missed = (fixture: CoreFixture) => fixture.events('beat-missed').length;
const many = (fixture: CoreFixture) =>
  fixture.effects.filter((effect) => effect.type === 'server-event' && effect.event.type === 'many-beats-late').length;

describe('missed beats', () => {
  it('are reported one by one up to a bound, and beyond it as one fact about the server', () => {
    const few = lateFixture(MISSED_REPORTS_MAX);
    expect([missed(few), many(few)]).toEqual([MISSED_REPORTS_MAX, 0]);
    const crowd = lateFixture(MISSED_REPORTS_MAX + 500);
    expect([missed(crowd), many(crowd)]).toEqual([MISSED_REPORTS_MAX, 1]);
  });

  it('turn an instance unhealthy at the same moment whether they were reported or not', () => {
    const fixture = lateFixture(MISSED_REPORTS_MAX + 500);
    const unhealthy = () => fixture.events('instance-unhealthy').length;
    fixture.advance(6999);
    expect(unhealthy()).toBe(0);
    fixture.advance(1);
    expect(unhealthy()).toBe(MISSED_REPORTS_MAX + 500);
  });
});
