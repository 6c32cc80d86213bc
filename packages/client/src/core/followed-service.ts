// One service whose list is kept up to date: the first answer, then pushes, and polls behind them.
//
// Which list wins. The answer to a question asked after everything that was taken before is always taken: no clock of a
// server can freeze it. An answer that was on its way while a push came in is refused when its version is lower; so is a
// pushed list of lower version from the same server. Versions of different servers are not compared. Whatever is refused
// makes the next question come at once.
//
// Source: Nacos 1.4.8 HostReactor; contract client-1x 5.5 and 5.6 with their traps. An empty list is polled like any other.

import type { ServiceKey } from '@rollcall/protocol';
import type { Instant, Now } from '@rollcall/runtime/time';
import { type Alarm, alarm } from './alarm-clock.js';
import { backOffMs } from './back-off.js';
import type { ClientError } from './client-error.js';
import type { CallResult, PushedInput } from './client-input.js';
import type { CoreContext } from './core-context.js';
import { type Instance, isUsable } from './instance.js';
import { type MergedList, mergeInstances } from './instance-change.js';
import type { ListAnswer, ListCall } from './registry-call.js';
import type { ServiceList } from './service-list.js';

/** Shortest time between two polls, ms: a server that says 0 would be asked without end. */
const POLL_SHORTEST_MS = 100;
/** Polls come earlier by up to this part: 1.4.8 forgets a subscriber that asks one round trip after `cacheMillis`. */
const POLL_EARLIER = 0.1;
/** Shortest time between questions that refused lists cause, ms. */
const CATCH_UP_MS = 200;
/** Both lists before the first: they are merged once as long as they are the same. */
const NO_INSTANCES: readonly Instance[] = [];
/** Failed polls are repeated after this, doubled each time; 2 s first as the Java client. */
const FAILED_POLL_FIRST_MS = 2000;

/** A service that is followed. */
export class FollowedService {
  readonly service: ServiceKey;
  readonly #context: CoreContext;
  readonly #alarm: Alarm;
  #live = NO_INSTANCES;
  #shown = NO_INSTANCES;
  #failover: readonly Instance[] | undefined;
  /** Where `#live` is from; `none` before the first list. */
  #origin: 'none' | 'cache' | 'server' = 'none';
  #listed = false;
  #version = 0;
  #source = '';
  #pushedAt: Instant | undefined;
  #asking = 0;
  #failures = 0;
  #failure: ClientError | undefined;
  #ended = false;

  /** @param service - asked for by {@link start} */
  constructor(service: ServiceKey, context: CoreContext) {
    this.service = service;
    this.#context = context;
    this.#alarm = alarm((now) => this.#ask(now));
  }

  /** The list in force. */
  get instances(): readonly Instance[] {
    return this.#shown;
  }

  /** Whether there was a list, from whatever source. */
  get listed(): boolean {
    return this.#listed;
  }

  /** Why the last question failed; undefined when it did not. */
  get failure(): ClientError | undefined {
    return this.#failure;
  }

  /** Asks for the first list. */
  start(now: Now): void {
    this.#ask(now);
  }

  /** A new connection, which knows nothing of this subscription. An answer that is still due belongs to the former one. */
  opened(now: Now): void {
    this.#ask(now);
  }

  /** Ends it for good. */
  end(): void {
    this.#ended = true;
    this.#context.clock.clear(this.#alarm);
    if (this.#asking !== 0) this.#context.lane.forget(this.#asking);
  }

  /** A list that nobody asked for. */
  pushed(input: PushedInput, now: Now): void {
    const stale = input.source === this.#source && input.list.lastRefTime < this.#version;
    if (stale) {
      this.#catchUp(now);
      return;
    }
    if (!this.#take(input)) return;
    this.#pushedAt = now.mono;
  }

  /** A list from the disk, used until a server answers. */
  cached(list: ServiceList): void {
    if (this.#origin !== 'none') return;
    this.#origin = 'cache';
    this.#live = mergeInstances(this.#live, list.instances).instances;
    this.#show('cache');
  }

  /** A list that goes before all others, or undefined for none. A list without instances counts as none, as in 2.x. */
  failover(list: ServiceList | undefined): void {
    this.#failover = list === undefined || list.instances.length === 0 ? undefined : list.instances;
    if (this.#failover !== undefined || this.#origin !== 'none') {
      this.#show(this.#failover === undefined ? this.#liveOrigin() : 'failover');
    }
  }

  #ask(now: Now): void {
    if (this.#asking !== 0) return;
    this.#context.clock.clear(this.#alarm);
    const call: ListCall = { type: 'list', service: this.service, purpose: 'follow' };
    const askedAt = now.mono;
    const session = this.#context.session.number;
    this.#asking = this.#context.lane.send(call, (result, at) => {
      this.#asking = 0;
      if (this.#ended) return;
      if (session !== 0 && session !== this.#context.session.number) this.#ask(at);
      else this.#answered(result, askedAt, at);
    });
  }

  #answered(result: CallResult<ListCall>, askedAt: Instant, now: Now): void {
    if (result.type === 'failed') {
      this.#failed(result.error, now);
      return;
    }
    if (this.#failures > 0) this.#note('info', 'list-recovered');
    this.#failures = 0;
    this.#failure = undefined;
    const { answer } = result;
    if (this.#isOvertaken(answer, askedAt)) this.#catchUp(now);
    else {
      this.#take(answer);
      this.#armPoll(answer.list.cacheMs, now);
    }
  }

  /** Whether a push that came while the answer was on its way is newer. */
  #isOvertaken(answer: ListAnswer, askedAt: Instant): boolean {
    const pushedMeanwhile = this.#pushedAt !== undefined && this.#pushedAt >= askedAt;
    return pushedMeanwhile && answer.source === this.#source && answer.list.lastRefTime < this.#version;
  }

  #failed(error: ClientError, now: Now): void {
    this.#failures++;
    this.#failure = error;
    if (this.#failures === 1) this.#note('warn', 'list-failed', error.toString());
    const { settings, random, clock } = this.#context;
    const firstMs = this.#origin === 'server' ? FAILED_POLL_FIRST_MS : settings.backOff.firstMs;
    const longestMs = this.#origin === 'server' ? settings.pollLongestMs : settings.backOff.longestMs;
    clock.set(this.#alarm, now, backOffMs(this.#failures, { firstMs, longestMs }, random));
  }

  #armPoll(cacheMs: number, now: Now): void {
    const { settings, random, clock } = this.#context;
    // A connection pushes what changes, again until it is acknowledged: asking only heals what nobody thought of.
    const wantedMs = this.#context.session.keeping === 'connection' ? settings.pollLongestMs : cacheMs;
    const intervalMs = Math.min(Math.max(wantedMs, POLL_SHORTEST_MS), settings.pollLongestMs);
    clock.set(this.#alarm, now, Math.round(intervalMs * (1 - POLL_EARLIER * random())));
  }

  #catchUp(now: Now): void {
    if (this.#asking === 0) this.#context.clock.set(this.#alarm, now, CATCH_UP_MS);
  }

  #take(answer: Pick<ListAnswer, 'list' | 'source' | 'text'>): boolean {
    const { list } = answer;
    if (this.#isProtected(list)) {
      this.#note('warn', 'empty-list-ignored');
      return false;
    }
    this.#version = list.lastRefTime;
    this.#source = answer.source;
    this.#origin = 'server';
    const isShown = this.#shown === this.#live;
    const merged = mergeInstances(this.#live, list.instances);
    this.#live = merged.instances;
    if (merged.change !== undefined) this.#context.sink({ type: 'keep', service: this.service, text: answer.text });
    if (this.#failover === undefined) this.#show('server', isShown ? merged : undefined);
    return true;
  }

  #isProtected(list: ServiceList): boolean {
    if (this.#context.settings.emptyLists === 'accept' || list.complete || this.#live.length === 0) return false;
    return !list.instances.some(isUsable);
  }

  /** @param merged - the list in force joined with what was shown, when that is known already */
  #show(origin: 'server' | 'cache' | 'failover', merged?: MergedList): void {
    const { instances, change } = merged ?? mergeInstances(this.#shown, this.#failover ?? this.#live);
    if (this.#listed && change === undefined) return;
    this.#listed = true;
    this.#shown = instances;
    this.#context.sink({ type: 'listed', service: this.service, instances, change, origin });
  }

  #liveOrigin(): 'server' | 'cache' {
    return this.#origin === 'cache' ? 'cache' : 'server';
  }

  #note(level: 'info' | 'warn', event: string, reason?: string): void {
    this.#context.sink({ type: 'note', level, event, fields: { service: this.service.id, reason } });
  }
}
