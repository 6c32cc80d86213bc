// What the store holds, entering the core: definitions, persistent instances, edits, namespaces, switches.

import { after } from '@rollcall/runtime/time';
import { sameContent } from './content-equality.js';
import type { InstanceTable } from './instance-table.js';
import { STORE_PUBLISHER } from './publisher.js';
import type { RegistryState } from './registry-state.js';
import { DEFAULT_DEFINITION, RememberedEdit, type Service } from './service.js';
import type { StoreChange } from './store-change.js';
import { DEFAULT_SWITCHES, type Switches } from './switches.js';

type ChangeOf<T extends StoreChange['type']> = Extract<StoreChange, { type: T }>;

/** Applies durable changes. */
export class DurableRecords {
  readonly #state: RegistryState;
  readonly #instances: InstanceTable;

  constructor(state: RegistryState, instances: InstanceTable) {
    this.#state = state;
    this.#instances = instances;
  }

  /** Applies one change; it is in the store already, so it can't be refused here. */
  apply(change: StoreChange): void {
    switch (change.type) {
      case 'service':
        this.#applyService(change);
        break;
      case 'persistent-instance':
        this.#applyInstance(change);
        break;
      case 'edit':
        this.#applyEdit(change);
        break;
      case 'namespace':
        if (change.value === undefined) this.#state.namespaces.delete(change.id);
        else this.#state.namespaces.set(change.id, change.value);
        break;
      case 'switches':
        this.#applySwitches(change.value ?? DEFAULT_SWITCHES);
        break;
    }
  }

  #applyService({ service: key, value }: ChangeOf<'service'>): void {
    if (value === undefined) {
      const service = this.#state.services.get(key.id);
      if (service !== undefined) this.#undefine(service);
      return;
    }
    const service = this.#state.storedServiceFor(key);
    this.#state.appear(service);
    service.defined = true;
    service.definition = value;
    for (const cluster of value.clusters.keys()) service.clusters.add(cluster);
    this.#touch(service);
    this.#state.settle(service);
    this.#state.reportService('service-defined', service);
  }

  /** A deleted service is gone at once for readers; subscribers keep what they need to be told when it comes back. */
  #undefine(service: Service): void {
    service.defined = false;
    service.definition = DEFAULT_DEFINITION;
    if (service.instanceCount > 0) {
      this.#touch(service);
      // What remains is defined by the defaults; whoever follows definitions has to know.
      this.#state.reportService('service-defined', service);
      return;
    }
    service.known = false;
    service.clusters.clear();
    this.#touch(service);
    if (service.subscribers.size === 0 && service.edits.size === 0) {
      this.#state.deadlines.disarm(service);
      this.#state.vanish(service);
    }
    this.#state.reportService('service-vanished', service);
  }

  #applyInstance({ service: key, address, value }: ChangeOf<'persistent-instance'>): void {
    const service = this.#state.storedServiceFor(key);
    const record = service.persistent.get(address.key);
    const known = record?.registrationOf(STORE_PUBLISHER);
    if (value === undefined) {
      if (known !== undefined) this.#instances.remove(service, known, 'deregistered');
      else this.#state.settle(service);
      return;
    }
    if (record === undefined || known === undefined || !sameContent(known.registered, value.registered)) {
      const claim = {
        service,
        kind: 'persistent',
        address,
        publisher: STORE_PUBLISHER,
        content: value.registered,
      } as const;
      this.#instances.put(claim, 'registered').base = value.base;
      if (value.base !== value.registered) service.persistent.get(address.key)?.refresh();
      return;
    }
    const before = record.inForce;
    known.base = value.base;
    this.#instances.changed(service, record, 'edited', before);
  }

  #applyEdit(change: ChangeOf<'edit'>): void {
    const { service: key, kind, address, value } = change;
    const service = this.#state.storedServiceFor(key);
    const editKey = `${kind}/${address.key}`;
    const known = service.edits.get(editKey);
    if (known !== undefined) this.#state.deadlines.disarm(known);
    if (value === undefined) service.edits.delete(editKey);
    else service.edits.set(editKey, new RememberedEdit(service, kind, address, value));
    const record = service.recordsOf(kind).get(address.key);
    if (record !== undefined) {
      const before = record.inForce;
      record.overlay = value;
      this.#instances.changed(service, record, value === undefined ? 'edit-reset' : 'edited', before);
    } else if (value !== undefined) {
      const edit = service.edits.get(editKey) as RememberedEdit;
      this.#state.deadlines.arm(edit, after(this.#state.now.mono, this.#state.settings.editMemoryMs));
    }
    if (!this.#state.following) this.#state.observer?.editSet(service, change);
    this.#state.settle(service);
  }

  #applySwitches(switches: Switches): void {
    const before = this.#state.switches;
    this.#state.switches = switches;
    this.#reportSwitches(before, switches);
    for (const service of this.#state.services.values()) {
      service.forgetView();
      if (switches.healthCheckEnabled && !before.healthCheckEnabled) this.#instances.leases.armAll(service);
      if (switches.pushEnabled && !before.pushEnabled && service.subscribers.size > 0) this.#state.changed.add(service);
    }
  }

  #reportSwitches(before: Switches, switches: Switches): void {
    const { now, actor, restoring } = this.#state;
    if (restoring) return;
    const changed: Record<string, string> = {};
    for (const name of Object.keys(switches) as (keyof Switches)[]) {
      const value = JSON.stringify(switches[name]);
      if (value !== JSON.stringify(before[name])) changed[name] = value;
    }
    this.#state.emit({ type: 'server-event', event: { type: 'switches-changed', at: now, actor, changed } });
  }

  /** The list changed through durable data, which is not in the journal: only its version goes there. */
  #touch(service: Service): void {
    this.#state.touch(service);
    this.#state.journal({ type: 'list-version', service: service.key, refTime: service.refTime });
  }
}
