// Does what a case says and writes down what came back, in the form in which golden answers are kept.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Json, parseExactJson } from '../golden/exact-json.js';
import { goldenAnswer } from '../golden/golden-answer.js';
import { exchange, type Target } from '../golden/http-exchange.js';
import type { GrpcCase, GrpcStep } from './grpc-case.js';
import { writePayload } from './grpc-payload.js';
import { GrpcPeer, type ReceivedPush, type UnaryReply, withChanges } from './grpc-peer.js';
import type { GrpcVariables } from './grpc-variables.js';

/** What came back of one step; which members there are depends on the kind of step. `arrivalMs`: since what caused it. */
export type GrpcAnswer = { readonly [member: string]: Json };

/** The server that cases run against. */
export interface GrpcTarget {
  readonly host: string;
  /** Port that speaks gRPC. */
  readonly port: number;
  readonly http: Target;
  /** `ip:port` that the server calls its own. */
  readonly self: string | undefined;
}

const EXPECT_MS = 3000;
const SETTLED_MS = 2500;
const SETUP_TRIES = 40;
const SETUP_PAUSE_MS = 50;
const USUAL_SETUP = {
  headers: {},
  clientVersion: 'Nacos-Java-Client:v2.5.1',
  labels: { source: 'sdk', module: 'naming', AppName: 'golden' },
  abilityTable: {},
  module: 'internal',
};

/** Runs a case on connections of its own. @throws Error when a step cannot be done */
export async function runGrpcCase(
  golden: GrpcCase,
  target: GrpcTarget,
  variables: GrpcVariables,
): Promise<GrpcAnswer[]> {
  const run = new GrpcCaseRun(golden, target, variables);
  try {
    return await run.answers();
  } finally {
    run.close();
  }
}

class GrpcCaseRun {
  readonly #golden: GrpcCase;
  readonly #target: GrpcTarget;
  readonly #variables: GrpcVariables;
  readonly #peers = new Map<string, GrpcPeer>();
  /** When the last step that causes pushes was done. */
  #causedAtMs = Date.now();

  constructor(golden: GrpcCase, target: GrpcTarget, variables: GrpcVariables) {
    this.#golden = golden;
    this.#target = target;
    this.#variables = variables;
  }

  async answers(): Promise<GrpcAnswer[]> {
    const { connections, steps } = this.#golden;
    for (const [name, plan] of Object.entries(connections ?? {})) if (plan.later !== true) await this.#open(name);
    const answers: GrpcAnswer[] = [];
    for (const step of steps) {
      if (step.send ?? step.http ?? step.close ?? step.stream ?? step.open ?? step.call) this.#causedAtMs = Date.now();
      answers.push(this.#variables.mask(await this.#answerTo(step)) as GrpcAnswer);
    }
    return answers;
  }

  close(): void {
    for (const peer of this.#peers.values()) peer.close('tcp');
  }

  async #open(name: string): Promise<GrpcPeer> {
    const plan = this.#golden.connections[name] ?? {};
    const peer = await GrpcPeer.open(this.#target, plan);
    this.#peers.set(name, peer);
    if (plan.setup !== null) await this.#setUp(peer, this.#variables.fill(withChanges(USUAL_SETUP, plan.setup ?? {})));
    this.#remember(name, peer);
    return peer;
  }

  #remember(name: string, { id, port }: GrpcPeer): void {
    this.#variables.connections.set(name, { id, port });
  }

  /** What every client does first: server check, setup on the stream, then wait until calls are let in. */
  async #setUp(peer: GrpcPeer, setup: Readonly<Record<string, Json>>): Promise<void> {
    takeId(peer, await peer.request({ type: 'ServerCheckRequest', body: bytesOf({}) }));
    peer.write({ type: 'ConnectionSetupRequest', body: bytesOf(setup) });
    const isAcknowledgement = ({ type }: ReceivedPush): boolean => type === 'SetupAckRequest';
    if ('abilityTable' in setup) await peer.until(() => peer.inbox.find(isAcknowledgement), EXPECT_MS);
    for (let tries = 0; tries < SETUP_TRIES; tries += 1) {
      const reply = await peer.request({ type: 'HealthCheckRequest', body: bytesOf({}) });
      if ('payload' in reply && reply.payload.type === 'HealthCheckResponse') break;
      await sleep(SETUP_PAUSE_MS);
    }
    peer.inbox = peer.inbox.filter((push) => !isAcknowledgement(push));
  }

  async #answerTo(step: GrpcStep): Promise<GrpcAnswer> {
    if (step.wait !== undefined) return sleep(step.wait, {});
    if (step.http !== undefined) return this.#http(step.http);
    if (step.open !== undefined) return { open: !(await this.#open(step.open)).isClosed };
    const peer = this.#peers.get(step.conn ?? step.close ?? '');
    if (peer === undefined) throw new Error(`Cannot do a step of "${this.#golden.id}": found no connection for it`);
    if (step.close !== undefined) peer.close(step.how ?? 'tcp');
    else if (step.reopen) peer.reopen();
    else if (step.send !== undefined) return this.#send(step.send, step, peer);
    else if (step.call !== undefined) return this.#call(step.call, step, peer);
    else if (step.stream !== undefined) return { sent: peer.write(this.#payload(step.stream, step)) };
    else if (step.expect !== undefined) return this.#expect(step.expect, step, peer);
    else if (step.settled !== undefined) return this.#settled(step.settled, step, peer);
    else if (step.collect !== undefined) return this.#collect(step.collect, step, peer);
    else if (step.ended) return this.#ended(step, peer);
    return {};
  }

  async #http(template: NonNullable<GrpcStep['http']>): Promise<GrpcAnswer> {
    const step = this.#variables.fill(template);
    const { names } = this.#variables;
    const answer = goldenAnswer(await exchange(step, this.#target.http, names), {
      step,
      names,
      self: this.#target.self,
    });
    const { headersOfInterest: _, ...rest } = answer;
    return rest as GrpcAnswer;
  }

  async #send(type: string, step: GrpcStep, peer: GrpcPeer): Promise<GrpcAnswer> {
    const reply = await peer.request(this.#payload(step.type ?? type, step));
    if (type === 'ServerCheckRequest') {
      takeId(peer, reply);
      this.#remember(step.conn ?? '', peer);
    }
    return replyAnswer(reply);
  }

  async #call(path: string, step: GrpcStep, peer: GrpcPeer): Promise<GrpcAnswer> {
    const message =
      step.bytes === undefined ? writePayload(this.#payload(step.type ?? '', step)) : Buffer.from(step.bytes, 'hex');
    return replyAnswer(await peer.call(path, step.noMessage ? undefined : message, step));
  }

  async #expect(type: string, step: GrpcStep, peer: GrpcPeer): Promise<GrpcAnswer> {
    const push = await peer.until(() => this.#pushesOf(type, step, peer)[0], step.withinMs ?? EXPECT_MS);
    if (push === undefined) return { none: true };
    peer.inbox.splice(peer.inbox.indexOf(push), 1);
    if (step.answer !== undefined) peer.answer(push, this.#variables.fill(step.answer));
    return { ...pushAnswer(push), arrivalMs: push.atMs - this.#causedAtMs };
  }

  /** The last push of the time; it arrived when the first one that says the same did. */
  async #settled(type: string, step: GrpcStep, peer: GrpcPeer): Promise<GrpcAnswer> {
    await sleep(Math.max(0, (step.withinMs ?? SETTLED_MS) - (Date.now() - this.#causedAtMs)));
    const pushes = this.#take(type, step, peer);
    const last = pushes.at(-1);
    if (last === undefined) return { none: true };
    const first = pushes.find((push) => contentOf(push) === contentOf(last)) ?? last;
    return { ...pushAnswer(last), arrivalMs: Math.max(0, first.atMs - this.#causedAtMs) };
  }

  async #collect(type: string, step: GrpcStep, peer: GrpcPeer): Promise<GrpcAnswer> {
    await sleep(step.forMs ?? 0);
    const pushes = this.#take(type, step, peer);
    const last = pushes.at(-1);
    if (step.all) return { messages: pushes.length, all: pushes.map(pushAnswer) };
    return { messages: pushes.length, ...(last !== undefined && { last: pushAnswer(last) }) };
  }

  async #ended(step: GrpcStep, peer: GrpcPeer): Promise<GrpcAnswer> {
    const end = await peer.until(() => peer.streamEnd, step.withinMs ?? EXPECT_MS);
    if (end === undefined) return { ended: false };
    const { grpcStatus, rst } = end;
    return { ended: true, ...(grpcStatus === undefined ? { rst } : { grpcStatus }) };
  }

  #take(type: string, step: GrpcStep, peer: GrpcPeer): ReceivedPush[] {
    const taken = this.#pushesOf(type, step, peer);
    peer.inbox = peer.inbox.filter((push) => !taken.includes(push));
    return taken;
  }

  #pushesOf(type: string, { service }: GrpcStep, peer: GrpcPeer): ReceivedPush[] {
    const wanted = service === undefined ? undefined : this.#variables.fill(service);
    return peer.inbox.filter((push) => push.type === type && (wanted === undefined || serviceOf(push) === wanted));
  }

  #payload(type: string, step: GrpcStep) {
    const { headers, clientIp, rawBody, body } = step;
    const text =
      rawBody === undefined ? JSON.stringify(this.#variables.fill(body ?? {})) : this.#variables.fill(rawBody);
    return {
      type,
      ...(headers !== undefined && { headers: this.#variables.fill(headers) }),
      ...(clientIp !== undefined && { clientIp }),
      ...(step.noBody !== true && { body: Buffer.from(text) }),
    };
  }
}

function takeId(peer: GrpcPeer, reply: UnaryReply): void {
  if (!('payload' in reply) || reply.payload.type !== 'ServerCheckResponse') return;
  const { connectionId } = JSON.parse(reply.payload.body) as { connectionId?: string };
  peer.id = connectionId;
}

function replyAnswer(reply: UnaryReply): GrpcAnswer {
  return 'payload' in reply ? pushAnswer(reply.payload) : reply;
}

function pushAnswer({ type, body }: { readonly type: string; readonly body: string }): GrpcAnswer {
  try {
    const { value, floats, twice } = parseExactJson(body);
    return { type, body: value, ...(floats.length > 0 && { floats }), ...(twice.length > 0 && { twice }) };
  } catch {
    return { type, text: body }; // Not JSON: shown as it is, and different from anything expected.
  }
}

function serviceOf({ body }: ReceivedPush): string | undefined {
  return (JSON.parse(body) as { serviceInfo?: { name?: string } }).serviceInfo?.name;
}

function contentOf({ body }: ReceivedPush): string {
  return body.replace(/"(?:lastRefTime|requestId)":"?\d+"?/g, '');
}

function bytesOf(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}
