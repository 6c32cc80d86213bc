// Calls as HTTP v1 requests, and their answers: exactly the parameters of the Java client, in the query for every verb; only
// a full beat has a body. Source: Nacos 1.4.8 NamingProxy and BeatReactor; contract client-1x 3.2, 3.3 and 4.

import { BEAT_UNKNOWN_CODE, javaDoubleText, jsonText } from '@rollcall/protocol';
import { ClientError } from '../../core/client-error.js';
import { beatIntervalMsOf, type RegisteredInstance } from '../../core/instance.js';
import type {
  AnswerOf,
  BeatAnswer,
  BeatCall,
  DeregisterCall,
  ListCall,
  PublishCall,
  RegisterCall,
  RegistryCall,
  ServicePage,
  ServicesCall,
  SubscribersTold,
  UnfollowCall,
} from '../../core/registry-call.js';
import { decodeServiceList } from '../../core/service-list.js';
import type { HttpAnswer, HttpRequest } from './http-exchange.js';

/** Calls that HTTP can do: it knows neither connections nor an end of subscriptions. */
export type HttpRegistryCall = Exclude<RegistryCall, PublishCall | UnfollowCall>;

/** A call in terms of HTTP. */
export interface HttpCall {
  readonly method: HttpRequest['method'];
  /** Behind the context path. */
  readonly path: string;
  /** Parameters in their order; those that every call has are added later. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
  /** Form body, with the `&` at its end that the Java client writes. */
  readonly body?: string | undefined;
}

/** Where pushes for this client should go. */
export interface PushTarget {
  /** Address of this client as the server sees it. */
  readonly clientIp: string;
  /** 0 when pushes cannot be received. */
  readonly udpPort: number;
}

const INSTANCE = '/v1/ns/instance';

/** Translates a call. @param target - for lists that are followed */
export function httpCallOf(call: HttpRegistryCall, target: PushTarget): HttpCall {
  switch (call.type) {
    case 'register':
      return registerCall(call);
    case 'deregister':
      return deregisterCall(call);
    case 'beat':
      return beatCall(call);
    case 'list':
      return listCall(call, target);
    case 'services':
      return servicesCall(call);
    case 'status':
      return { method: 'GET', path: '/v1/ns/operator/metrics', parameters: [] };
  }
}

/**
 * Reads the answer to a call, status 200.
 *
 * @throws ClientError `unexpected-answer` when it is none that a registry gives
 */
export function httpAnswerOf<C extends HttpRegistryCall>(call: C, answer: HttpAnswer): AnswerOf<C> {
  return answerOf(call, answer) as AnswerOf<C>;
}

function answerOf(call: HttpRegistryCall, answer: HttpAnswer): AnswerOf<HttpRegistryCall> {
  switch (call.type) {
    case 'register':
      checkOk(answer);
      return undefined;
    case 'deregister':
      checkOk(answer);
      return subscribersIn(answer.header('rollcall-subscribers'));
    case 'beat':
      return beatAnswer(answer.body);
    case 'list':
      return { list: decodeServiceList(answer.body), source: answer.remote, text: answer.body };
    case 'services':
      return servicePage(answer.body);
    case 'status':
      return objectIn(answer.body).status === 'UP' ? 'UP' : 'DOWN';
  }
}

function registerCall({ service, instance }: RegisterCall): HttpCall {
  return {
    method: 'POST',
    path: INSTANCE,
    parameters: [
      ['serviceName', service.grouped],
      ['groupName', service.group],
      ['clusterName', instance.cluster],
      ['ip', instance.ip],
      ['port', String(instance.port)],
      ['weight', javaDoubleText(instance.weight)],
      ['enable', String(instance.enabled)],
      ['healthy', String(instance.healthy)],
      ['ephemeral', String(instance.ephemeral)],
      ['metadata', metadataText(instance)],
    ],
  };
}

function deregisterCall({ service, instance, awaitSubscribersMs }: DeregisterCall): HttpCall {
  const parameters: [string, string][] = [
    ['serviceName', service.grouped],
    ['clusterName', instance.cluster],
    ['ip', instance.ip],
    ['port', String(instance.port)],
    ['ephemeral', String(instance.ephemeral)],
  ];
  if (awaitSubscribersMs > 0) parameters.push(['awaitSubscribersMs', String(awaitSubscribersMs)]);
  return { method: 'DELETE', path: INSTANCE, parameters };
}

function beatCall({ service, instance, form }: BeatCall): HttpCall {
  return {
    method: 'PUT',
    path: `${INSTANCE}/beat`,
    parameters: [
      ['serviceName', service.grouped],
      ['clusterName', instance.cluster],
      ['ip', instance.ip],
      ['port', String(instance.port)],
    ],
    body: form === 'light' ? undefined : `${new URLSearchParams({ beat: beatText(service.grouped, instance) })}&`,
  };
}

/** The members and their order are those of the Java client. */
function beatText(grouped: string, instance: RegisteredInstance): string {
  return (
    `{"port":${instance.port},"ip":${jsonText(instance.ip)},"weight":${javaDoubleText(instance.weight)},` +
    `"serviceName":${jsonText(grouped)},"cluster":${jsonText(instance.cluster)},"metadata":${metadataText(instance)},` +
    `"scheduled":false,"period":${beatIntervalMsOf(instance)},"stopped":false}`
  );
}

function listCall({ service, purpose }: ListCall, target: PushTarget): HttpCall {
  return {
    method: 'GET',
    path: `${INSTANCE}/list`,
    parameters: [
      ['serviceName', service.grouped],
      ['clusters', ''],
      ['udpPort', String(purpose === 'follow' ? target.udpPort : 0)],
      ['clientIP', target.clientIp],
      ['healthyOnly', 'false'],
    ],
  };
}

function servicesCall({ group, page, pageSize }: ServicesCall): HttpCall {
  return {
    method: 'GET',
    path: '/v1/ns/service/list',
    parameters: [
      ['pageNo', String(page)],
      ['pageSize', String(pageSize)],
      ['groupName', group],
    ],
  };
}

function metadataText(instance: RegisteredInstance): string {
  return JSON.stringify(instance.metadata);
}

function checkOk(answer: HttpAnswer): void {
  if (answer.body.trim() !== 'ok') throw unexpected(`"${answer.body.slice(0, 60)}", expected "ok"`);
}

function beatAnswer(body: string): BeatAnswer {
  const answer = objectIn(body);
  const intervalMs = Number(answer.clientBeatInterval);
  return {
    intervalMs: Number.isFinite(intervalMs) && intervalMs > 0 ? intervalMs : 0,
    instance: Number(answer.code) === BEAT_UNKNOWN_CODE ? 'unknown' : 'known',
    lightBeats: answer.lightBeatEnabled === true,
  };
}

function servicePage(body: string): ServicePage {
  const { count, doms } = objectIn(body);
  if (!Array.isArray(doms)) throw unexpected('"doms" is no list');
  return { count: Number(count) || 0, names: doms.map(String) };
}

/** How many subscribers knew, as Rollcall's header says it: `acknowledged=4, pending=1, waitedMs=38`. */
function subscribersIn(header: string | undefined): SubscribersTold | undefined {
  const [, acknowledged, pending, waitedMs] =
    /acknowledged=(\d+), pending=(\d+), waitedMs=(\d+)/.exec(header ?? '') ?? [];
  if (waitedMs === undefined) return undefined;
  return { acknowledged: Number(acknowledged), pending: Number(pending), waitedMs: Number(waitedMs) };
}

function objectIn(body: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (cause) {
    throw unexpected(`no JSON but "${body.slice(0, 60)}"`, cause);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unexpected('no JSON object');
  return value as Record<string, unknown>;
}

function unexpected(found: string, cause?: unknown): ClientError {
  return new ClientError('unexpected-answer', `The answer is none of a registry: found ${found}`, { cause });
}
