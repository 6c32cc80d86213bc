// Calls as gRPC messages, and their answers. Source: contract grpc-2x 9 and 10 (2.5.1 request classes as the Java client fills them).

import type { Payload, ServiceKey } from '@rollcall/protocol';
import { ClientError, type ClientErrorCode, codeOfStatus } from '../../core/client-error.js';
import type { RegisteredInstance } from '../../core/instance.js';
import type {
  AnswerOf,
  BeatCall,
  DeregisterCall,
  ListCall,
  PublishCall,
  RegisterCall,
  RegistryCall,
  ServicePage,
  ServicesCall,
  SubscribersTold,
} from '../../core/registry-call.js';
import { serviceListOf } from '../../core/service-list.js';

/** Calls that gRPC can do: the connection itself is the sign of life. */
export type GrpcRegistryCall = Exclude<RegistryCall, BeatCall>;

/** A call in terms of gRPC. */
export interface GrpcCall {
  /** Class of the request. */
  readonly type: string;
  readonly json: string;
  /** Header fields of this call; those that every call has are added later. */
  readonly headers: readonly (readonly [string, string])[];
}

/** What a server says of a call that it did not do. */
export interface GrpcRefusal {
  readonly code: ClientErrorCode;
  /** Whether the server does not know this connection (any more). */
  readonly connection: 'known' | 'unknown';
  readonly message: string;
}

/** Translates a call. */
export function grpcCallOf(call: GrpcRegistryCall): GrpcCall {
  switch (call.type) {
    case 'register':
    case 'deregister':
      return persistentCall(call);
    case 'publish':
      return publishCall(call);
    case 'list':
      return listCall(call);
    case 'unfollow':
      return request('SubscribeServiceRequest', { ...namesOf(call.service), subscribe: false, clusters: '' });
    case 'services':
      return servicesCall(call);
    case 'status':
      return { type: 'HealthCheckRequest', json: '{"headers":{},"module":"internal"}', headers: [] };
  }
}

/**
 * Reads an answer.
 *
 * @param source - names connection and server, for lists
 * @throws ClientError `unexpected-answer` when it is none that a registry gives
 */
export function grpcAnswerOf<C extends GrpcRegistryCall>(call: C, body: GrpcBody, source: string): AnswerOf<C> {
  return answerOf(call, body, source) as AnswerOf<C>;
}

/** Members of the JSON of a message. */
export type GrpcBody = Readonly<Record<string, unknown>>;

/** The JSON of a message. @throws ClientError `unexpected-answer` when it is no object */
export function grpcBodyOf({ type, body }: Payload): GrpcBody {
  const text = body === undefined ? '' : decoder.decode(body);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ClientError('unexpected-answer', `"${type}" has no JSON but "${text.slice(0, 60)}"`, { cause });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as GrpcBody;
  throw new ClientError('unexpected-answer', `"${type}" has no JSON object but "${text.slice(0, 60)}"`);
}

/** What the server refused; undefined for a success. */
export function grpcRefusalOf(type: string, body: GrpcBody): GrpcRefusal | undefined {
  const errorCode = Number(body.errorCode ?? 0);
  const resultCode = Number(body.resultCode ?? 200);
  if (type !== 'ErrorResponse' && errorCode === 0 && resultCode === 200) return undefined;
  const code = errorCode === 0 ? resultCode : errorCode;
  const text = typeof body.message === 'string' ? body.message : '';
  return {
    code: CODES.get(code) ?? (code >= 300 && code < 600 ? codeOfStatus(code) : 'internal'),
    connection: UNKNOWN_CONNECTION.has(code) ? 'unknown' : 'known',
    message: `code ${code}${text === '' ? '' : `: ${text.slice(0, 300)}`}`,
  };
}

/** Codes of the contract, section 9, that are no HTTP statuses. */
const CODES = new Map<number, ClientErrorCode>([
  [300, 'unavailable'],
  [301, 'unreachable'],
  [302, 'not-implemented'],
  [-401, 'unreachable'],
  [22_001, 'not-found'],
]);
const UNKNOWN_CONNECTION = new Set([301, -401]);
const decoder = new TextDecoder();

function publishCall({ service, instances, removed, awaitSubscribersMs }: PublishCall): GrpcCall {
  const headers = awaitHeaders(awaitSubscribersMs);
  const [first] = instances;
  if (instances.length > 1) {
    const content = { type: 'batchRegisterInstance', instances: instances.map(instanceOf) };
    return request('BatchInstanceRequest', { ...namesOf(service), ...content }, headers);
  }
  const type = first === undefined ? 'deregisterInstance' : 'registerInstance';
  const named = (first ?? removed) as RegisteredInstance;
  return request('InstanceRequest', { ...namesOf(service), type, instance: instanceOf(named) }, headers);
}

function persistentCall(call: RegisterCall | DeregisterCall): GrpcCall {
  const type = call.type === 'register' ? 'registerInstance' : 'deregisterInstance';
  const headers = call.type === 'register' ? [] : awaitHeaders(call.awaitSubscribersMs);
  const content = { type, instance: instanceOf(call.instance) };
  return request('PersistentInstanceRequest', { ...namesOf(call.service), ...content }, headers);
}

function listCall({ service, purpose }: ListCall): GrpcCall {
  return purpose === 'follow'
    ? request('SubscribeServiceRequest', { ...namesOf(service), subscribe: true, clusters: '' })
    : request('ServiceQueryRequest', { ...namesOf(service), cluster: '', healthyOnly: false, udpPort: 0 });
}

function servicesCall({ namespace, group, page, pageSize }: ServicesCall): GrpcCall {
  const names = { namespace, serviceName: '', groupName: group };
  return request('ServiceListRequest', { ...names, pageNo: page, pageSize });
}

function request(type: string, members: object, headers: GrpcCall['headers'] = []): GrpcCall {
  return { type, json: JSON.stringify({ headers: {}, ...members, module: 'naming' }), headers };
}

/** Only Rollcall knows this header; others ignore it. */
function awaitHeaders(awaitSubscribersMs: number): GrpcCall['headers'] {
  return awaitSubscribersMs > 0 ? [['awaitSubscribersMs', String(awaitSubscribersMs)]] : [];
}

function namesOf({ namespace, group, name }: ServiceKey): object {
  return { namespace, serviceName: name, groupName: group };
}

function instanceOf({ ip, port, weight, healthy, enabled, ephemeral, cluster, metadata }: RegisteredInstance): object {
  return { ip, port, weight, healthy, enabled, ephemeral, clusterName: cluster, metadata };
}

function answerOf(call: GrpcRegistryCall, body: GrpcBody, source: string): AnswerOf<GrpcRegistryCall> {
  switch (call.type) {
    case 'register':
    case 'unfollow':
      return undefined;
    case 'deregister':
    case 'publish':
      return subscribersIn(body.subscribers);
    case 'list':
      return listAnswer(body.serviceInfo, source);
    case 'services':
      return servicePage(body);
    case 'status':
      return 'UP';
  }
}

/** A list as answers and pushes carry it. @throws ClientError `unexpected-answer` */
export function listAnswer(serviceInfo: unknown, source: string): AnswerOf<ListCall> {
  return {
    list: serviceListOf(serviceInfo),
    source,
    // Written only for who keeps it: most lists are not.
    get text() {
      return JSON.stringify(serviceInfo);
    },
  };
}

function servicePage({ count, serviceNames }: GrpcBody): ServicePage {
  if (!Array.isArray(serviceNames))
    throw new ClientError('unexpected-answer', 'The answer is none of a registry: "serviceNames" is no list');
  return { count: Number(count) || 0, names: serviceNames.map(String) };
}

function subscribersIn(value: unknown): SubscribersTold | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { acknowledged, pending, waitedMs } = value as Record<string, unknown>;
  return { acknowledged: Number(acknowledged) || 0, pending: Number(pending) || 0, waitedMs: Number(waitedMs) || 0 };
}
