// C12: many changes on few instances, each at a random node; in the end all agree with the last one.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ListedHost } from '../../naming-api.js';
import type { InstancePlan } from '../clients/beating-instance.js';
import { randomOf } from '../clients/cluster-calls.js';
import { GrpcClient } from '../clients/grpc-client.js';
import type { ClusterFlow } from '../cluster-flow.js';
import type { ClusterScene } from '../cluster-scene.js';
import { emptyListFigure, NONE, rightFigure, sampleFigures } from '../flow-figures.js';
import { NODE_INDICES } from '../network/cluster-network.js';
import { newInstance, serviceName, settle } from '../population.js';
import { judgeList } from '../view/judge-list.js';

const SERVICES = 5;
const INSTANCES = 50;
const SUBSCRIBERS = 60;
const CHURN_MS = 30_000;
const CHANGE_EVERY_MS = 50;
const DEREGISTRATIONS = 0.3;
const SAMPLE_MS = 100;
const AFTER_MS = 8000;
/** Nobody beats here; changes alone are looked at. */
const NO_BEATS = { 'preserved.heart.beat.timeout': '300000', 'preserved.ip.delete.timeout': '300000' };

/** The flow. */
export const c12Churn: ClusterFlow = {
  id: 'C12',
  title: '20 changes/s at random nodes for 30 s on 50 instances, 60 gRPC subscribers',
  seconds: 50,
  async run(scene) {
    const subscribers = await subscribeAll(scene);
    const plans = Array.from({ length: INSTANCES }, (_, index) => newInstance(scene, serviceName(index % SERVICES)));
    scene.view.everyMs = SAMPLE_MS;
    for (const plan of plans) await change(scene, plan, { version: '0', isGoing: false });
    await settle(scene);
    const refused = await churn(scene, plans);
    const endedAt = { wallMs: Date.now(), monotonicMs: performance.now() };
    const toldMs = await untilAllTold(scene, subscribers, endedAt);
    await sleep(Math.max(0, AFTER_MS - (performance.now() - endedAt.monotonicMs)));
    scene.figure('changes refused', refused, NONE);
    const limit = { default: 5, strict: 2 };
    rightFigure(scene, 'lists of all nodes equal to the last change', {
      at: NODE_INDICES,
      sinceMs: endedAt.monotonicMs,
      limit,
    });
    scene.time('last push of all subscribers equal to it', toldMs, limit);
    emptyListFigure(scene, NODE_INDICES, 'any node');
    sampleFigures(scene, NODE_INDICES);
  },
};

interface Subscriber {
  readonly client: GrpcClient;
  readonly service: string;
}

async function subscribeAll(scene: ClusterScene): Promise<readonly Subscriber[]> {
  const { endpoints } = scene;
  const subscribers: Subscriber[] = [];
  for (let index = 0; index < SUBSCRIBERS; index++) {
    const service = serviceName(index % SERVICES);
    const client = await GrpcClient.start({ endpoints, node: randomOf(NODE_INDICES), subscribes: service });
    scene.defer(() => client.stop());
    subscribers.push({ client, service });
  }
  return subscribers;
}

/** @returns how many changes were refused */
async function churn(scene: ClusterScene, plans: readonly InstancePlan[]): Promise<number> {
  const endsAtMs = performance.now() + CHURN_MS;
  let [version, refused] = [0, 0];
  while (performance.now() < endsAtMs) {
    const startedAtMs = performance.now();
    version += 1;
    const isGoing = Math.random() < DEREGISTRATIONS;
    if (!(await change(scene, randomOf(plans), { version: String(version), isGoing }))) refused += 1;
    await sleep(Math.max(0, CHANGE_EVERY_MS - (performance.now() - startedAtMs)));
  }
  return refused;
}

/** @returns whether it was accepted */
async function change(
  scene: ClusterScene,
  plan: InstancePlan,
  { version, isGoing }: { readonly version: string; readonly isGoing: boolean },
): Promise<boolean> {
  const { serviceName: service, ip, port } = plan;
  const query = { serviceName: service, ip, port: String(port), ephemeral: 'true' };
  const metadata = JSON.stringify({ ...NO_BEATS, version });
  scene.expected.expect({ ...plan, kind: 'http', state: 'open' });
  const { body } = await scene.calls.first([randomOf(NODE_INDICES)], {
    method: isGoing ? 'DELETE' : 'POST',
    path: '/v1/ns/instance',
    query: isGoing ? query : { ...query, metadata },
  });
  scene.expected.expect({ ...plan, kind: 'http', ...(isGoing ? { state: 'gone' } : { state: 'live', version }) });
  return body !== undefined;
}

/** @returns how long after the end the last subscriber got its last list, in milliseconds; undefined when one never did */
async function untilAllTold(
  scene: ClusterScene,
  subscribers: readonly Subscriber[],
  endedAt: { readonly wallMs: number; readonly monotonicMs: number },
): Promise<number | undefined> {
  const isTold = ({ client, service }: Subscriber): boolean => isLast(scene, service, client.newest?.hosts ?? []);
  while (!subscribers.every(isTold)) {
    if (performance.now() - endedAt.monotonicMs > AFTER_MS) return undefined;
    await sleep(CHANGE_EVERY_MS);
  }
  const last = Math.max(...subscribers.map(({ client }) => client.newest?.atMs ?? 0));
  return Math.max(0, last - endedAt.wallMs);
}

function isLast(scene: ClusterScene, service: string, hosts: readonly ListedHost[]): boolean {
  return judgeList(scene.expected.of(service), hosts, performance.now()).length === 0;
}
