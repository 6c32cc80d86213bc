// A registry behind its HTTP port, on time that moves only when a test says so; store and journal take everything at once.

import http from 'node:http';
import { DEFAULT_LIMITS, httpV1NameRules, type Limits, paramCheckNameRules } from '@rollcall/protocol';
import { ManualClock, ManualTimers, RecordingLogger } from '@rollcall/runtime/testing';
import { HostAddresses } from '../../src/adapters/host-addresses.js';
import { HttpLanes } from '../../src/adapters/http/http-lanes.js';
import { DEFAULT_HTTP_SETTINGS } from '../../src/adapters/http/http-settings.js';
import { PortListener } from '../../src/adapters/http/port-listener.js';
import { RouteTable } from '../../src/adapters/http/route-table.js';
import { httpOperatorRoutes } from '../../src/adapters/http-operator/http-operator-routes.js';
import type { ConnectedClient } from '../../src/adapters/http-results/client-directory.js';
import type { HttpResultOptions } from '../../src/adapters/http-results/http-result-context.js';
import { httpV1Routes } from '../../src/adapters/http-v1/http-v1-routes.js';
import { serverGate } from '../../src/adapters/http-v1/server-gate.js';
import { httpV2Routes } from '../../src/adapters/http-v2/http-v2-routes.js';
import { httpV3Routes } from '../../src/adapters/http-v3/http-v3-routes.js';
import { SortedServices } from '../../src/adapters/listings/sorted-services.js';
import type { MoveTarget } from '../../src/adapters/operator/move-target.js';
import { serverStateOf } from '../../src/adapters/operator/server-identity.js';
import { SwitchBoard } from '../../src/adapters/operator/switch-board.js';
import { networkProber } from '../../src/adapters/probes/network-prober.js';
import { ProbeRunner } from '../../src/adapters/probes/probe-runner.js';
import type { ProbeTimesOf } from '../../src/adapters/probes/probe-times.js';
import { PushTargets } from '../../src/adapters/push-targets.js';
import { UdpPushService } from '../../src/adapters/udp/udp-push-service.js';
import { RegistryRunner } from '../../src/app/registry-runner.js';
import { DEFAULT_CORE_SETTINGS } from '../../src/core/core-settings.js';
import type { RegistryEvent } from '../../src/core/registry-event.js';
import { MemoryStore } from '../../src/testing/memory-store.js';

/** Parameters of a request by name. */
export type Fields = Readonly<Record<string, string | number | boolean>>;

/** An answer. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  readonly json: ReturnType<typeof JSON.parse>;
}

/** How a request is sent, where it is not all in the query. */
export interface Sending {
  readonly form?: Fields;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The instance that short requests of tests mean. */
export const USUAL: Fields = { serviceName: 's', ip: '10.0.0.1', port: 8080 };

/** A registry under test. */
export class HttpRegistry {
  readonly runner: RegistryRunner;
  readonly events: RegistryEvent[] = [];
  /** Connections that are open, for those who list clients. */
  readonly connected = new Map<string, ConnectedClient>();
  /** Connections that were asked to go elsewhere. */
  readonly resets: { readonly id: string; readonly target: MoveTarget | undefined }[] = [];
  readonly logger = new RecordingLogger();
  /** Probes for real once it is started; the time between probes is moved by hand. */
  readonly probes: ProbeRunner;
  readonly #clock = new ManualClock();
  readonly #timers = new ManualTimers(this.#clock);
  readonly #listener: PortListener;
  readonly #udp: UdpPushService;
  #port = 0;

  private constructor(limits: Limits) {
    const [clock, timers, logger] = [this.#clock, this.#timers, this.logger];
    this.runner = new RegistryRunner({
      clock,
      timers,
      logger,
      limits,
      settings: DEFAULT_CORE_SETTINGS,
      store: new MemoryStore(),
      journal: { append: () => undefined, afterFlush: (callback) => void setImmediate(callback) },
      // Connections are not there, only what they publish and subscribe.
      push: (push) => {
        if (push.subscriber.transport === 'udp') this.#udp.send(push);
      },
    });
    const registry = this.runner;
    this.#udp = new UdpPushService({ registry, hosts: new HostAddresses(clock), logger, timers });
    const identity = () => ({ ip: '127.0.0.1', port: this.#port, version: '0.0.0' });
    const prober = networkProber({ clock, timers });
    this.probes = new ProbeRunner({ registry, prober, timers, logger, random: () => 0 });
    const rules = { names: httpV1NameRules(limits), limits };
    const probeTimesOf: ProbeTimesOf = (id, cluster) => this.probes.timesOf(id, cluster);
    const results: HttpResultOptions = {
      registry,
      rules: { names: paramCheckNameRules(limits), limits },
      identity,
      logger,
      pushTargets: new PushTargets({ sameHost: (ip) => [ip] }),
      sortedServices: new SortedServices(registry),
      connectedClients: { all: () => this.connected.values(), find: (id) => this.connected.get(id) },
    };
    const switchBoard = new SwitchBoard(registry);
    const v1 = httpV1Routes({ registry, rules, identity, logger, probeTimesOf, switchBoard });
    const operator = httpOperatorRoutes({
      ...results,
      switchBoard,
      state: () => serverStateOf(identity(), registry.core, undefined),
      resetClient: (id, target) => {
        if (this.connected.has(id)) this.resets.push({ id, target });
        return this.connected.has(id);
      },
    });
    const routes = [...v1, ...httpV2Routes(results), ...httpV3Routes(results), ...operator];
    const lanes = new HttpLanes({
      routes: new RouteTable(routes),
      settings: DEFAULT_HTTP_SETTINGS,
      limits,
      clock,
      timers,
      logger,
      afterJournal: (callback) => registry.afterJournal(callback),
      guard: serverGate({ core: registry.core, contextPath: '/nacos' }),
    });
    this.#listener = new PortListener({ lanes });
    this.runner.onEvent((event) => void this.events.push(event));
  }

  /** Counters of the UDP side. */
  get udpCounters(): UdpPushService['counters'] {
    return this.#udp.counters;
  }

  /** Port of HTTP. */
  get port(): number {
    return this.#port;
  }

  /** Starts a registry. @param limits - those that differ from the defaults */
  static async start(limits: Partial<Limits> = {}): Promise<HttpRegistry> {
    const registry = new HttpRegistry({ ...DEFAULT_LIMITS, ...limits });
    registry.#port = (await registry.#listener.listen({ host: '127.0.0.1', port: 0 })).port;
    await registry.#udp.listen(0);
    registry.runner.start();
    return registry;
  }

  async close(): Promise<void> {
    this.probes.stop();
    const closed = this.#listener.close({ graceMs: 1 });
    this.#timers.advance(1);
    await closed;
    await this.#udp.close();
    await this.runner.stop();
  }

  /** Lets time pass; deadlines on the way are met at exactly their time. */
  advance(ms: number): void {
    this.#timers.advance(ms);
  }

  /** Sends a request. @param fields - become the query @param path - below `/nacos/v1/ns` */
  send(method: string, path: string, fields: Fields = {}, sending: Sending = {}): Promise<Answer> {
    return this.ask(method, `/v1/ns${path}`, fields, sending);
  }

  /** Sends a request. @param fields - become the query @param path - below `/nacos` */
  ask(method: string, path: string, fields: Fields = {}, sending: Sending = {}): Promise<Answer> {
    const query = encoded(fields);
    const target = `/nacos${path}${query === '' ? '' : `?${query}`}`;
    const { form, body = form === undefined ? undefined : encoded(form), headers } = sending;
    const contentType = form === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' };
    return this.raw(method, target, { body, headers: { ...contentType, ...headers } });
  }

  /** Sends a request whose target is written out. */
  raw(
    method: string,
    target: string,
    { body, headers }: { readonly body?: string | undefined; readonly headers?: http.OutgoingHttpHeaders } = {},
  ): Promise<Answer> {
    // Node sends no length with the body of a DELETE by itself.
    const isChunked = headers !== undefined && 'Transfer-Encoding' in headers;
    const length = body === undefined || isChunked ? {} : { 'Content-Length': Buffer.byteLength(body) };
    // A connection for each request: kept ones are idle for minutes when a test moves the clock.
    const options = { agent: false, port: this.#port, method, path: target, headers: { ...length, ...headers } };
    return new Promise((resolve, reject) => {
      const request = http.request(options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve(answerOf(response, text)));
      });
      request.on('error', reject).end(body);
    });
  }

  /** POST `/instance` of the {@link USUAL} instance with other fields over it. */
  register(fields: Fields = {}): Promise<Answer> {
    return this.send('POST', '/instance', { ...USUAL, ...fields });
  }

  /** PUT `/instance`. */
  update(fields: Fields = {}): Promise<Answer> {
    return this.send('PUT', '/instance', { ...USUAL, ...fields });
  }

  /** PATCH `/instance`. */
  patch(fields: Fields = {}): Promise<Answer> {
    return this.send('PATCH', '/instance', { ...USUAL, ...fields });
  }

  /** DELETE `/instance`. */
  deregister(fields: Fields = {}): Promise<Answer> {
    return this.send('DELETE', '/instance', { ...USUAL, ...fields });
  }

  /** GET `/instance`. */
  one(fields: Fields = {}): Promise<Answer> {
    return this.send('GET', '/instance', { ...USUAL, ...fields });
  }

  /** Light beat of the usual instance. */
  lightBeat(fields: Fields = {}): Promise<Answer> {
    return this.send('PUT', '/instance/beat', { ...USUAL, ...fields });
  }

  /** Full beat. @param beat - its JSON */
  fullBeat(beat: object, fields: Fields = {}): Promise<Answer> {
    return this.send('PUT', '/instance/beat', { serviceName: 's', ...fields, beat: JSON.stringify(beat) });
  }

  /** The hosts of a list. */
  async hosts(fields: Fields = {}): Promise<ReturnType<typeof JSON.parse>[]> {
    const answer = await this.send('GET', '/instance/list', { serviceName: 's', ...fields });
    if (answer.status !== 200) throw new Error(`List was answered ${answer.status}: ${answer.text}`);
    return answer.json.hosts;
  }

  /** The instances of a cluster as the console sees them. */
  async catalog(fields: Fields = {}): Promise<ReturnType<typeof JSON.parse>[]> {
    const page = { clusterName: 'DEFAULT', pageNo: 1, pageSize: 100 };
    const answer = await this.send('GET', '/catalog/instances', { serviceName: 's', ...page, ...fields });
    return answer.json.list;
  }

  /** Bare names of all services of the default group. */
  async serviceNames(fields: Fields = {}): Promise<string[]> {
    const answer = await this.send('GET', '/service/list', { pageNo: 1, pageSize: 1000, ...fields });
    return answer.json.doms;
  }
}

function encoded(fields: Fields): string {
  return Object.entries(fields)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}

function answerOf(response: http.IncomingMessage, text: string): Answer {
  const contentType = response.headers['content-type'] ?? '';
  const json = /^[[{]/.test(text) ? JSON.parse(text) : undefined;
  const { statusCode: status = 0, headers } = response;
  return { status, contentType, headers, text, json };
}
