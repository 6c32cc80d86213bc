// Fuzzy watches of 3.x: clients that want to know which services exist. First the differences to what the client knows,
// in batches, one at a time; then every service that gets its first publisher or loses its last.
// Source: contract 10.10 (Nacos 3.0.3). Bounds: 20 patterns on the server, 500 services a pattern.

import { jsonText, type Message, RegistryError, type ServiceKey, success } from '@rollcall/protocol';
import type { RegistryEvent } from '../../core/registry-event.js';
import type { RegistryAccess } from '../registry-access.js';
import type { GrpcConnection } from './grpc-connection.js';
import type { UnaryRequest } from './unary-dispatch.js';
import { type WatchPattern, watchPatternOf } from './watch-pattern.js';

const PATTERNS_MAX = 20;
const MATCHES_MAX = 500;
const BATCH_SIZE = 10;
/** Messages that may wait in one watch; with more the client is told the differences anew. */
const QUEUE_MAX = 1000;
/** An unacknowledged message is sent again after this, at most as often as this; then the watch goes quiet. */
const RESEND_MS = 6_000;
const SENDS_MAX = 5;
/** Far above the ids of detections, far below those of list pushes. */
const FIRST_ID = 1_000_000_000;

const ANSWER = 'NamingFuzzyWatchResponse';
const SYNC = 'NamingFuzzyWatchSyncRequest';
const CHANGE = 'NamingFuzzyWatchChangeNotifyRequest';

/** A message on its way, or waiting. `json` gets the request id in front. */
interface WatchMessage {
  readonly type: typeof SYNC | typeof CHANGE;
  readonly json: string;
}

/** One connection's watch of one pattern. */
interface Watch {
  readonly connection: GrpcConnection;
  readonly text: string;
  readonly pattern: WatchPattern;
  /** Services that the client knows, or is about to. */
  readonly known: Set<string>;
  readonly queue: WatchMessage[];
  outstanding: { readonly id: number; readonly sentAt: number; readonly sends: number } | undefined;
}

/** All fuzzy watches. */
export class FuzzyWatches {
  readonly #registry: RegistryAccess;
  readonly #watches = new Map<string, Map<string, Watch>>();
  readonly #outstanding = new Map<number, Watch>();
  #lastId = FIRST_ID;

  constructor(registry: RegistryAccess) {
    this.#registry = registry;
  }

  /** Answers `NamingFuzzyWatchRequest`. */
  answer({ connection, body }: UnaryRequest): Message {
    const text = body.text('groupKeyPattern');
    const type = body.text('watchType');
    if (text === undefined || type === undefined)
      throw new RegistryError('missing-parameter', 'Fuzzy watch needs "groupKeyPattern" and "watchType"');
    if (type === 'CANCEL_WATCH') {
      this.#cancel(connection, text);
      return success(ANSWER);
    }
    if (type !== 'WATCH')
      throw new RegistryError(
        'invalid-parameter',
        `Param 'watchType' is "${type}", allowed are "WATCH" and "CANCEL_WATCH"`,
      );
    return this.#watch(connection, text, {
      received: body.texts('receivedGroupKeys') ?? [],
      initializing: body.boolean('initializing', 'false'),
    });
  }

  /** A client acknowledged a message, or refused it. */
  acknowledge(connection: GrpcConnection, id: number, how: 'taken' | 'refused'): void {
    const watch = this.#outstanding.get(id);
    if (watch === undefined || watch.connection !== connection || how === 'refused') return;
    this.#outstanding.delete(id);
    watch.outstanding = undefined;
    watch.queue.shift();
    this.#sendNext(watch);
  }

  /** A service may have got its first publisher or lost its last. */
  onEvent(event: RegistryEvent): void {
    if (this.#watches.size === 0) return;
    if (event.type !== 'instance-registered' && event.type !== 'instance-removed') return;
    const { service } = event;
    const there = (this.#registry.core.service(service.id)?.instanceCount ?? 0) > 0;
    const key = serviceKeyText(service);
    for (const watch of this.#all()) {
      if (!means(watch.pattern, service) || watch.known.has(key) === there) continue;
      if (there) watch.known.add(key);
      else watch.known.delete(key);
      const changed = there ? 'ADD_SERVICE' : 'DELETE_SERVICE';
      this.#add(watch, {
        type: CHANGE,
        json: `"syncType":"FUZZY_WATCH_RESOURCE_CHANGED","serviceKey":${jsonText(key)},"changedType":"${changed}","module":"naming"}`,
      });
    }
  }

  /** A connection is gone. */
  forget(connection: GrpcConnection): void {
    for (const watch of this.#watches.get(connection.id)?.values() ?? []) this.#drop(watch);
    this.#watches.delete(connection.id);
  }

  /** Sends again what was not acknowledged in time. */
  resend(now: number): void {
    for (const [id, watch] of this.#outstanding) {
      const { outstanding } = watch;
      if (outstanding === undefined || now - outstanding.sentAt < RESEND_MS) continue;
      if (outstanding.sends >= SENDS_MAX) {
        this.#drop(watch);
        continue;
      }
      watch.outstanding = { id, sentAt: now, sends: outstanding.sends + 1 };
      this.#transmit(watch, id);
    }
  }

  #watch(
    connection: GrpcConnection,
    text: string,
    { received, initializing }: { readonly received: readonly string[]; readonly initializing: boolean },
  ): Message {
    if (!this.#patterns().has(text) && this.#patterns().size >= PATTERNS_MAX)
      return refusal(50310, `This server watches ${PATTERNS_MAX} patterns, allowed are ${PATTERNS_MAX}`);
    const pattern = watchPatternOf(text);
    const present = this.#present(pattern);
    if (present.size > MATCHES_MAX)
      return refusal(50311, `Pattern "${text}" matches ${present.size} services, allowed are ${MATCHES_MAX}`);
    this.#cancel(connection, text);
    const watch: Watch = { connection, text, pattern, known: present, queue: [], outstanding: undefined };
    const ofConnection = this.#watches.get(connection.id) ?? new Map<string, Watch>();
    this.#watches.set(connection.id, ofConnection.set(text, watch));
    const knownToClient = new Set(received);
    const changes = [
      ...[...present].filter((key) => !knownToClient.has(key)).map((key) => [key, 'ADD_SERVICE'] as const),
      ...received.filter((key) => !present.has(key)).map((key) => [key, 'DELETE_SERVICE'] as const),
    ];
    for (const message of syncMessages(text, changes, initializing)) this.#add(watch, message);
    return success(ANSWER);
  }

  #add(watch: Watch, message: WatchMessage): void {
    if (watch.queue.length >= QUEUE_MAX) {
      this.#drop(watch);
      return;
    }
    watch.queue.push(message);
    if (watch.queue.length === 1) setImmediate(() => this.#sendNext(watch));
  }

  #sendNext(watch: Watch): void {
    if (watch.outstanding !== undefined || watch.queue.length === 0) return;
    if (this.#watches.get(watch.connection.id)?.get(watch.text) !== watch) return;
    this.#lastId += 1;
    watch.outstanding = { id: this.#lastId, sentAt: this.#registry.now().mono, sends: 1 };
    this.#outstanding.set(this.#lastId, watch);
    this.#transmit(watch, this.#lastId);
  }

  #transmit(watch: Watch, id: number): void {
    const { type, json } = watch.queue[0] as WatchMessage;
    watch.connection.send({ type, json: `{"headers":{},"requestId":"${id}",${json}` });
  }

  #cancel(connection: GrpcConnection, text: string): void {
    const ofConnection = this.#watches.get(connection.id);
    const watch = ofConnection?.get(text);
    if (ofConnection === undefined || watch === undefined) return;
    this.#drop(watch);
    ofConnection.delete(text);
    if (ofConnection.size === 0) this.#watches.delete(connection.id);
  }

  #drop(watch: Watch): void {
    if (watch.outstanding !== undefined) this.#outstanding.delete(watch.outstanding.id);
    watch.outstanding = undefined;
    watch.queue.length = 0;
  }

  #present(pattern: WatchPattern): Set<string> {
    const present = new Set<string>();
    for (const service of this.#registry.core.services())
      if (service.instanceCount > 0 && means(pattern, service.key)) present.add(serviceKeyText(service.key));
    return present;
  }

  #patterns(): Set<string> {
    return new Set([...this.#all()].map((watch) => watch.text));
  }

  *#all(): Generator<Watch> {
    for (const ofConnection of this.#watches.values()) yield* ofConnection.values();
  }
}

function means(pattern: WatchPattern, { namespace, group, name }: ServiceKey): boolean {
  return pattern.namespace === namespace && pattern.matches(group, name);
}

function serviceKeyText({ namespace, group, name }: ServiceKey): string {
  return `${namespace}@@${group}@@${name}`;
}

function refusal(errorCode: number, message: string): Message {
  const json = `{"resultCode":500,"errorCode":${errorCode},"message":${jsonText(message)},"success":false}`;
  return { type: ANSWER, json };
}

function syncMessages(
  pattern: string,
  changes: readonly (readonly [string, string])[],
  initializing: boolean,
): WatchMessage[] {
  const syncType = initializing ? 'FUZZY_WATCH_INIT_NOTIFY' : 'FUZZY_WATCH_DIFF_SYNC_NOTIFY';
  const total = Math.ceil(changes.length / BATCH_SIZE);
  const messages: WatchMessage[] = [];
  for (let batch = 1; batch <= total; batch += 1) {
    const contexts = changes
      .slice((batch - 1) * BATCH_SIZE, batch * BATCH_SIZE)
      .map(([key, change]) => `{"serviceKey":${jsonText(key)},"changedType":"${change}"}`);
    messages.push(syncMessage(syncType, pattern, { contexts, total, batch }));
  }
  if (initializing)
    messages.push(syncMessage('FINISH_FUZZY_WATCH_INIT_NOTIFY', pattern, { contexts: [], total: 1, batch: 1 }));
  return messages;
}

function syncMessage(
  syncType: string,
  pattern: string,
  { contexts, total, batch }: { readonly contexts: readonly string[]; readonly total: number; readonly batch: number },
): WatchMessage {
  return {
    type: SYNC,
    json: `"syncType":"${syncType}","groupKeyPattern":${jsonText(pattern)},"contexts":[${contexts.join(',')}],"totalBatch":${total},"currentBatch":${batch},"module":"naming"}`,
  };
}
