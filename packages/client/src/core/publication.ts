// What this client publishes in one service over a connection: all its instances there, sent whole each time, since a server
// keeps one record for each connection and service. Also the redo log: a new connection is told everything at once.
//
// Invariants: at most one publish call is on its way; each operation is settled once, by the first call that was sent after it
// and succeeded; content that a server refused is never sent again; the alarm is set only in a session, after a failure.
//
// Source: Nacos 2.5.1 NamingGrpcRedoService, without its timer of 3 s and its limit to one instance per service;
// contract grpc-2x 7.1, 10.3, 10.4 and 11.2.

import type { ServiceKey } from '@rollcall/protocol';
import type { Now } from '@rollcall/runtime/time';
import { type Alarm, alarm } from './alarm-clock.js';
import { backOffMs } from './back-off.js';
import type { Outcome } from './client-effect.js';
import { ClientError } from './client-error.js';
import type { CallResult } from './client-input.js';
import type { CoreContext } from './core-context.js';
import { instanceKey, type RegisteredInstance } from './instance.js';
import type { PublishCall } from './registry-call.js';

/** One instance that the caller wants published. */
interface Member {
  readonly key: string;
  instance: RegisteredInstance;
  /** What a server took last; undefined before it took anything. */
  accepted: RegisteredInstance | undefined;
  owner: number;
}

interface Operation {
  readonly number: number;
  readonly key: string;
  readonly instance: RegisteredInstance;
  readonly kind: 'register' | 'deregister';
  readonly awaitSubscribersMs: number;
}

/** A call on its way. */
interface Sent {
  readonly session: number;
  readonly content: ReadonlyMap<string, RegisteredInstance>;
  readonly operations: readonly Operation[];
}

/** The instances of one service. */
export class Publication {
  readonly service: ServiceKey;
  readonly #context: CoreContext;
  readonly #alarm: Alarm;
  readonly #ended: () => void;
  readonly #members = new Map<string, Member>();
  /** Operations that no call on its way covers. */
  #open: Operation[] = [];
  #sent: Sent | undefined;
  #ticket = 0;
  /** The session whose server has all of it; 0 for none. */
  #heldIn = 0;
  #failures = 0;
  #failure: ClientError | undefined;
  /** After a refusal, content that is new goes one by one, so that only the culprit is refused. */
  #pace: 'together' | 'one-by-one' = 'together';

  /** @param ended - called when nothing is published any more and nothing is on its way */
  constructor(service: ServiceKey, context: CoreContext, ended: () => void) {
    this.service = service;
    this.#context = context;
    this.#ended = ended;
    this.#alarm = alarm(() => this.#go());
  }

  /** What the caller wants published. */
  get wanted(): readonly RegisteredInstance[] {
    return [...this.#members.values()].map(({ instance }) => instance);
  }

  /** The operation that gave the instance its content; undefined when it is not wanted. */
  ownerOf(instance: RegisteredInstance): number | undefined {
    return this.#members.get(instanceKey(instance))?.owner;
  }

  /** Why the last call failed; undefined when it did not. */
  get failure(): ClientError | undefined {
    return this.#failure;
  }

  /** Whether the server at the other end has the instance as it is wanted. */
  isHeld(instance: RegisteredInstance): boolean {
    const member = this.#members.get(instanceKey(instance));
    const { session } = this.#context;
    const inForce = session.state === 'open' && this.#heldIn === session.number;
    return inForce && member !== undefined && member.accepted === member.instance;
  }

  /** The caller wants an instance, with this content. */
  want(instance: RegisteredInstance, number: number): void {
    const key = instanceKey(instance);
    const member = this.#members.get(key);
    if (member === undefined) this.#members.set(key, { key, instance, accepted: undefined, owner: number });
    else Object.assign(member, { instance, owner: number });
    this.#begin({ number, key, instance, kind: 'register', awaitSubscribersMs: 0 });
  }

  /** The caller does not want an instance any more. */
  unwant(instance: RegisteredInstance, number: number, awaitSubscribersMs: number): void {
    const key = instanceKey(instance);
    const member = this.#members.get(key);
    const isSent = this.#sent?.content.has(key) ?? false;
    this.#members.delete(key);
    this.#dropRegistrations(key);
    const isKnown = this.#context.session.state === 'open' && (isSent || member?.accepted !== undefined);
    if (isKnown) this.#begin({ number, key, instance, kind: 'deregister', awaitSubscribersMs });
    else {
      // No connection, or one that was never told: there is nothing to take out, and the redo will not bring it back.
      this.#settle(number, { type: 'done' });
      this.#endIfEmpty();
    }
  }

  /** A new connection: it is told everything. */
  opened(): void {
    this.#failures = 0;
    this.#go();
  }

  /** The connection is gone, and with it what it published. */
  lost(): void {
    const { clock, lane } = this.#context;
    clock.clear(this.#alarm);
    const { operations = [] } = this.#sent ?? {};
    if (this.#sent !== undefined && lane.withdraw(this.#ticket)) {
      this.#sent = undefined;
      this.#reopen(operations);
    }
    this.#open = this.#open.filter((operation) => this.#keepAfterLoss(operation));
    this.#endIfEmpty();
  }

  /** Hands over to another way of keeping instances: gives what is wanted, each operation with its content, in order. */
  release(): readonly { readonly instance: RegisteredInstance; readonly number: number }[] {
    this.#context.clock.clear(this.#alarm);
    return this.#open.map(({ instance, number }) => ({ instance, number }));
  }

  #begin(operation: Operation): void {
    this.#open.push(operation);
    this.#go();
  }

  /** Sends what the server does not have yet, unless a call is on its way: its answer comes back here. */
  #go(): void {
    const { session, clock, lane } = this.#context;
    if (session.state === 'closed' || this.#sent !== undefined) return;
    clock.clear(this.#alarm);
    const isBehind = this.#members.size > 0 && this.#heldIn !== session.number;
    if (this.#open.length === 0 && !isBehind) return;
    const content = this.#nextContent();
    // An operation that a later one of the same address replaced is done when that one is.
    const operations = this.#open.filter(
      ({ kind, key }) => kind === 'deregister' || content.get(key) === this.#members.get(key)?.instance,
    );
    this.#open = this.#open.filter((operation) => !operations.includes(operation));
    this.#sent = { session: session.number, content, operations };
    this.#ticket = lane.send(this.#callOf(this.#sent), (result, now) => this.#answered(result, now));
  }

  #callOf({ content, operations }: Sent): PublishCall {
    const leaving = operations.filter(({ kind }) => kind === 'deregister');
    return {
      type: 'publish',
      service: this.service,
      instances: [...content.values()],
      removed: leaving[0]?.instance,
      awaitSubscribersMs: Math.max(0, ...leaving.map(({ awaitSubscribersMs }) => awaitSubscribersMs)),
    };
  }

  #nextContent(): ReadonlyMap<string, RegisteredInstance> {
    const content = new Map<string, RegisteredInstance>();
    let isNewTaken = false;
    for (const { key, instance, accepted } of this.#members.values()) {
      const isNew = instance !== accepted;
      if (!isNew || this.#pace === 'together' || !isNewTaken) content.set(key, instance);
      else if (accepted !== undefined) content.set(key, accepted);
      if (isNew) isNewTaken = true;
    }
    return content;
  }

  #answered(result: CallResult<PublishCall>, now: Now): void {
    const sent = this.#sent as Sent;
    this.#sent = undefined;
    const { session } = this.#context;
    const isCurrent = session.state === 'open' && sent.session === session.number;
    if (!isCurrent) this.#reopen(sent.operations.filter((operation) => this.#keepAfterLoss(operation)));
    else if (result.type === 'answered') this.#accept(sent, result.answer);
    else if (result.error.transient) this.#retry(sent, result.error, now);
    else this.#refused(sent, result.error, now);
    if (!isCurrent || result.type === 'answered') this.#go();
    this.#endIfEmpty();
  }

  #accept(sent: Sent, subscribers: (Outcome & { type: 'done' })['subscribers']): void {
    if (this.#failures > 0 || this.#heldIn !== sent.session) this.#note('info', 'instances-registered');
    this.#failures = 0;
    this.#failure = undefined;
    this.#heldIn = sent.session;
    for (const [key, instance] of sent.content) {
      const member = this.#members.get(key);
      if (member !== undefined) member.accepted = instance;
    }
    if ([...this.#members.values()].every(({ instance, accepted }) => instance === accepted)) this.#pace = 'together';
    for (const { number, kind } of sent.operations)
      this.#settle(number, { type: 'done', ...(kind === 'deregister' ? { subscribers } : {}) });
  }

  #retry(sent: Sent, error: ClientError, now: Now): void {
    this.#failures++;
    this.#failure = error;
    if (this.#failures === 1) this.#note('warn', 'registration-failed', error);
    this.#reopen(sent.operations);
    const { clock, settings, random } = this.#context;
    clock.set(this.#alarm, now, backOffMs(this.#failures, settings.backOff, random));
  }

  /** A refusal is blamed on what was new in the call; when it was more than one, on none until each was sent alone. */
  #refused(sent: Sent, error: ClientError, now: Now): void {
    const suspects = [...sent.content].filter(([key, instance]) => this.#members.get(key)?.accepted !== instance);
    if (suspects.length !== 1) {
      this.#pace = 'one-by-one';
      // Nothing was new: a server that takes no more what it took before is asked again later.
      if (suspects.length === 0) this.#retry(sent, error, now);
      else {
        this.#reopen(sent.operations);
        this.#go();
      }
      return;
    }
    const [[key, instance]] = suspects as [[string, RegisteredInstance]];
    this.#note('warn', 'registration-failed', error);
    this.#forget(key, instance);
    const isBlamed = (operation: Operation): boolean => operation.key === key && operation.kind === 'register';
    for (const { number } of sent.operations.filter(isBlamed)) this.#settle(number, { type: 'failed', error });
    this.#reopen(sent.operations.filter((operation) => !isBlamed(operation)));
    this.#go();
  }

  /** Goes back to what a server took before, unless the caller gave another content meanwhile. */
  #forget(key: string, instance: RegisteredInstance): void {
    const member = this.#members.get(key);
    if (member?.instance !== instance) return;
    if (member.accepted === undefined) this.#members.delete(key);
    else member.instance = member.accepted;
  }

  /** A deregistration is done when the connection that held the instance is gone. */
  #keepAfterLoss({ kind, number }: Operation): boolean {
    if (kind === 'deregister') this.#settle(number, { type: 'done' });
    return kind === 'register';
  }

  #reopen(operations: readonly Operation[]): void {
    // What was unwanted while the call was on its way has been settled already.
    const wanted = operations.filter(({ kind, key }) => kind === 'deregister' || this.#members.has(key));
    this.#open.unshift(...wanted);
  }

  #dropRegistrations(key: string): void {
    const isDropped = (operation: Operation): boolean => operation.kind === 'register' && operation.key === key;
    const closed: Outcome = {
      type: 'failed',
      error: new ClientError('closed', 'The instance was deregistered before a server took it'),
    };
    const sent = this.#sent?.operations.filter(isDropped) ?? [];
    for (const { number } of [...sent, ...this.#open.filter(isDropped)]) this.#settle(number, closed);
    this.#open = this.#open.filter((operation) => !isDropped(operation));
    if (this.#sent !== undefined && sent.length > 0)
      this.#sent = { ...this.#sent, operations: this.#sent.operations.filter((operation) => !isDropped(operation)) };
  }

  #endIfEmpty(): void {
    if (this.#members.size > 0 || this.#open.length > 0 || this.#sent !== undefined) return;
    this.#context.clock.clear(this.#alarm);
    this.#ended();
  }

  #settle(operation: number, outcome: Outcome): void {
    this.#context.sink({ type: 'settled', operation, outcome });
  }

  #note(level: 'info' | 'warn', event: string, error?: ClientError): void {
    const fields = {
      service: this.service.id,
      instances: this.#members.size,
      server: error?.server,
      reason: error?.toString(),
    };
    this.#context.sink({ type: 'note', level, event, fields });
  }
}
