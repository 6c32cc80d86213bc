// The naming requests: register, deregister, batch, persistent, query, list, subscribe.
// Source: contract 10 and 11; choices in the golden README.

import {
  errorResponse,
  GRPC_ERROR,
  type JsonMembers,
  jsonText,
  type Message,
  RegistryError,
  readBatchInstanceRequest,
  readInstanceRequest,
  readServiceListRequest,
  readServiceQueryRequest,
  readSubscribeServiceRequest,
  type SentInstance,
  type ServiceKey,
  success,
  typedRefusal,
} from '@rollcall/protocol';
import type { Actor } from '../../core/actor.js';
import { addressOf } from '../../core/instance-address.js';
import { awaitMsOf } from '../instance-changes/awaited-subscribers.js';
import { noteReader } from '../list-readers.js';
import type { GrpcConnection } from './grpc-connection.js';
import type { GrpcContext } from './grpc-context.js';
import { serviceInfoAnswer } from './service-info-content.js';
import type { UnaryAnswer, UnaryHandler, UnaryRequest } from './unary-dispatch.js';

/** The handlers by type of request. */
export function namingHandlers(context: GrpcContext): ReadonlyMap<string, UnaryHandler> {
  return new Map<string, UnaryHandler>([
    ['HealthCheckRequest', () => success('HealthCheckResponse')],
    ['InstanceRequest', (request) => instanceRequest(context, request)],
    ['BatchInstanceRequest', (request) => batchInstanceRequest(context, request)],
    ['PersistentInstanceRequest', (request) => persistentInstanceRequest(context, request)],
    ['ServiceQueryRequest', (request) => serviceQueryRequest(context, request)],
    ['ServiceListRequest', (request) => serviceListRequest(context, request)],
    ['SubscribeServiceRequest', (request) => subscribeServiceRequest(context, request)],
  ]);
}

function instanceRequest(context: GrpcContext, request: UnaryRequest): Message | Promise<Message> {
  const { connection, body } = request;
  const read = readTyped('InstanceResponse', () => ({
    asked: readInstanceRequest(body, context.rules),
    waitMs: awaitedMs(request),
  }));
  if ('refusal' in read) return read.refusal;
  const { type, service, instance } = read.value.asked;
  if (!connection.isNamingClient) return noNamingClient(connection, 'register ephemeral instance');
  context.registry.step({
    type: 'publish',
    service,
    connection: connection.id,
    instances: type === 'registerInstance' ? [published(instance)] : [],
    means: type === 'registerInstance' ? 'list' : 'end',
    actor: actorOf(connection),
  });
  const waitMs = type === 'deregisterInstance' ? read.value.waitMs : undefined;
  return onceKnown(context, { service, waitMs, type: 'InstanceResponse', members: `,"type":${jsonText(type)}` });
}

function batchInstanceRequest(context: GrpcContext, request: UnaryRequest): Message | Promise<Message> {
  const { connection, body } = request;
  const read = readTyped('BatchInstanceResponse', () => ({
    asked: readBatchInstanceRequest(body, context.rules),
    waitMs: awaitedMs(request),
  }));
  if ('refusal' in read) return read.refusal;
  const { asked, waitMs } = read.value;
  const { service, instances } = asked;
  if (!connection.isNamingClient) return noNamingClient(connection, 'batch register ephemeral instance');
  context.registry.step({
    type: 'publish',
    service,
    connection: connection.id,
    instances: instances.map(published),
    means: 'list',
    actor: actorOf(connection),
  });
  const members = ',"type":"batchRegisterInstance"';
  return onceKnown(context, { service, waitMs, type: 'BatchInstanceResponse', members });
}

async function persistentInstanceRequest(context: GrpcContext, request: UnaryRequest): Promise<Message> {
  const { connection, body } = request;
  const read = readTyped('InstanceResponse', () => ({
    asked: readInstanceRequest(body, context.rules),
    waitMs: awaitedMs(request),
  }));
  if ('refusal' in read) return read.refusal;
  const { type, service, instance } = read.value.asked;
  const { address, content } = published(instance);
  await context.registry.commit(actorOf(connection), (core) => {
    const change = { type: 'persistent-instance', service, address } as const;
    if (type === 'deregisterInstance') return [{ ...change, value: undefined }];
    core.requireKind(service.id, 'persistent');
    core.requireRoom(service, 'persistent', address);
    return [{ ...change, value: { registered: content, base: content } }];
  });
  const waitMs = type === 'deregisterInstance' ? read.value.waitMs : undefined;
  return onceKnown(context, { service, waitMs, type: 'InstanceResponse', members: `,"type":${jsonText(type)}` });
}

function serviceQueryRequest({ registry, rules }: GrpcContext, { body, connection }: UnaryRequest): UnaryAnswer {
  const read = readTyped('QueryServiceResponse', () => readServiceQueryRequest(body, rules));
  if ('refusal' in read) return read.refusal;
  const { service, clusters, healthyOnly } = read.value;
  if (service !== undefined) noteQuery(registry, service, clusters, connection);
  return serviceInfoAnswer(registry, 'QueryServiceResponse', { service, named: namesIn(body), clusters, healthyOnly });
}

/** Who is subscribed learns by pushes. */
function noteQuery(
  registry: GrpcContext['registry'],
  service: ServiceKey,
  clusters: string,
  { id, origin }: GrpcConnection,
): void {
  const view = registry.core.view(service.id);
  if (view === undefined || registry.core.service(service.id)?.subscribers.has(id)) return;
  noteReader(registry, view, { clusters, address: origin.remoteAddress, via: 'grpc' });
}

function serviceListRequest({ registry, rules }: GrpcContext, { body }: UnaryRequest): Message {
  const read = readTyped(
    'ServiceListResponse',
    () => readServiceListRequest(body, rules),
    ',"count":0,"serviceNames":[]',
  );
  if ('refusal' in read) return read.refusal;
  const { namespace, group, pageNo, pageSize } = read.value;
  const names: string[] = [];
  for (const { key } of registry.core.services())
    if (key.namespace === namespace && key.group === group) names.push(key.name);
  names.sort();
  const from = (pageNo - 1) * pageSize;
  const page = names.slice(from, from + pageSize).map(jsonText);
  return success('ServiceListResponse', `,"count":${names.length},"serviceNames":[${page.join(',')}]`);
}

function subscribeServiceRequest(
  { registry, rules }: GrpcContext,
  { connection, body, headers }: UnaryRequest,
): UnaryAnswer {
  const read = readTyped('SubscribeServiceResponse', () => readSubscribeServiceRequest(body, rules));
  if ('refusal' in read) return read.refusal;
  const { service, subscribe, clusters } = read.value;
  if (!connection.isNamingClient)
    return noNamingClient(connection, subscribe ? 'subscribe service' : 'unsubscribe service');
  if (subscribe) {
    const { identity, origin } = connection;
    const subscribed = registry.step({
      type: 'subscribe-stream',
      service,
      connection: connection.id,
      clusters: clusters ?? '',
      agent: identity?.version ?? '',
      app: identity?.app ?? headers.get('app') ?? '-',
      ip: identity?.ip || origin.remoteAddress,
    });
    if (!subscribed.subscribed) throw new RegistryError('overloaded', `Subscription was refused: ${subscribed.reason}`);
  } else registry.step({ type: 'unsubscribe-stream', service, connection: connection.id });
  const query = { service, named: namesIn(body), clusters, healthyOnly: false };
  return serviceInfoAnswer(registry, 'SubscribeServiceResponse', query);
}

/** Reads a request; what the parameter checks refuse is answered in the request's own class. */
function readTyped<T>(
  type: string,
  read: () => T,
  members = '',
): { readonly value: T } | { readonly refusal: Message } {
  try {
    return { value: read() };
  } catch (error) {
    const typed =
      error instanceof RegistryError && (error.code === 'invalid-parameter' || error.code === 'limit-exceeded');
    if (!typed || error.message.startsWith('Unsupported request type')) throw error;
    return { refusal: typedRefusal(type, error, members) };
  }
}

function noNamingClient(connection: GrpcConnection, what: string): Message {
  return errorResponse(
    GRPC_ERROR.noNamingClient,
    `Client [${connection.id}] connection already disconnect, can't ${what}.`,
  );
}

/** The wait that a request asks for in its headers: those of the message, else those in its body (Python). */
function awaitedMs({ headers, body }: UnaryRequest): number | undefined {
  const named = headers.size > 0 ? awaitedMsOf(headers) : undefined;
  return named ?? (body.has('headers') ? awaitedMsOf(body.textMap('headers')) : undefined);
}

function awaitedMsOf(headers: ReadonlyMap<string, string>): number | undefined {
  for (const [name, value] of headers) if (name.toLowerCase() === 'awaitsubscribersms') return awaitMsOf(value);
  return undefined;
}

/** An answer of success, and for how long it waits for subscribers. */
interface Success {
  readonly service: ServiceKey;
  /** Undefined when it waits for the journal only. */
  readonly waitMs: number | undefined;
  readonly type: string;
  readonly members: string;
}

/** The success, written to the journal; when a wait was asked for, once all subscribers know or its time is over. */
function onceKnown({ registry }: GrpcContext, answer: Success): Promise<Message> {
  const { waitMs, type, members } = answer;
  return new Promise((resolve, reject) => {
    registry.afterJournal((error) => {
      if (error !== undefined) reject(error);
      else resolve(waitMs === undefined ? success(type, members) : onceAcknowledged(registry, answer, waitMs));
    });
  });
}

async function onceAcknowledged(
  registry: GrpcContext['registry'],
  { service, type, members }: Success,
  waitMs: number,
): Promise<Message> {
  const { acknowledged, pending, waitedMs } = await registry.awaitSubscribers(service, waitMs);
  const subscribers = `{"acknowledged":${acknowledged},"pending":${pending},"waitedMs":${Math.round(waitedMs)}}`;
  return success(type, `${members},"subscribers":${subscribers}`);
}

function published({ address: { ip, port, cluster }, content }: SentInstance) {
  return { address: addressOf(ip, port, cluster), content };
}

function actorOf(connection: GrpcConnection): Actor {
  return { via: 'grpc', address: connection.origin.remoteAddress };
}

function namesIn(body: JsonMembers): { readonly name: string | undefined; readonly groupName: string | undefined } {
  return { name: body.text('serviceName'), groupName: body.text('groupName') };
}
