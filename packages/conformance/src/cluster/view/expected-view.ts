// What every node should list: the instances of a flow by service, each with what is expected of it now.

/** Who holds an instance up. */
export type PublisherKind = 'http' | 'grpc' | 'sdk';

/**
 * What must be seen: `live` is listed and healthy, `coming` must become so, `gone` is not listed, `disabled` is not served as
 * enabled, `open` may be anything, such as while a write is under way.
 */
export type ExpectedState = 'live' | 'coming' | 'gone' | 'disabled' | 'open';

/** One instance. */
export interface ExpectedInstance {
  readonly serviceName: string;
  readonly ip: string;
  readonly port: number;
  readonly kind: PublisherKind;
  readonly state: ExpectedState;
  /** Since when that is expected, on the clock of `performance.now()`. */
  readonly sinceMs: number;
  /** Metadata key `version` that must be listed; undefined when it does not matter. */
  readonly version?: string | undefined;
}

/** Key of an instance among those of its service. */
export function addressKey({ ip, port }: { readonly ip: string; readonly port: number }): string {
  return `${ip}:${port}`;
}

/** The instances. */
export class ExpectedView {
  readonly #services = new Map<string, Map<string, ExpectedInstance>>();

  /** Names of all services with instances. */
  get services(): readonly string[] {
    return [...this.#services.keys()];
  }

  /** Expects something of an instance from now on, whatever was expected before. */
  expect(instance: Omit<ExpectedInstance, 'sinceMs'>): void {
    const { serviceName } = instance;
    const service = this.#services.get(serviceName) ?? new Map<string, ExpectedInstance>();
    this.#services.set(serviceName, service);
    service.set(addressKey(instance), { ...instance, sinceMs: performance.now() });
  }

  /** The instances of a service by their address. */
  of(serviceName: string): ReadonlyMap<string, ExpectedInstance> {
    return this.#services.get(serviceName) ?? new Map();
  }
}
