// I13: in the end each subscriber has been told the list that its node shows; and pushes are merged: between a push and the
// next but one to the same subscriber there is at least one merge window (one may have waited for an acknowledgement).

import { DEFAULT_CORE_SETTINGS } from '@rollcall/server/internal';
import type { StreamClient } from '../clients/stream-client.js';
import { type Checker, type PushSent, Violation } from './checker.js';

/** Checks what subscribers are told. */
export class PushChecker implements Checker {
  readonly rule = 'I13';
  readonly #clients: readonly StreamClient[];
  /** The last two pushes by subscriber and service. */
  readonly #last = new Map<string, readonly PushSent[]>();

  constructor(clients: readonly StreamClient[]) {
    this.#clients = clients;
  }

  onPush(push: PushSent): void {
    const place = `${push.subscriber}/${push.service}`;
    const last = this.#last.get(place) ?? [];
    if (last.some(({ number }) => number === push.number)) return;
    const [first] = last.length === 2 ? last : [];
    if (first !== undefined && push.mono - first.mono < DEFAULT_CORE_SETTINGS.pushMergeMs)
      throw new Violation(
        this.rule,
        `node ${push.node} pushes "${push.service}" to ${push.subscriber} three times in ${push.mono - first.mono} ms`,
      );
    this.#last.set(place, [...last.slice(-1), push]);
  }

  atEnd(): void {
    for (const { name, connection, subscriber, node } of this.#clients) {
      if (connection === undefined) continue;
      for (const service of subscriber.services) {
        const shown = listText(node.core?.view(service.id));
        const told = listText(subscriber.told(service));
        if (shown !== told)
          throw new Violation(
            this.rule,
            `${name} was told "${told}" of ${service.name}, node ${node.index} shows "${shown}"`,
          );
      }
    }
  }
}

type List = ReturnType<NonNullable<StreamClient['node']['core']>['view']>;

function listText(view: List): string {
  return (view?.hosts ?? [])
    .map(({ address, healthy, weight }) => `${address.key} ${healthy ? 'healthy' : 'unhealthy'} ${weight}`)
    .join(', ');
}
