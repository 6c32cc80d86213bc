// One registration that is kept by beats: what the caller wants, and how far the server is known to have it.
//
// Invariants: at most one register or deregister call is on its way, and at most one beat; nothing registers after a
// deregistration that the caller asked for; the alarm is set exactly in `waiting` and, for an ephemeral instance without a
// beat on its way, in `held`.
//
// Source: Nacos 1.4.8 BeatReactor and BeatTask; contract client-1x 4 with its traps: the original content is sent again
// (not one rebuilt from a beat), and a full beat that overlapped a deregistration is followed by a second one.

import type { ServiceKey } from '@rollcall/protocol';
import type { Now } from '@rollcall/runtime/time';
import { type Alarm, alarm } from './alarm-clock.js';
import { backOffMs } from './back-off.js';
import type { Outcome } from './client-effect.js';
import { ClientError } from './client-error.js';
import type { CallResult } from './client-input.js';
import type { CoreContext } from './core-context.js';
import { beatIntervalMsOf, type RegisteredInstance } from './instance.js';
import type { BeatCall, DeregisterCall, RegisterCall } from './registry-call.js';

/** How far a registration is. */
type Phase =
  /** A register call is on its way. */
  | 'registering'
  /** The last try failed; the alarm starts the next. */
  | 'waiting'
  /** The server took it. */
  | 'held'
  /** A deregister call is on its way. */
  | 'deregistering'
  /** Deregistered, but a full beat is on its way that may make it again. */
  | 'draining'
  /** Gone. */
  | 'ended';

/** A registration kept by beats. */
export class Registration {
  readonly service: ServiceKey;
  readonly #context: CoreContext;
  readonly #alarm: Alarm;
  readonly #ended: () => void;
  #instance: RegisteredInstance;
  #phase: Phase = 'ended';
  #wanted: 'present' | 'absent' = 'present';
  /** Whether the content changed while a call was on its way. */
  #outdated = false;
  /** Whether a server ever took it: then failures are no reason to give up. */
  #accepted = false;
  #failures = 0;
  #failure: ClientError | undefined;
  #registerTicket = 0;
  #beat: 'none' | 'light' | 'full' = 'none';
  #lightBeats = false;
  #awaitSubscribersMs = 0;
  #registerOperations: number[] = [];
  #deregisterOperations: number[] = [];
  #owner = 0;

  /** @param ended - called when nothing is left to do */
  constructor(service: ServiceKey, instance: RegisteredInstance, context: CoreContext, ended: () => void) {
    this.service = service;
    this.#instance = instance;
    this.#context = context;
    this.#ended = ended;
    this.#alarm = alarm(() => this.#rang());
  }

  /** The operation that gave the content in force. */
  get owner(): number {
    return this.#owner;
  }

  /** What is registered, or was last. */
  get instance(): RegisteredInstance {
    return this.#instance;
  }

  /** Whether the caller wants it. */
  get isWanted(): boolean {
    return this.#wanted === 'present';
  }

  /** Whether a server is known to have it. */
  get held(): boolean {
    return this.#phase === 'held';
  }

  /** Why the last try failed; undefined when it did not. */
  get failure(): ClientError | undefined {
    return this.#failure;
  }

  /** The caller wants it, with this content. */
  want(instance: RegisteredInstance, operation: number): void {
    this.#instance = instance;
    this.#wanted = 'present';
    this.#owner = operation;
    this.#registerOperations.push(operation);
    if (this.#phase === 'registering' || this.#phase === 'deregistering') this.#outdated = true;
    else this.#register();
  }

  /** The caller does not want it any more. @param awaitSubscribersMs - see `DeregisterCall` */
  unwant(operation: number, awaitSubscribersMs: number): void {
    this.#wanted = 'absent';
    this.#awaitSubscribersMs = awaitSubscribersMs;
    this.#deregisterOperations.push(operation);
    this.#settle(this.#registerOperations, closedBefore());
    if (this.#phase === 'deregistering') return;
    if (this.#phase !== 'registering') this.#deregister();
    else if (!this.#accepted && this.#context.lane.withdraw(this.#registerTicket)) this.#end({ type: 'done' });
  }

  #register(): void {
    this.#phase = 'registering';
    this.#outdated = false;
    this.#context.clock.clear(this.#alarm);
    const call: RegisterCall = { type: 'register', service: this.service, instance: this.#instance };
    this.#registerTicket = this.#context.lane.send(call, (result, now) => this.#registered(result, now));
  }

  #registered(result: CallResult<RegisterCall>, now: Now): void {
    if (this.#wanted === 'absent') this.#deregister();
    else if (this.#outdated) this.#register();
    else if (result.type === 'answered') this.#accept(now);
    else this.#refused(result.error, now);
  }

  #accept(now: Now): void {
    if (!this.#accepted || this.#failures > 0) this.#note('info', 'instance-registered');
    this.#phase = 'held';
    this.#accepted = true;
    this.#failures = 0;
    this.#failure = undefined;
    this.#settle(this.#registerOperations, { type: 'done' });
    if (this.#instance.ephemeral && this.#beat === 'none') this.#armBeat(now, beatIntervalMsOf(this.#instance));
  }

  #refused(error: ClientError, now: Now): void {
    this.#failures++;
    this.#failure = error;
    if (this.#failures === 1) this.#note('warn', 'registration-failed', error);
    if (!error.transient && !this.#accepted) {
      this.#end({ type: 'failed', error });
      return;
    }
    // A changed content that is refused is the caller's to know; the registration itself goes on.
    if (!error.transient) this.#settle(this.#registerOperations, { type: 'failed', error });
    this.#phase = 'waiting';
    const { clock, settings, random } = this.#context;
    clock.set(this.#alarm, now, backOffMs(this.#failures, settings.backOff, random));
  }

  #rang(): void {
    if (this.#phase === 'waiting') this.#register();
    else if (this.#phase === 'held') this.#sendBeat();
  }

  #armBeat(now: Now, delayMs: number): void {
    this.#context.clock.setLoose(this.#alarm, now, delayMs);
  }

  #sendBeat(): void {
    const form = this.#lightBeats ? 'light' : 'full';
    this.#beat = form;
    const call: BeatCall = { type: 'beat', service: this.service, instance: this.#instance, form };
    this.#context.lane.send(call, (result, now) => this.#beaten(result, now));
  }

  #beaten(result: CallResult<BeatCall>, now: Now): void {
    this.#beat = 'none';
    if (this.#phase === 'draining') this.#deregister();
    if (this.#phase !== 'held') return;
    const intervalMs = beatIntervalMsOf(this.#instance);
    if (result.type === 'failed') {
      this.#armBeat(now, intervalMs);
      return;
    }
    this.#lightBeats = result.answer.lightBeats;
    if (result.answer.instance === 'known') {
      this.#armBeat(now, result.answer.intervalMs > 0 ? result.answer.intervalMs : intervalMs);
      return;
    }
    this.#note('warn', 'registration-lost');
    this.#register();
  }

  #deregister(): void {
    this.#phase = 'deregistering';
    this.#outdated = false;
    this.#context.clock.clear(this.#alarm);
    const call: DeregisterCall = {
      type: 'deregister',
      service: this.service,
      instance: this.#instance,
      awaitSubscribersMs: this.#awaitSubscribersMs,
    };
    this.#context.lane.send(call, (result) => this.#deregistered(result));
  }

  #deregistered(result: CallResult<DeregisterCall>): void {
    const outcome: Outcome =
      result.type === 'answered'
        ? { type: 'done', subscribers: result.answer }
        : { type: 'failed', error: result.error };
    this.#accepted = false;
    if (this.#wanted === 'absent' && this.#beat !== 'full') {
      this.#end(outcome);
      return;
    }
    this.#settle(this.#deregisterOperations, outcome);
    if (this.#wanted === 'present') this.#register();
    else this.#phase = 'draining';
  }

  #end(outcome: Outcome): void {
    this.#phase = 'ended';
    this.#context.clock.clear(this.#alarm);
    this.#settle(this.#registerOperations, outcome);
    this.#settle(this.#deregisterOperations, outcome);
    this.#ended();
  }

  #settle(operations: number[], outcome: Outcome): void {
    for (const operation of operations.splice(0)) this.#context.sink({ type: 'settled', operation, outcome });
  }

  #note(level: 'info' | 'warn', event: string, error?: ClientError): void {
    const { ip, port, cluster } = this.#instance;
    const fields = { service: this.service.id, ip, port, cluster, server: error?.server, reason: error?.toString() };
    this.#context.sink({ type: 'note', level, event, fields });
  }
}

function closedBefore(): Outcome {
  return { type: 'failed', error: new ClientError('closed', 'The instance was deregistered before a server took it') };
}
