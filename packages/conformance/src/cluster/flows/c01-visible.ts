// C1: how soon a registration is listed on every node.
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../../sdk/percentile.js';
import type { InstancePlan } from '../clients/beating-instance.js';
import { randomOf } from '../clients/cluster-calls.js';
import { GrpcClient } from '../clients/grpc-client.js';
import type { ClusterFlow } from '../cluster-flow.js';
import type { ClusterScene } from '../cluster-scene.js';
import { NONE } from '../flow-figures.js';
import { NODE_INDICES } from '../network/cluster-network.js';
import { newBeating, newInstance, serviceName } from '../population.js';
import { lists } from '../view/view-sampler.js';

const SERVICES = 10;
const POLL_MS = 25;
const GIVE_UP_MS = 12_000;
/** Registrations come at random times, so that they meet deltas between nodes at every stage. */
const PAUSE_MAX_MS = 240;

/** Times from the start of a call until a node lists the instance, in milliseconds; undefined when it never did. */
interface Seen {
  readonly kind: 'HTTP' | 'gRPC';
  readonly same: number | undefined;
  readonly others: readonly (number | undefined)[];
}

/** The flow. */
export const c01Visible: ClusterFlow = {
  id: 'C1',
  title: '100 registrations on random nodes, polled every 25 ms on all',
  seconds: 25,
  async run(scene) {
    const connections = await connectAll(scene, scene.sized(30, 10));
    const jobs = [...Array.from({ length: scene.sized(70, 20) }, () => undefined), ...connections];
    const watches: Promise<Seen>[] = [];
    for (const client of shuffled(jobs)) {
      const instance = newInstance(scene, serviceName(watches.length % SERVICES));
      watches.push(client === undefined ? overHttp(scene, instance) : overGrpc(scene, instance, client));
      await sleep(Math.random() * PAUSE_MAX_MS);
    }
    const seen = await Promise.all(watches);
    for (const kind of ['HTTP', 'gRPC'] as const) tell(scene, kind, seen);
  },
};

function tell(scene: ClusterScene, kind: Seen['kind'], all: readonly Seen[]): void {
  const seen = all.filter((one) => one.kind === kind);
  const others = seen.flatMap((one) => one.others);
  const same = seen.map((one) => one.same);
  const missed = [...others, ...same].filter((time) => time === undefined).length;
  scene.figure(`${kind}: lists that did not get it in 12 s`, missed, NONE);
  scene.time(`${kind}: seen on the other nodes, p50`, percentile(times(others), 0.5));
  scene.time(`${kind}: seen on the other nodes, p99`, percentile(times(others), 0.99), { default: 3, strict: 0.5 });
  scene.time(`${kind}: seen on the same node, p99`, percentile(times(same), 0.99), { strict: 0.2 });
}

async function overHttp(scene: ClusterScene, instance: InstancePlan): Promise<Seen> {
  const node = randomOf(NODE_INDICES);
  const startedAtMs = performance.now();
  const { body, refusals } = await newBeating(scene, instance).register([node]);
  if (body === undefined) return refused(scene, 'HTTP', refusals.join('; '));
  return watchAll(scene, instance, { kind: 'HTTP', node, startedAtMs });
}

async function overGrpc(scene: ClusterScene, instance: InstancePlan, client: GrpcClient): Promise<Seen> {
  const startedAtMs = performance.now();
  if (!(await client.register(instance))) return refused(scene, 'gRPC', `node ${client.node}`);
  return watchAll(scene, instance, { kind: 'gRPC', node: client.node, startedAtMs });
}

function refused(scene: ClusterScene, kind: Seen['kind'], reason: string): Seen {
  scene.note(`registration over ${kind} refused: ${reason}`);
  return { kind, same: undefined, others: NODE_INDICES.slice(1).map(() => undefined) };
}

async function watchAll(
  scene: ClusterScene,
  instance: InstancePlan,
  { kind, node, startedAtMs }: { readonly kind: Seen['kind']; readonly node: number; readonly startedAtMs: number },
): Promise<Seen> {
  const times = await Promise.all(NODE_INDICES.map((index) => watchOne(scene, instance, { index, startedAtMs })));
  return { kind, same: times[node], others: times.filter((_, index) => index !== node) };
}

async function watchOne(
  scene: ClusterScene,
  instance: InstancePlan,
  { index, startedAtMs }: { readonly index: number; readonly startedAtMs: number },
): Promise<number | undefined> {
  const api = scene.calls.nodes[index];
  while (performance.now() - startedAtMs < GIVE_UP_MS) {
    const askedAtMs = performance.now();
    // A list that fails is one without the instance.
    const list = await api?.list({ serviceName: instance.serviceName }).catch(() => undefined);
    if (list !== undefined && lists(list.hosts, instance)) return performance.now() - startedAtMs;
    await sleep(Math.max(0, POLL_MS - (performance.now() - askedAtMs)));
  }
  return undefined;
}

async function connectAll(scene: ClusterScene, count: number): Promise<readonly GrpcClient[]> {
  const { endpoints } = scene;
  const clients: GrpcClient[] = [];
  for (let n = 0; n < count; n++) clients.push(await GrpcClient.start({ endpoints, node: randomOf(NODE_INDICES) }));
  for (const client of clients) scene.defer(() => client.stop());
  return clients;
}

function times(all: readonly (number | undefined)[]): readonly number[] {
  const seen = all.filter((time) => time !== undefined);
  return seen.length > 0 ? seen : [GIVE_UP_MS];
}

function shuffled<T>(values: readonly T[]): readonly T[] {
  return values
    .map((value) => ({ value, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ value }) => value);
}
