// Passive ejection: an instance whose calls fail again and again is left out for a time, though the registry still lists it.
// Counts and times only. Source: Envoy's consecutive-failure outlier detection (idea: growing ejection time, bounded share).

import { after, type Instant, type Now } from '@rollcall/runtime/time';

/** When instances are left out. */
export interface EjectionSettings {
  /** Failures in a row after which an instance is left out, 1 to 1000. Default 5. */
  readonly failures?: number | undefined;
  /** How long it is left out the first time, ms; each further time that much longer. Default 30000. */
  readonly ejectionMs?: number | undefined;
  /** Longest time, ms. Default 300000. */
  readonly ejectionLongestMs?: number | undefined;
  /** Largest part of the usable instances that is left out at once, above 0 and below 1. Default 0.5; one always stays. */
  readonly ejectedShareMax?: number | undefined;
}

/** Instances that are remembered, of all services together; beyond that the one remembered longest is forgotten. */
const INSTANCES_MAX = 10_000;

interface CallRecord {
  failures: number;
  ejections: number;
  ejectedUntil: Instant;
}

/** Who is left out at the moment. Instances are named by `service` and `address`. */
export class OutlierEjection {
  readonly #settings: { readonly [K in keyof EjectionSettings]-?: number };
  readonly #services = new Map<string, Map<string, CallRecord>>();
  #count = 0;

  /** @param settings - see there */
  constructor(settings: EjectionSettings = {}) {
    const { failures = 5, ejectionMs = 30_000, ejectionLongestMs = 300_000, ejectedShareMax = 0.5 } = settings;
    this.#settings = { failures, ejectionMs, ejectionLongestMs, ejectedShareMax };
  }

  /** Instances that are remembered. */
  get size(): number {
    return this.#count;
  }

  /** Whether the instance is left out now. */
  isEjected(service: string, address: string, now: Now): boolean {
    const record = this.#services.get(service)?.get(address);
    return record !== undefined && record.ejectedUntil > now.mono;
  }

  /** A call succeeded: the instance starts anew. */
  succeeded(service: string, address: string): void {
    const records = this.#services.get(service);
    if (records?.delete(address) !== true) return;
    this.#count--;
    if (records.size === 0) this.#services.delete(service);
  }

  /**
   * A call failed.
   *
   * @param usable - usable instances of the service now
   * @returns for how many ms the instance is left out from now on; undefined when it is not
   */
  failed(service: string, address: string, usable: number, now: Now): number | undefined {
    const record = this.#recordOf(service, address);
    record.failures++;
    if (record.failures < this.#settings.failures || record.ejectedUntil > now.mono) return undefined;
    if (!this.#hasRoom(service, usable, now)) return undefined;
    record.failures = 0;
    record.ejections++;
    const ejectionMs = Math.min(this.#settings.ejectionMs * record.ejections, this.#settings.ejectionLongestMs);
    record.ejectedUntil = after(now.mono, ejectionMs);
    return ejectionMs;
  }

  #hasRoom(service: string, usable: number, now: Now): boolean {
    let ejected = 0;
    for (const { ejectedUntil } of this.#services.get(service)?.values() ?? []) if (ejectedUntil > now.mono) ejected++;
    return ejected + 1 <= usable * this.#settings.ejectedShareMax && ejected + 1 < usable;
  }

  #recordOf(service: string, address: string): CallRecord {
    let records = this.#services.get(service);
    const known = records?.get(address);
    if (known !== undefined) return known;
    if (this.#count >= INSTANCES_MAX) this.#forgetOldest();
    // Looked up again: forgetting may have taken the last record of this very service.
    records = this.#services.get(service) ?? new Map();
    this.#services.set(service, records);
    const record: CallRecord = { failures: 0, ejections: 0, ejectedUntil: 0 as Instant };
    records.set(address, record);
    this.#count++;
    return record;
  }

  #forgetOldest(): void {
    for (const [service, records] of this.#services) {
      for (const address of records.keys()) {
        this.succeeded(service, address);
        return;
      }
    }
  }
}
