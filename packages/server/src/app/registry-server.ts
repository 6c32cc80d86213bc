// Puts the server together: data directory, store, core, routes, and the port last, so that whoever reaches it finds the
// whole state. The end is the same backwards.

import type { Socket } from 'node:net';
import { httpV1NameRules, paramCheckNameRules } from '@rollcall/protocol';
import { type Clock, type Logger, nodeTimers, systemClock, type Timers } from '@rollcall/runtime';
import { sendConnectReset } from '../adapters/grpc/connect-reset.js';
import { grpcClients } from '../adapters/grpc/grpc-clients.js';
import { GrpcService } from '../adapters/grpc/grpc-service.js';
import { HostAddresses } from '../adapters/host-addresses.js';
import { HttpLanes } from '../adapters/http/http-lanes.js';
import { PortListener } from '../adapters/http/port-listener.js';
import { RouteTable } from '../adapters/http/route-table.js';
import { httpOperatorRoutes } from '../adapters/http-operator/http-operator-routes.js';
import { type HttpOwnRoutes, httpOwnRoutes } from '../adapters/http-own/http-own-routes.js';
import type { ServerFacts } from '../adapters/http-own/server-facts.js';
import { httpV1Routes } from '../adapters/http-v1/http-v1-routes.js';
import { serverGate } from '../adapters/http-v1/server-gate.js';
import { httpV2Routes } from '../adapters/http-v2/http-v2-routes.js';
import { httpV3Routes } from '../adapters/http-v3/http-v3-routes.js';
import { clusterSubscribers } from '../adapters/listings/cluster-subscribers.js';
import { SortedServices } from '../adapters/listings/sorted-services.js';
import { metricsRoutes } from '../adapters/metrics/metrics-routes.js';
import { scrapeTargetRoutes } from '../adapters/metrics/scrape-targets.js';
import { openApiRoute } from '../adapters/openapi/openapi-route.js';
import { ClusterLoads } from '../adapters/operator/cluster-loads.js';
import { serverStateOf } from '../adapters/operator/server-identity.js';
import { SwitchBoard } from '../adapters/operator/switch-board.js';
import { PeerNotices } from '../adapters/peer/peer-notices.js';
import { DeathConfirmation, type DeathConfirmationOptions, lookAtPort } from '../adapters/probes/death-confirmation.js';
import { networkProber } from '../adapters/probes/network-prober.js';
import { ProbeRunner } from '../adapters/probes/probe-runner.js';
import type { ProbeTimesOf } from '../adapters/probes/probe-times.js';
import { PushTargets } from '../adapters/push-targets.js';
import { CountedStore } from '../adapters/store/counted-store.js';
import type { DurableStore } from '../adapters/store/durable-store.js';
import { DEFAULT_EPHEMERAL_LOG_SETTINGS, EphemeralLog } from '../adapters/store/ephemeral-log.js';
import { UdpPushService } from '../adapters/udp/udp-push-service.js';
import { type ClusterPlan, clusterPlanOf } from './cluster-plan.js';
import { type Config, coreSettingsOf, httpSettingsOf } from './config-schema.js';
import { type DataDirectory, dataDirectoryPath, openDataDirectory, unusable } from './data-directory.js';
import { eventLog, serverEventLog } from './event-log.js';
import { grpcSettingsOf } from './grpc-options.js';
import { limitsOf } from './limit-options.js';
import { identityIp, type ListenAddress, pushPortError, urlsOf } from './listen-address.js';
import { RegistryRunner } from './registry-runner.js';
import { ServerCluster } from './server-cluster.js';
import { ServerLedger } from './server-ledger.js';
import { ServerMetrics } from './server-metrics.js';
import { ServerPorts } from './server-ports.js';
import { openServerStore } from './server-store.js';
import type { StartError } from './start-error.js';
import { SERVER_VERSION } from './version.js';

/** What a server is started with. */
export interface ServerOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly clock?: Clock;
  readonly timers?: Timers;
}

/** A server that listens. */
export interface RegistryServer {
  readonly facts: ServerFacts;
  readonly address: ListenAddress;
  /** Whether it is one of several. */
  readonly mode: 'standalone' | 'cluster';
  /** Resolves when the server cannot go on and must be closed: another process is the same node of the cluster. */
  readonly failure: Promise<StartError>;
  /**
   * Asks all gRPC clients to move to other servers and waits until they are gone, or, of one of several nodes, no other is up.
   *
   * @param waitMs - longest wait
   * @returns how many are still there
   */
  drain(waitMs: number): Promise<number>;
  /**
   * Stops listening, lets requests in flight end, saves everything. Takes at most `stopTimeoutMs` and what a snapshot
   * takes. Calling it again waits for the same end.
   */
  close(): Promise<void>;
}

/** Everything that a closing server gives back. */
interface Parts {
  readonly directory: DataDirectory;
  readonly store: DurableStore;
  readonly log: EphemeralLog;
  readonly runner: RegistryRunner;
  readonly grpc: GrpcService;
  readonly udp: UdpPushService;
  readonly hosts: HostAddresses;
  readonly probes: ProbeRunner;
  readonly metrics: ServerMetrics;
  /** Undefined for a server alone. */
  readonly cluster: ServerCluster | undefined;
  /** Undefined when no history is wanted. */
  readonly ledger: ServerLedger | undefined;
}

/**
 * Starts a server. When it throws, nothing is left open.
 *
 * @throws StartError with a message for the operator
 */
export async function startRegistryServer(options: ServerOptions): Promise<RegistryServer> {
  const { config, logger, clock = systemClock, timers = nodeTimers } = options;
  const plan = await clusterPlanOf(config, { timers, logger });
  const directory = await openDataDirectory(dataDirectoryPath(config), timers);
  try {
    const parts = await openState({ config, logger, clock, timers }, directory, plan);
    return await serve({ config, logger, clock, timers }, parts);
  } catch (error) {
    directory.release();
    throw error;
  }
}

async function openState(
  options: Required<ServerOptions>,
  directory: DataDirectory,
  plan: ClusterPlan | undefined,
): Promise<Parts> {
  const { config, logger, clock, timers } = options;
  try {
    const { epochPath } = directory;
    const cluster = plan && new ServerCluster({ config, plan, epochPath, clock, timers, logger });
    const nodes = cluster === undefined ? 'one' : 'several';
    const opened = await openServerStore({ config, nodes, directory, clock, timers, logger });
    const { store, sharedFigures } = opened;
    const counted = new CountedStore(store, clock);
    const settings = { ...DEFAULT_EPHEMERAL_LOG_SETTINGS, ageMaxMs: config.snapshotAgeMaxMs };
    const path = directory.ephemeralPath;
    const log = new EphemeralLog({ path, clock, timers, logger, endOfTurn: setImmediate, settings });
    const runner = new RegistryRunner({
      clock,
      timers,
      logger,
      settings: coreSettingsOf(config),
      limits: limitsOf(config),
      store: counted,
      journal: log,
      cluster,
      push: (push) => (push.subscriber.transport === 'stream' ? grpc.pushSender.send(push) : udp.send(push)),
    });
    const hosts = new HostAddresses(clock);
    const udp = new UdpPushService({ registry: runner, hosts, logger, timers });
    const grpc = new GrpcService({ registry: runner, logger, clock, timers, settings: grpcSettingsOf(config) });
    cluster?.bind(runner);
    const { ageMs } = log;
    runner.step({ type: 'restore', changes: store.load(), entries: log.load(), ageMs });
    log.start(() => runner.core.snapshot());
    runner.onEvent(eventLog(logger));
    runner.onServerEvent(serverEventLog(logger));
    const ledger = ServerLedger.open({ registry: runner, config, path: directory.ledgerPath, logger, timers });
    const prober = networkProber({ clock, timers });
    const probes = new ProbeRunner({ registry: runner, prober, timers, logger, random: Math.random });
    if (config.confirmDead === 'on') {
      const look: DeathConfirmationOptions['look'] = (target) => lookAtPort(target, timers);
      new DeathConfirmation({ registry: runner, proxies: config.confirmDeadProxies, look });
    }
    const metrics = new ServerMetrics(
      { runner, counted, sharedFigures, log, grpc, udp, probes, cluster, ledger },
      clock,
    );
    return { directory, store, log, runner, grpc, udp, hosts, probes, metrics, cluster, ledger };
  } catch (error) {
    throw unusable(directory.path, error);
  }
}

async function serve(options: Required<ServerOptions>, parts: Parts): Promise<RegistryServer> {
  const { config, logger, clock, timers } = options;
  const { runner, directory, grpc, udp, hosts, probes, metrics, cluster } = parts;
  const limits = limitsOf(config);
  const rules = { names: httpV1NameRules(limits), limits };
  const startedAt = clock.now().wall;
  let address: ListenAddress = { ip: config.host, port: config.port };
  const facts = (): ServerFacts => ({
    version: SERVER_VERSION,
    startedAt,
    urls: urlsOf(address),
    contextPath: routes.contextPath,
    dataDirectory: directory.path,
  });
  const identity = () => {
    const { ip, port } = cluster?.address ?? { ip: identityIp(address.ip), port: address.port };
    return { ip, port, version: SERVER_VERSION };
  };
  const pushTargets = new PushTargets(hosts, config.pushTargets);
  const state = () => serverStateOf(identity(), runner.core, cluster);
  const ledger = parts.ledger?.ledger;
  const own = httpOwnRoutes(
    { registry: runner, rules, facts },
    { drain: grpc.drain, ledger, state, clusterName: cluster?.name },
  );
  const sortedServices = new SortedServices(runner);
  const pushStatistics = metrics.pushes;
  const probeTimesOf: ProbeTimesOf = (serviceId, cluster) => probes.timesOf(serviceId, cluster);
  const switchBoard = new SwitchBoard(runner);
  const others = cluster && {
    cluster,
    contextPath: () => routes.contextPath,
    notices: new PeerNotices(clock, logger),
  };
  const subscribersElsewhere = others && clusterSubscribers(others);
  const shared = { registry: runner, logger, pushTargets, sortedServices, subscribersElsewhere };
  const v1 = { ...shared, rules, identity, cluster, pushStatistics, probeTimesOf, switchBoard };
  const resultRules = { names: paramCheckNameRules(limits), limits };
  const connectedClients = grpcClients(grpc.connections);
  const results = { ...shared, rules: resultRules, identity, connectedClients };
  const routes: RouteTable = new RouteTable(
    [
      ...httpV1Routes(v1),
      ...httpV2Routes(results),
      ...httpV3Routes(results),
      ...httpOperatorRoutes({
        ...results,
        switchBoard,
        state,
        clusterLoads: others && new ClusterLoads(others),
        resetClient: (id, target) => {
          const connection = grpc.connections.get(id);
          return connection !== undefined && sendConnectReset(connection, target);
        },
      }),
      ...own.routes,
      openApiRoute(() => ({ routes: routes.routes, contextPath: routes.contextPath, version: SERVER_VERSION })),
      ...metricsRoutes(() => metrics.page),
      ...scrapeTargetRoutes(sortedServices),
    ],
    { contextPath: config.contextPath },
  );
  const lanes = new HttpLanes({
    routes,
    settings: httpSettingsOf(config),
    limits,
    clock,
    timers,
    logger,
    afterJournal: (callback) => runner.afterJournal(callback),
    clients: () => runner.core.counts.ephemeralInstances + runner.core.counts.subscribers,
    guard: serverGate({ core: runner.core, contextPath: routes.contextPath }),
  });
  metrics.serveFrom(lanes, routes);
  const onHttp2 = (socket: Socket, bytes: Buffer) => grpc.transport.accept(socket, bytes);
  const ports = new ServerPorts(() => new PortListener({ lanes, onHttp2 }));
  try {
    await listenForAcknowledgements(udp, config.pushPort);
    runner.start();
    probes.start();
    address = await ports.listen(config);
    await cluster?.start();
    void parts.ledger?.load();
  } catch (error) {
    await ports.close({ graceMs: 0 });
    await closeState(parts);
    throw error;
  }
  let closing: Promise<void> | undefined;
  return {
    facts: facts(),
    address,
    mode: cluster === undefined ? 'standalone' : 'cluster',
    failure: cluster?.failure ?? new Promise(() => undefined),
    drain: (waitMs) => {
      grpc.drain.begin(undefined);
      return grpc.drain.untilEmpty(waitMs, () => cluster === undefined || isSomebodyElseUp(cluster));
    },
    close: () => (closing ??= closeServer({ ...parts, ports, own, graceMs: config.stopTimeoutMs })),
  };
}

/** Whether clients that leave this node find another one. */
function isSomebodyElseUp(cluster: ServerCluster): boolean {
  return cluster.members().some(({ isSelf, state }) => !isSelf && state === 'UP');
}

async function closeServer(
  parts: Parts & { readonly ports: ServerPorts; readonly own: HttpOwnRoutes; readonly graceMs: number },
): Promise<void> {
  const { ports, own, graceMs, grpc } = parts;
  own.close();
  grpc.drain.end();
  grpc.transport.close('server-stops');
  await ports.close({ graceMs });
  await closeState(parts);
  parts.directory.release();
}

async function listenForAcknowledgements(udp: UdpPushService, port: number): Promise<void> {
  try {
    await udp.listen(port);
  } catch (error) {
    throw pushPortError(port, error);
  }
}

async function closeState({ cluster, probes, metrics, udp, runner, log, store, ledger }: Parts): Promise<void> {
  await cluster?.leave();
  probes.stop();
  metrics.stop();
  await udp.close();
  await runner.stop();
  await ledger?.close();
  log.close();
  await store.close();
}
