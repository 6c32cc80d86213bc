import { describe, expect, it } from 'vitest';
import { CoreFixture, hostOf, metadataOf, serviceOf } from '../testing/core-fixture.js';

const orders = serviceOf('orders');
const one = hostOf(1);

describe('a lease', () => {
  it('ends at exactly 15 s and 30 s after the last beat', () => {
    const registry = new CoreFixture();
    registry.register(orders, one);
    registry.advance(7000);
    expect(registry.beat(orders, one)).toEqual({ known: true, beatIntervalMs: undefined });
    registry.advance(14_999);
    expect(registry.list(orders)).toEqual(['10.0.0.1:8080/DEFAULT']);
    registry.advance(1);
    expect(registry.list(orders)).toEqual(['-10.0.0.1:8080/DEFAULT']);
    registry.advance(14_999);
    expect(registry.list(orders)).toEqual(['-10.0.0.1:8080/DEFAULT']);
    registry.advance(1);
    expect(registry.list(orders)).toEqual([]);
    expect(registry.events('instance-unhealthy').map((event) => event.at.mono)).toEqual([22_000]);
    expect(registry.events('instance-removed').map((event) => event.at.mono)).toEqual([37_000]);
  });

  it('follows the preserved keys', () => {
    const registry = new CoreFixture();
    const metadata = metadataOf({
      'preserved.heart.beat.interval': '1000',
      'preserved.heart.beat.timeout': '3000',
      'preserved.ip.delete.timeout': '6000',
    });
    registry.register(orders, one, { metadata });
    expect(registry.beat(orders, one)).toEqual({ known: true, beatIntervalMs: 1000 });
    registry.advance(2999);
    expect(registry.list(orders)).toEqual(['10.0.0.1:8080/DEFAULT']);
    registry.advance(1);
    expect(registry.list(orders)).toEqual(['-10.0.0.1:8080/DEFAULT']);
    registry.advance(3000);
    expect(registry.list(orders)).toEqual([]);
  });

  it('takes values that are no digits as the defaults', () => {
    const registry = new CoreFixture();
    const metadata = metadataOf({ 'preserved.heart.beat.timeout': 'abc', 'preserved.ip.delete.timeout': '-1' });
    registry.register(orders, one, { metadata });
    registry.advance(14_999);
    expect(registry.list(orders)).toEqual(['10.0.0.1:8080/DEFAULT']);
    registry.advance(15_001);
    expect(registry.list(orders)).toEqual([]);
  });

  it('removes without turning unhealthy first when the delete timeout is the shorter one', () => {
    const registry = new CoreFixture();
    registry.register(orders, one, { metadata: metadataOf({ 'preserved.ip.delete.timeout': '2000' }) });
    registry.advance(2000);
    expect(registry.list(orders)).toEqual([]);
    expect(registry.events('instance-unhealthy')).toEqual([]);
  });

  it('shortened by a new registration ends early', () => {
    const registry = new CoreFixture();
    registry.register(orders, one);
    registry.register(orders, one, { metadata: metadataOf({ 'preserved.heart.beat.timeout': '1000' }) });
    registry.advance(1000);
    expect(registry.list(orders)).toEqual(['-10.0.0.1:8080/DEFAULT']);
  });

  it('is healed by a beat after it ran out, with one event each', () => {
    const registry = new CoreFixture();
    registry.register(orders, one);
    registry.advance(20_000);
    registry.beat(orders, one);
    expect(registry.list(orders)).toEqual(['10.0.0.1:8080/DEFAULT']);
    registry.advance(14_999);
    expect(registry.list(orders)).toEqual(['10.0.0.1:8080/DEFAULT']);
    registry.advance(1);
    expect(registry.list(orders)).toEqual(['-10.0.0.1:8080/DEFAULT']);
    expect(registry.events('instance-healthy')).toHaveLength(1);
    expect(registry.events('instance-unhealthy')).toHaveLength(2);
  });

  it('registered unhealthy turns healthy with the first beat', () => {
    const registry = new CoreFixture();
    registry.register(orders, one, { healthy: false });
    expect(registry.list(orders)).toEqual(['-10.0.0.1:8080/DEFAULT']);
    registry.beat(orders, one);
    expect(registry.list(orders)).toEqual(['10.0.0.1:8080/DEFAULT']);
  });

  it('gets a full time again with a new registration, which also decides health', () => {
    const registry = new CoreFixture();
    registry.register(orders, one);
    registry.advance(20_000);
    registry.register(orders, one);
    expect(registry.list(orders)).toEqual(['10.0.0.1:8080/DEFAULT']);
    registry.advance(14_999);
    expect(registry.list(orders)).toEqual(['10.0.0.1:8080/DEFAULT']);
  });

  it('expires for disabled instances too', () => {
    const registry = new CoreFixture();
    registry.register(orders, one, { enabled: false });
    registry.advance(30_000);
    expect(registry.list(orders)).toEqual([]);
  });

  it('moves by a pause of the whole process', () => {
    const registry = new CoreFixture();
    registry.register(orders, one);
    registry.clock.advance(10_000);
    registry.step({ type: 'paused', ms: 9_000 });
    registry.advance(13_999);
    expect(registry.list(orders)).toEqual(['10.0.0.1:8080/DEFAULT']);
    registry.advance(1);
    expect(registry.list(orders)).toEqual(['-10.0.0.1:8080/DEFAULT']);
  });

  it('does not look at the wall clock', () => {
    const registry = new CoreFixture();
    registry.register(orders, one);
    registry.clock.setWall(0);
    registry.advance(14_999);
    expect(registry.list(orders)).toEqual(['10.0.0.1:8080/DEFAULT']);
    registry.advance(1);
    expect(registry.list(orders)).toEqual(['-10.0.0.1:8080/DEFAULT']);
  });
});

describe('a beat', () => {
  it('of an unknown instance registers nothing when light', () => {
    const registry = new CoreFixture();
    expect(registry.beat(orders, one)).toEqual({ known: false });
    expect(registry.list(orders)).toBeUndefined();
    registry.register(orders, one);
    expect(registry.beat(orders, hostOf(1, 'other'))).toEqual({ known: false });
    expect(registry.beat(orders, hostOf(2))).toEqual({ known: false });
  });

  it('of an unknown instance registers it when full', () => {
    const registry = new CoreFixture();
    registry.beat(orders, one, { weight: 7, metadata: metadataOf({ v: '1' }) });
    const host = registry.core.view(orders.id)?.hosts[0];
    expect([host?.weight, host?.metadata.get('v'), host?.healthy]).toEqual([7, '1', true]);
  });

  it('of a known instance changes nothing but the time of the last sign of life', () => {
    const registry = new CoreFixture();
    registry.register(orders, one, { weight: 3 });
    const view = registry.core.view(orders.id);
    registry.effects.length = 0;
    registry.advance(5000);
    registry.beat(orders, one, { weight: 9 });
    expect(registry.core.view(orders.id)).toBe(view);
    expect(registry.effects).toEqual([]);
    expect(view?.hosts[0]?.lastBeat).toBe(registry.clock.now().wall);
  });

  it('after a deregistration is unknown when light and registers when full', () => {
    const registry = new CoreFixture();
    registry.register(orders, one);
    registry.deregister(orders, one);
    expect(registry.list(orders)).toEqual([]);
    expect(registry.beat(orders, one)).toEqual({ known: false });
    registry.beat(orders, one, {});
    expect(registry.list(orders)).toEqual(['10.0.0.1:8080/DEFAULT']);
  });

  it('costs the deadline queue nothing however many there are', () => {
    const registry = new CoreFixture();
    for (let n = 1; n <= 200; n += 1) registry.register(orders, hostOf(n));
    const before = registry.core.nextDeadline();
    registry.clock.advance(1000);
    for (let n = 1; n <= 200; n += 1) registry.beat(orders, hostOf(n));
    expect(registry.core.nextDeadline()).toBe(before);
  });
});

describe('expiry', () => {
  it('stands still while the switch is off and catches up when it is on again', () => {
    const registry = new CoreFixture();
    const { switches } = registry.core;
    registry.step({
      type: 'store',
      changes: [{ type: 'switches', value: { ...switches, healthCheckEnabled: false } }],
      actor: { via: 'operator' },
    });
    registry.register(orders, one);
    registry.advance(60_000);
    expect(registry.list(orders)).toEqual(['10.0.0.1:8080/DEFAULT']);
    registry.step({ type: 'store', changes: [{ type: 'switches', value: switches }], actor: { via: 'operator' } });
    registry.step({ type: 'tick' });
    expect(registry.list(orders)).toEqual([]);
  });
});

describe('a service that nobody made', () => {
  it('vanishes 60 s after its last instance', () => {
    const registry = new CoreFixture();
    registry.register(orders, one);
    registry.deregister(orders, one);
    registry.advance(59_999);
    expect(registry.list(orders)).toEqual([]);
    registry.advance(1);
    expect(registry.list(orders)).toBeUndefined();
    expect(registry.core.counts.services).toBe(0);
  });

  it('is reported when it appears and when it vanishes', () => {
    const registry = new CoreFixture();
    registry.register(orders, one);
    registry.register(orders, hostOf(2));
    expect(registry.events('service-appeared')).toHaveLength(1);
    registry.advance(90_000);
    expect(registry.events('service-vanished')).toHaveLength(1);
  });

  it('leaves nothing behind when its first registration is refused', () => {
    const registry = new CoreFixture({ limits: { serviceInstances: 0 } });
    expect(() => registry.register(orders, one)).toThrow(/found 0 instances in the service, allowed are 0/);
    expect(registry.list(orders)).toBeUndefined();
    registry.advance(60_000);
    expect(registry.core.counts.services).toBe(0);
  });
});

it('counts beats of known instances, and those that were asked to register', () => {
  const registry = new CoreFixture();
  registry.beat(orders, one);
  registry.beat(orders, one, {});
  registry.beat(orders, one);
  expect(registry.core.beats).toEqual({ known: 2, unknown: 1 });
});
