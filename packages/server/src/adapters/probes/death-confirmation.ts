// Faster truth, when it is wanted: once a beat is missed, the instance's own port is asked. Refused means that nothing listens
// there any more, so the instance is unhealthy at once; silence means nothing, and the lease decides as always.

import { BlockList, connect, isIPv4 } from 'node:net';
import type { ServiceKey } from '@rollcall/protocol';
import type { Instant, Timers } from '@rollcall/runtime';
import { SERVER } from '../../core/actor.js';
import type { Address } from '../../core/instance-address.js';
import type { Registration } from '../../core/instance-record.js';
import { HTTP_PUBLISHER } from '../../core/publisher.js';
import { readSubnet } from '../push-targets.js';
import type { RegistryAccess } from '../registry-access.js';
import type { RegistryEvents } from '../registry-events.js';
import { probeAddress } from './probe-target-rule.js';

const TIMEOUT_MS = 1000;
/** Connections under way at most, and begun per second; a beat missed beyond that is left to its lease. */
const RUNNING_MAX = 50;
const PER_SECOND_MAX = 200;

/** What a look at a port found. */
export type PortFinding = 'open' | 'refused' | 'unknown';

/** What the confirmation works with. */
export interface DeathConfirmationOptions {
  readonly registry: RegistryAccess & RegistryEvents;
  /** Subnets of proxies: their port says nothing of the instance behind. */
  readonly proxies: readonly string[];
  /** Looks at a port. */
  readonly look: (target: { readonly ip: string; readonly port: number }) => Promise<PortFinding>;
}

/** Asks the ports of instances whose beats do not come. */
export class DeathConfirmation {
  readonly #options: DeathConfirmationOptions;
  readonly #proxies = new BlockList();
  #running = 0;
  #second = 0;
  #inSecond = 0;

  /** Follows the registry from now on. */
  constructor(options: DeathConfirmationOptions) {
    this.#options = options;
    for (const text of options.proxies) {
      const subnet = readSubnet(text);
      if (subnet !== undefined) this.#proxies.addSubnet(subnet.address, subnet.prefix, subnet.family);
    }
    options.registry.onEvent((event) => {
      if (event.type === 'beat-missed') void this.#confirm(event.service, event.address);
    });
  }

  async #confirm(service: ServiceKey, address: Address): Promise<void> {
    const { registry, look } = this.#options;
    const ip = probeAddress(address.ip);
    const before = this.#silent(service, address);
    if (ip === undefined || address.port === 0 || before === undefined || !this.#mayProbe(ip)) return;
    const { lastBeat } = before;
    this.#running += 1;
    const finding = await look({ ip, port: address.port });
    this.#running -= 1;
    // A beat that came meanwhile is the better word.
    if (finding !== 'refused' || this.#silent(service, address)?.lastBeat !== lastBeat) return;
    const health = { service, address, kind: 'ephemeral', healthy: false, actor: SERVER } as const;
    registry.step({ type: 'health', cause: 'confirmed-dead', ...health });
  }

  /** The claim, while it is the only one, healthy, and waits for a beat. */
  #silent(service: ServiceKey, address: Address): Registration | undefined {
    const record = this.#options.registry.core.instance(service.id, 'ephemeral', address.key);
    const [only, ...others] = record?.registrations ?? [];
    if (only === undefined || others.length > 0 || only.publisher !== HTTP_PUBLISHER) return undefined;
    return only.beatMissed && only.healthy ? only : undefined;
  }

  #mayProbe(ip: string): boolean {
    if (this.#running >= RUNNING_MAX || this.#proxies.check(ip, isIPv4(ip) ? 'ipv4' : 'ipv6')) return false;
    const second = Math.floor((this.#options.registry.now().mono as Instant) / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#inSecond = 0;
    }
    this.#inSecond += 1;
    return this.#inSecond <= PER_SECOND_MAX;
  }
}

/** Connects once; nothing is sent. Never rejects. */
export function lookAtPort(
  { ip, port }: { readonly ip: string; readonly port: number },
  timers: Timers,
): Promise<PortFinding> {
  return new Promise((resolve) => {
    const socket = connect({ host: ip, port });
    const settle = (finding: PortFinding) => {
      timeout.cancel();
      socket.destroy();
      resolve(finding);
    };
    const timeout = timers.once(TIMEOUT_MS, () => settle('unknown'));
    socket.once('connect', () => settle('open'));
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      settle(code === 'ECONNREFUSED' || code === 'ECONNRESET' ? 'refused' : 'unknown');
    });
  });
}
