// Makes the sender of a list query a subscriber over UDP, where it can be pushed to.
// Source: Nacos 1.4.8 InstanceController.doSrvIpxt, PushService.addClient; contract 6.

import {
  type ClientAgent,
  PORT_MAX,
  type PushThresholds,
  pushAllowed,
  pushThresholds,
  type ServiceKey,
} from '@rollcall/protocol';
import type { Actor } from '../../core/actor.js';
import type { PushRefusal } from '../../core/registry-input.js';
import type { Switches } from '../../core/switches.js';
import type { PushTargets } from '../push-targets.js';
import type { RegistryAccess } from '../registry-access.js';

/** What was asked for is shown in events up to this length. */
const SHOWN_LENGTH = 128;

/** `poll`: the client asks again soon. `push`: it is told of changes and asks rarely. */
export type Following = 'poll' | 'push';

/** What a list query says of the pushes that it wants. */
export interface PushWish {
  readonly service: ServiceKey;
  /** Comma separated; empty for all. */
  readonly clusters: string;
  /** Empty for the requester. */
  readonly clientIp: string;
  /** Above 0; may lie outside the range of ports. */
  readonly udpPort: number;
  readonly app: string;
}

/** Who asks, and what the answer shows. */
export interface PushRequester {
  readonly agent: ClientAgent;
  readonly actor: Actor & { readonly address: string };
  /** Whether the answer shows no host. Asked only when the requester can be pushed to. */
  readonly isEmpty: () => boolean;
}

/** Subscribes senders of list queries. */
export class UdpSubscriptions {
  readonly #registry: RegistryAccess;
  readonly #pushTargets: PushTargets;
  #thresholds: { readonly switches: Switches; readonly versions: PushThresholds } | undefined;

  constructor(registry: RegistryAccess, pushTargets: PushTargets) {
    this.#registry = registry;
    this.#pushTargets = pushTargets;
  }

  /** Subscribes the requester when it can be pushed to; else it has to poll. */
  subscribe(wish: PushWish, { agent, actor, isEmpty }: PushRequester): Following {
    const registry = this.#registry;
    if (!registry.core.switches.pushEnabled) return 'poll';
    const { service, udpPort: port, clusters, app } = wish;
    const target = this.#targetOf(wish, agent, actor.address);
    if ('refused' in target) {
      const subscriber = `${wish.clientIp || actor.address}:${port}`.slice(0, SHOWN_LENGTH);
      registry.step({ type: 'refuse-subscriber', service, subscriber, reason: target.refused, actor });
      return 'poll';
    }
    const result = registry.step({
      type: 'subscribe-udp',
      service,
      query: { ip: target.ip, port, clusters, agent: agent.text, app },
      answerEmpty: isEmpty(),
      actor,
    });
    return result.subscribed ? 'push' : 'poll';
  }

  /** Read anew when the switches are others, not for every query. */
  #thresholdsOf(switches: Switches): PushThresholds {
    if (this.#thresholds?.switches !== switches) this.#thresholds = { switches, versions: pushThresholds(switches) };
    return this.#thresholds.versions;
  }

  #targetOf(
    { udpPort, clusters, app, clientIp }: PushWish,
    agent: ClientAgent,
    remoteAddress: string,
  ): { readonly ip: string } | { readonly refused: PushRefusal } {
    const { switches, limits } = this.#registry.core;
    if (!pushAllowed(agent, this.#thresholdsOf(switches))) return { refused: 'agent-not-supported' };
    if (udpPort > PORT_MAX) return { refused: 'port-out-of-range' };
    if (clusters.length + agent.text.length + app.length > limits.subscriberLength) return { refused: 'text-too-long' };
    const target = this.#pushTargets.find(clientIp, remoteAddress);
    return target.allowed ? { ip: target.ip } : { refused: target.reason };
  }
}
