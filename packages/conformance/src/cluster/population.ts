// The instances of a flow: HTTP ones that beat, connections with an instance each, and a pair of SDK clients; all of them
// listed by every node before the flow goes on.
import { NpmClient } from '../client/npm-client.js';
import { BEAT_MS, BeatingInstance, type InstancePlan } from './clients/beating-instance.js';
import { randomOf } from './clients/cluster-calls.js';
import { GrpcClient } from './clients/grpc-client.js';
import type { ClusterScene } from './cluster-scene.js';
import { NODE_INDICES } from './network/cluster-network.js';
import type { DepartureWatch } from './view/departure-watch.js';
import type { ExpectedState, PublisherKind } from './view/expected-view.js';

/** Who is wanted. */
export interface PopulationPlan {
  /** Services over which all are spread. */
  readonly services: number;
  readonly http: number;
  /** Connections, an instance each; each subscribes to its service. */
  readonly grpc?: number;
  /** Whether there is a pair of npm clients besides. */
  readonly sdk?: boolean;
  /** Nodes that HTTP instances know; all by default. */
  readonly httpNodes?: readonly number[];
}

/** Two npm clients that know all nodes: one registers, the other subscribes. */
export interface SdkPair {
  readonly consumer: NpmClient;
  readonly instance: InstancePlan;
}

/** Who is there. */
export interface Population {
  readonly http: readonly BeatingInstance[];
  readonly grpc: readonly GrpcClient[];
  readonly sdk: SdkPair | undefined;
}

const AT_ONCE = 16;
const DEREGISTER_TIMEOUT_MS = 40_000;
const RIGHT_TIMEOUT_MS = 30_000;
const PORT = 8080;
const ADDRESSES_PER_BYTE = 250;

/** Addresses that no two instances of a flow share. */
const lastAddress = new WeakMap<ClusterScene, number>();

/** An instance that nobody else is, in one of the services. */
export function newInstance(scene: ClusterScene, serviceName: string): InstancePlan {
  const number = (lastAddress.get(scene) ?? 0) + 1;
  lastAddress.set(scene, number);
  const ip = `10.9.${Math.floor(number / ADDRESSES_PER_BYTE)}.${(number % ADDRESSES_PER_BYTE) + 1}`;
  return { serviceName, ip, port: PORT };
}

/** Name of a service. @param index - from 0 */
export function serviceName(index: number): string {
  return `flow.service-${index}`;
}

/** A beating instance of the scene that is not registered yet. @param nodes - that it knows; all by default */
export function newBeating(
  scene: ClusterScene,
  plan: InstancePlan,
  nodes: readonly number[] = NODE_INDICES,
): BeatingInstance {
  const instance = new BeatingInstance(plan, { calls: scene.calls, account: scene.beats, nodes });
  scene.defer(() => void instance.stop());
  return instance;
}

/** Says what every node must list of an instance from now on. */
export function expectInstance(
  scene: ClusterScene,
  plan: InstancePlan,
  state: ExpectedState,
  kind: PublisherKind = 'http',
): void {
  scene.expected.expect({ ...plan, kind, state });
}

/**
 * Registers all, lets them beat, and waits until every node lists them. Nothing that was wrong until then counts.
 * @throws Error when one is refused by all nodes, or some node does not list all of them in 30 s
 */
export async function populate(scene: ClusterScene, plan: PopulationPlan): Promise<Population> {
  const { services, http, grpc = 0, sdk = false, httpNodes } = plan;
  const serviceOf = (index: number): string => serviceName(index % services);
  const beating = Array.from({ length: http }, (_, index) =>
    newBeating(scene, newInstance(scene, serviceOf(index)), httpNodes),
  );
  await eachOf(beating, async (instance) => void (await registerBeating(scene, instance)));
  const connections = Array.from({ length: grpc }, (_, index) => newInstance(scene, serviceOf(index)));
  const clients: GrpcClient[] = [];
  await eachOf(connections, async (instance) => void clients.push(await connectClient(scene, instance)));
  const pair = sdk ? await startPair(scene, serviceOf(0)) : undefined;
  await settle(scene);
  return { http: beating, grpc: clients, sdk: pair };
}

/**
 * Registers an instance and lets it beat.
 * @param state - what must be seen of it from now on
 * @returns how long the registration took, in milliseconds
 * @throws Error when all nodes refuse
 */
export async function registerBeating(
  scene: ClusterScene,
  instance: BeatingInstance,
  state: 'live' | 'coming' = 'live',
): Promise<number> {
  expectInstance(scene, instance.plan, 'open');
  const { body, refusals, durationMs } = await instance.register();
  if (body === undefined) throw new Error(`No node takes an instance: ${refusals.join('; ')}`);
  instance.beat(Math.random() * BEAT_MS);
  expectInstance(scene, instance.plan, state);
  return durationMs;
}

/**
 * Stops the beats of an instance and deregisters it, again and again until a node accepts it.
 * @param nodes - that are tried
 * @returns how long that took, in milliseconds; undefined when it was not accepted in 40 s
 */
export async function deregisterBeating(
  scene: ClusterScene,
  instance: BeatingInstance,
  { nodes, watch }: { readonly nodes: readonly number[]; readonly watch: DepartureWatch },
): Promise<number | undefined> {
  expectInstance(scene, instance.plan, 'open');
  await instance.stop();
  const { body, durationMs } = await scene.calls.until(nodes, instance.deregistration(), DEREGISTER_TIMEOUT_MS);
  expectInstance(scene, instance.plan, 'gone');
  watch.watch(instance.plan);
  return body === undefined ? undefined : durationMs;
}

/** Connects a client with an instance at a random node. @param node - or at this one */
export async function connectClient(
  scene: ClusterScene,
  instance: InstancePlan,
  node = randomOf(NODE_INDICES),
): Promise<GrpcClient> {
  const { endpoints } = scene;
  const client = await GrpcClient.start({ endpoints, node, instance, subscribes: instance.serviceName });
  scene.defer(() => client.stop());
  expectInstance(scene, instance, 'live', 'grpc');
  return client;
}

/** Waits until every node lists what it must, and begins to count from there. @throws Error after 30 s */
export async function settle(scene: ClusterScene): Promise<void> {
  if (!scene.view.isStarted) scene.view.start();
  if (!(await scene.view.untilRight(NODE_INDICES, RIGHT_TIMEOUT_MS))) {
    const wrong = scene.view.spans.filter(({ toMs }) => toMs === undefined);
    const [first] = wrong;
    throw new Error(
      `Lists are not right ${RIGHT_TIMEOUT_MS} ms after the start, before anything happened: ${wrong.length} wrong` +
        `${first === undefined ? '' : `, first ${first.address} ${first.what} at node ${first.node}`}; ${scene.view.failures.join('; ')}`,
    );
  }
  scene.view.clear();
  scene.beats.clear();
}

/** Does something for each, some at once. */
async function eachOf<T>(values: readonly T[], work: (value: T) => Promise<void>): Promise<void> {
  const rest = [...values];
  const worker = async (): Promise<void> => {
    for (let value = rest.shift(); value !== undefined; value = rest.shift()) await work(value);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function startPair(scene: ClusterScene, service: string): Promise<SdkPair> {
  const [provider, consumer] = [await startClient(scene), await startClient(scene)];
  const instance = newInstance(scene, service);
  await provider.register(service, { ip: instance.ip, port: instance.port });
  await consumer.subscribe({ serviceName: service });
  expectInstance(scene, instance, 'live', 'sdk');
  return { consumer, instance };
}

function startClient(scene: ClusterScene): Promise<NpmClient> {
  return NpmClient.start(scene, { endpoint: scene.endpoints });
}
