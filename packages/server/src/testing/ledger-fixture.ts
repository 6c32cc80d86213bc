// A registry on a manual clock with a ledger that follows it, for tests of accounts.

import type { ServiceKey } from '@rollcall/protocol';
import { type Account, type AccountQuestion, accountOf } from '../core/ledger/account.js';
import { Ledger } from '../core/ledger/ledger.js';
import { DEFAULT_LEDGER_BOUNDS } from '../core/ledger/ledger-bounds.js';
import { presentInstance, presentReaders, registeredElsewhere } from '../core/ledger/present-instance.js';
import { CoreFixture, TESTER } from './core-fixture.js';

/** What a question may say besides service and instance. */
type Asked = Partial<Pick<AccountQuestion, 'at' | 'since' | 'subscriber' | 'otherNodes'>>;

/** The pair. */
export class LedgerFixture {
  readonly registry: CoreFixture;
  readonly ledger: Ledger;
  #taken = 0;

  /** @param wall - wall clock at the start, epoch ms */
  constructor(wall?: number) {
    this.registry = new CoreFixture(wall === undefined ? {} : { wall });
    this.ledger = new Ledger(DEFAULT_LEDGER_BOUNDS, this.registry.clock.now());
  }

  /** Gives the ledger what happened since the last time. */
  follow(): void {
    const { effects } = this.registry;
    for (const effect of effects.slice(this.#taken)) {
      if (effect.type === 'event') this.ledger.take(effect.event);
      if (effect.type === 'server-event') this.ledger.takeServer(effect.event);
    }
    this.#taken = effects.length;
  }

  /** Now on the time line of the ledger. */
  get now(): number {
    return this.ledger.at(this.registry.clock.now());
  }

  /** Types of the facts of a service. */
  types(service: ServiceKey): string[] {
    this.follow();
    return this.ledger.history(service.id)?.facts.map(({ type }) => type) ?? [];
  }

  /** A query for pushes from 10.0.0.9. */
  subscribe(service: ServiceKey, port = 4000, clusters = ''): void {
    const query = { ip: '10.0.0.9', port, clusters, agent: 'Nacos-Java-Client:v1.4.8', app: 'shop' };
    this.registry.step({ type: 'subscribe-udp', service, query, answerEmpty: false, actor: TESTER });
  }

  /** Acknowledges the push that was sent last to 10.0.0.9. */
  acknowledge(port = 4000): void {
    const push = this.registry.pushes().findLast(({ subscriber }) => subscriber.port === port);
    this.registry.step({ type: 'push-ack', ips: ['10.0.0.9'], port, number: push?.number ?? 0 });
  }

  /** The question about `10.0.0.<n>:8080`. */
  question(service: ServiceKey, n: number, asked: Asked = {}): AccountQuestion {
    this.follow();
    const instance = { ip: `10.0.0.${n}`, port: 8080 };
    const { core, clock } = this.registry;
    const known = core.service(service.id);
    return {
      instance,
      facts: this.ledger.history(service.id)?.facts ?? [],
      server: this.ledger.serverFacts,
      now: this.now,
      present: presentInstance(core, known, instance, clock.now()),
      subscribers: presentReaders(known),
      elsewhere: registeredElsewhere(core, service.id, instance),
      ...asked,
    };
  }

  /** The account of `10.0.0.<n>:8080`. */
  account(service: ServiceKey, n: number, asked: Asked = {}): Account {
    return accountOf(this.question(service, n, asked));
  }
}
