import { NO_METADATA } from '@rollcall/protocol';
import { describe, expect, it } from 'vitest';
import { CoreFixture, contentOf, hostOf, metadataOf, serviceOf } from '../testing/core-fixture.js';
import {
  type EditPlan,
  planMetadataRemoval,
  planMetadataSet,
  planPatch,
  planReset,
  planUpdate,
  storeChangesOf,
} from './edit-plan.js';
import type { InstanceRecord } from './instance-record.js';
import type { StoreChange } from './store-change.js';

const orders = serviceOf('orders');
const one = hostOf(1);
const operator = { via: 'operator' } as const;

function edit(registry: CoreFixture, plan: (record: InstanceRecord) => EditPlan): void {
  const record = registry.core.instance(orders.id, 'ephemeral', one.key) as InstanceRecord;
  const planned = plan(record);
  registry.step({ type: 'store', changes: storeChangesOf(record, planned), actor: operator });
  if (planned.base !== record.current.base)
    registry.step({ type: 'rebase', service: orders, address: one, content: planned.base, actor: operator });
}

function shown(registry: CoreFixture): unknown {
  const host = registry.core.view(orders.id)?.hosts[0];
  return host && { weight: host.weight, enabled: host.enabled, metadata: Object.fromEntries(host.metadata) };
}

describe("an operator's edit", () => {
  it('by PUT shows exactly what was asked, and its fields stay over the next registration', () => {
    const registry = new CoreFixture();
    registry.register(orders, one, { weight: 3, metadata: metadataOf({ v: '1', zone: 'a' }) });
    edit(registry, (record) => planUpdate(record, { enabled: false, metadata: metadataOf({ v: '2' }) }));
    expect(shown(registry)).toEqual({ weight: 1, enabled: false, metadata: { v: '2' } });
    registry.register(orders, one, { weight: 4, metadata: metadataOf({ v: '1', zone: 'b' }) });
    expect(shown(registry)).toEqual({ weight: 4, enabled: false, metadata: { v: '2', zone: 'b' } });
  });

  it('by PATCH changes only what is carried', () => {
    const registry = new CoreFixture();
    registry.register(orders, one, { weight: 3, metadata: metadataOf({ v: '1' }) });
    edit(registry, (record) => planPatch(record, { enabled: false }));
    expect(shown(registry)).toEqual({ weight: 3, enabled: false, metadata: { v: '1' } });
    edit(registry, (record) => planPatch(record, { enabled: true }));
    registry.register(orders, one, { metadata: metadataOf({ v: '2' }) });
    expect(shown(registry)).toEqual({ weight: 1, enabled: true, metadata: { v: '2' } });
  });

  it('of metadata sets and removes single keys; a removal lasts until the next registration', () => {
    const registry = new CoreFixture();
    registry.register(orders, one, { metadata: metadataOf({ a: '1', b: '1' }) });
    edit(registry, (record) => planMetadataSet(record, metadataOf({ b: '2', c: '2' })));
    expect(shown(registry)).toMatchObject({ metadata: { a: '1', b: '2', c: '2' } });
    edit(registry, (record) => planMetadataRemoval(record, ['a', 'b']));
    expect(shown(registry)).toMatchObject({ metadata: { c: '2' } });
    registry.register(orders, one, { metadata: metadataOf({ a: '1', b: '1' }) });
    expect(shown(registry)).toMatchObject({ metadata: { a: '1', b: '1', c: '2' } });
  });

  it('is reset to what the client sent', () => {
    const registry = new CoreFixture();
    registry.register(orders, one, { weight: 3, metadata: metadataOf({ v: '1' }) });
    edit(registry, (record) => planUpdate(record, { weight: 0 }));
    edit(registry, planReset);
    expect(shown(registry)).toEqual({ weight: 3, enabled: true, metadata: { v: '1' } });
  });

  it('is untouched by beats and never renews the lease', () => {
    const registry = new CoreFixture();
    registry.register(orders, one, { weight: 3 });
    registry.advance(10_000);
    edit(registry, (record) => planPatch(record, { weight: 0 }));
    registry.advance(5_000);
    expect(registry.list(orders)).toEqual(['-10.0.0.1:8080/DEFAULT']);
    registry.beat(orders, one, { weight: 3 });
    expect(shown(registry)).toMatchObject({ weight: 0 });
  });

  it('outlives its instance by exactly 60 s', () => {
    const registry = new CoreFixture();
    registry.register(orders, one, { weight: 3 });
    edit(registry, (record) => planPatch(record, { weight: 0 }));
    registry.deregister(orders, one);
    registry.advance(59_999);
    registry.register(orders, one, { weight: 3 });
    expect(shown(registry)).toMatchObject({ weight: 0 });
    registry.deregister(orders, one);
    registry.advance(60_000);
    expect(registry.effects.filter((effect) => effect.type === 'forget')).toHaveLength(1);
    registry.register(orders, one, { weight: 3 });
    expect(shown(registry)).toMatchObject({ weight: 3 });
  });

  it('of a persistent instance stays after its time until its store has forgotten it', () => {
    const registry = new CoreFixture();
    const store = (...changes: StoreChange[]) => registry.step({ type: 'store', changes, actor: operator });
    const place = { service: orders, address: one } as const;
    const registered = {
      ...place,
      type: 'persistent-instance',
      value: { registered: contentOf(), base: contentOf() },
    } as const;
    const edited = { ...place, type: 'edit', kind: 'persistent', value: { weight: 0 } } as const;
    const forgotten = () => registry.effects.filter((effect) => effect.type === 'forget').map(({ change }) => change);
    const isOver = () => registry.core.isEditOver(orders.id, 'persistent', one.key);
    store(registered, edited, { ...registered, value: undefined });
    registry.advance(59_999);
    expect([isOver(), forgotten()]).toEqual([false, []]);
    registry.advance(1);
    expect([isOver(), forgotten()]).toEqual([true, [{ ...edited, value: undefined }]]);
    store(registered);
    expect([isOver(), shown(registry)]).toEqual([false, { weight: 0, enabled: true, metadata: {} }]);
    registry.advance(120_000);
    store({ ...registered, value: undefined });
    registry.advance(60_000);
    registry.advance(60_000);
    expect(forgotten()).toHaveLength(3);
    store({ ...edited, value: undefined }, registered);
    expect([isOver(), shown(registry)]).toEqual([true, { weight: 1, enabled: true, metadata: {} }]);
  });

  it('keeps what the client sent beside it', () => {
    const registry = new CoreFixture();
    registry.register(orders, one, { weight: 3 });
    edit(registry, (record) => planUpdate(record, { enabled: false }));
    const record = registry.core.instance(orders.id, 'ephemeral', one.key);
    expect(record?.registered).toEqual(contentOf({ weight: 3 }));
    expect(record?.overlay).toEqual({ enabled: false });
    expect(record?.inForce).toEqual(contentOf({ enabled: false, metadata: NO_METADATA }));
  });
});
