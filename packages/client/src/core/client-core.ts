// The client's decisions in one state machine without I/O: which instances to keep registered, which lists to keep up to
// date, what to ask a server and when. `step(input, now)` first does what is due, then the input; effects go to the sink in
// order; the app keeps one timer for `nextDeadline()`. See docs/adr/0008.

import type { ServiceKey } from '@rollcall/protocol';
import type { Instant, Now } from '@rollcall/runtime/time';
import { AlarmClock } from './alarm-clock.js';
import { CallLane } from './call-lane.js';
import type { ClientEffectSink } from './client-effect.js';
import type { ClientError } from './client-error.js';
import type {
  CachedInput,
  ClientInput,
  DeregisterInput,
  FailoverInput,
  OpenedInput,
  PushedInput,
  RegisterInput,
} from './client-input.js';
import type { CoreContext, CoreSettings } from './core-context.js';
import { FollowedService } from './followed-service.js';
import { type Instance, instanceKey, type RegisteredInstance } from './instance.js';
import { Publication } from './publication.js';
import { Registration } from './registration.js';
import type { ServiceList } from './service-list.js';

/** What a core needs. */
export interface ClientCoreOptions {
  /** Takes the effects, in order, during `step`. */
  readonly sink: ClientEffectSink;
  readonly settings: CoreSettings;
  /** Uniform in [0, 1); a seeded one makes a run repeatable. */
  readonly random: () => number;
}

/** The core of one client. */
export class ClientCore {
  readonly #context: CoreContext;
  readonly #registrations = new Map<string, Registration>();
  /** By service. Ephemeral instances are in here unless beats keep them, and as long as that is not known. */
  readonly #publications = new Map<string, Publication>();
  /** By grouped name, which is all that a push says: a client has one namespace. */
  readonly #followed = new Map<string, FollowedService>();
  #failover: ReadonlyMap<string, ServiceList> | undefined;
  readonly #cached = new Map<string, ServiceList>();

  /** @param options - sink, settings and source of jitter */
  constructor(options: ClientCoreOptions) {
    const { sink, settings, random } = options;
    this.#context = {
      sink,
      settings,
      random,
      lane: new CallLane(sink),
      clock: new AlarmClock(),
      session: { number: 0, state: 'closed', keeping: 'unknown' },
    };
  }

  /** When `step` must be called at the latest; undefined when nothing is due by itself. */
  nextDeadline(): Instant | undefined {
    return this.#context.clock.next;
  }

  /** Instances that are kept, or on their way in or out. */
  get registrationCount(): number {
    let count = this.#registrations.size;
    for (const publication of this.#publications.values()) count += publication.wanted.length;
    return count;
  }

  /** Services that are followed. */
  get followedCount(): number {
    return this.#followed.size;
  }

  /** The list of a followed service; undefined before there is one. */
  instances(service: ServiceKey): readonly Instance[] | undefined {
    const followed = this.#followed.get(service.grouped);
    return followed?.listed ? followed.instances : undefined;
  }

  /** Instances that the caller wants registered. */
  wanted(): readonly { readonly service: ServiceKey; readonly instance: RegisteredInstance }[] {
    const published = [...this.#publications.values()].flatMap(({ service, wanted }) =>
      wanted.map((instance) => ({ service, instance })),
    );
    return [...[...this.#registrations.values()].filter((registration) => registration.isWanted), ...published];
  }

  /** Whether a server is known to have the instance. */
  isHeld(service: ServiceKey, instance: RegisteredInstance): boolean {
    const registration = this.#registrations.get(registrationKey(service, instance));
    return registration?.held ?? this.#publications.get(service.id)?.isHeld(instance) ?? false;
  }

  /**
   * The instance that is meant by an address whose kind nobody said: the one of the other kind when only that is kept.
   *
   * @param instance - of the usual kind
   */
  meantBy(service: ServiceKey, instance: RegisteredInstance): RegisteredInstance {
    const other = { ...instance, ephemeral: !instance.ephemeral };
    return !this.#isWanted(service, instance) && this.#isWanted(service, other) ? other : instance;
  }

  /** Why the instance is not registered yet: the last failure, if there was one. */
  registrationFailure(service: ServiceKey, instance: RegisteredInstance): ClientError | undefined {
    const registration = this.#registrations.get(registrationKey(service, instance));
    return registration?.failure ?? this.#publications.get(service.id)?.failure;
  }

  /** Why there is no list of a followed service yet: the last failure, if there was one. */
  listFailure(service: ServiceKey): ClientError | undefined {
    return this.#followed.get(service.grouped)?.failure;
  }

  /** Does what is due, then takes an input in. */
  step(input: ClientInput, now: Now): void {
    this.#context.clock.ringDue(now);
    switch (input.type) {
      case 'register':
        this.#register(input);
        break;
      case 'deregister':
        this.#deregister(input);
        break;
      case 'follow':
        this.#follow(input.service, now);
        break;
      case 'unfollow':
        this.#unfollow(input.service);
        break;
      case 'called':
        this.#context.lane.called(input.ticket, input.result, now);
        break;
      case 'pushed':
        this.#pushed(input, now);
        break;
      case 'opened':
        this.#opened(input, now);
        break;
      case 'lost':
        this.#lost();
        break;
      case 'failover':
        this.#failOver(input);
        break;
      case 'cached':
        this.#loadCached(input);
        break;
      case 'woken':
        break;
    }
  }

  #isWanted(service: ServiceKey, instance: RegisteredInstance): boolean {
    if (this.#registrations.get(registrationKey(service, instance))?.isWanted) return true;
    return this.#publications.get(service.id)?.ownerOf(instance) !== undefined;
  }

  #opened({ keeping }: OpenedInput, now: Now): void {
    const { session, lane } = this.#context;
    const isFirst = session.keeping === 'unknown';
    session.keeping = keeping;
    session.state = 'open';
    if (keeping === 'connection') session.number++;
    if (keeping === 'beats' && isFirst) this.#keepByBeats();
    lane.open();
    if (keeping === 'beats') return;
    for (const publication of [...this.#publications.values()]) publication.opened();
    if (session.number > 1) for (const followed of this.#followed.values()) followed.opened(now);
  }

  #lost(): void {
    this.#context.session.state = 'closed';
    this.#context.lane.close();
    for (const publication of [...this.#publications.values()]) publication.lost();
  }

  /** What was wanted before a server was found: nothing of it was sent yet. */
  #keepByBeats(): void {
    for (const publication of this.#publications.values())
      for (const { instance, number } of publication.release())
        this.#registrationOf(publication.service, instance).want(instance, number);
    this.#publications.clear();
  }

  #register({ service, instance, operation }: RegisterInput): void {
    const isPublished = instance.ephemeral && this.#context.session.keeping !== 'beats';
    if (isPublished) this.#publicationOf(service).want(instance, operation);
    else this.#registrationOf(service, instance).want(instance, operation);
  }

  #deregister({ service, instance, operation, awaitSubscribersMs, onlyOf }: DeregisterInput): void {
    const known = this.#registrations.get(registrationKey(service, instance));
    const publication = this.#publications.get(service.id);
    const owner = known?.owner ?? publication?.ownerOf(instance);
    if (onlyOf !== undefined && owner !== onlyOf) {
      this.#context.sink({ type: 'settled', operation, outcome: { type: 'done' } });
      return;
    }
    if (publication?.ownerOf(instance) !== undefined) publication.unwant(instance, operation, awaitSubscribersMs);
    else this.#registrationOf(service, instance).unwant(operation, awaitSubscribersMs);
  }

  #publicationOf(service: ServiceKey): Publication {
    let publication = this.#publications.get(service.id);
    if (publication === undefined) {
      publication = new Publication(service, this.#context, () => this.#publications.delete(service.id));
      this.#publications.set(service.id, publication);
    }
    return publication;
  }

  #registrationOf(service: ServiceKey, instance: RegisteredInstance): Registration {
    const key = registrationKey(service, instance);
    let registration = this.#registrations.get(key);
    if (registration === undefined) {
      registration = new Registration(service, instance, this.#context, () => this.#registrations.delete(key));
      this.#registrations.set(key, registration);
    }
    return registration;
  }

  #follow(service: ServiceKey, now: Now): void {
    if (this.#followed.has(service.grouped)) return;
    const followed = new FollowedService(service, this.#context);
    this.#followed.set(service.grouped, followed);
    followed.failover(this.#failover?.get(service.grouped));
    const cached = this.#cached.get(service.grouped);
    if (cached !== undefined) followed.cached(cached);
    followed.start(now);
  }

  #unfollow(service: ServiceKey): void {
    this.#followed.get(service.grouped)?.end();
    if (!this.#followed.delete(service.grouped)) return;
    const { session, lane } = this.#context;
    // Without a connection there is no subscription either, and one that is kept by polls ends with them.
    if (session.keeping === 'connection' && session.state === 'open')
      lane.send({ type: 'unfollow', service }, () => {});
  }

  #pushed(input: PushedInput, now: Now): void {
    this.#followed.get(input.list.grouped)?.pushed(input, now);
  }

  #failOver({ lists }: FailoverInput): void {
    this.#failover = lists;
    for (const followed of this.#followed.values()) followed.failover(lists?.get(followed.service.grouped));
  }

  #loadCached({ lists }: CachedInput): void {
    for (const list of lists) this.#cached.set(list.grouped, list);
    for (const followed of this.#followed.values()) {
      const list = this.#cached.get(followed.service.grouped);
      if (list !== undefined) followed.cached(list);
    }
  }
}

function registrationKey(service: ServiceKey, instance: RegisteredInstance): string {
  return `${service.id}#${instanceKey(instance)}`;
}
