// C11: an operator disables instances at a node shortly before it is lost.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiCall } from '../../naming-api.js';
import type { InstancePlan } from '../clients/beating-instance.js';
import type { ClusterFlow } from '../cluster-flow.js';
import type { ClusterScene } from '../cluster-scene.js';
import { httpFigures, NONE, wrongSpans } from '../flow-figures.js';
import { NODE_INDICES } from '../network/cluster-network.js';
import { expectInstance, populate } from '../population.js';
import { instancesOf, longestMs, type WrongSpan } from '../view/wrong-span.js';

const KILLED = 1;
const SURVIVORS = [0, 2];
const EACH = 10;
const SAMPLE_MS = 50;
const BETWEEN_MS = 100;
const BEFORE_KILL_MS = 3000;
const AWAY_MS = 15_000;
const RETURNED_MS = 10_000;
const ENABLED_TIMEOUT_MS = 10_000;

/** The flow. */
export const c11Disabled: ClusterFlow = {
  id: 'C11',
  title: '10 instances are disabled at node 1, 3 to 4 s before its kill',
  seconds: 50,
  async run(scene) {
    const { http } = await populate(scene, { services: 5, http: 60 });
    scene.view.everyMs = SAMPLE_MS;
    const disabled = http.slice(0, EACH).map(({ plan }) => plan);
    for (const plan of disabled) {
      await setEnabled(scene, { plan, nodes: [KILLED], enabled: 'false' });
      expectInstance(scene, plan, 'disabled');
      await sleep(BETWEEN_MS);
    }
    await sleep(BEFORE_KILL_MS);
    await scene.act('kill', KILLED);
    const killedAtMs = performance.now();
    scene.time('disabled everywhere after, longest', longestMs(servedIn(scene)), { default: 3.5, strict: 1 });
    await sleep(AWAY_MS);
    await scene.act('start', KILLED);
    await sleep(RETURNED_MS);
    const served = servedIn(scene).filter(({ fromMs }) => fromMs > killedAtMs);
    scene.figure('disabled ones served as enabled after the kill', instancesOf(served), NONE);
    for (const plan of disabled) {
      expectInstance(scene, plan, 'open');
      await setEnabled(scene, { plan, nodes: NODE_INDICES, enabled: 'true' });
      expectInstance(scene, plan, 'coming');
    }
    const enabledAtMs = performance.now();
    const isRight = await scene.view.untilRight(NODE_INDICES, ENABLED_TIMEOUT_MS);
    scene.time('enabled again everywhere after', isRight ? performance.now() - enabledAtMs : undefined, {
      default: 10,
    });
    httpFigures(scene, SURVIVORS, 'the survivors', NONE);
  },
};

function servedIn(scene: ClusterScene): readonly WrongSpan[] {
  return wrongSpans(scene, { at: NODE_INDICES, kinds: ['http'], what: ['enabled'] });
}

async function setEnabled(
  scene: ClusterScene,
  { plan, nodes, enabled }: { plan: InstancePlan; nodes: readonly number[]; enabled: 'true' | 'false' },
): Promise<void> {
  const { serviceName, ip, port } = plan;
  const fields = { clusterName: 'DEFAULT', weight: '1', ephemeral: 'true', metadata: '{}', enabled };
  const query = { serviceName, ip, port: String(port), ...fields };
  const call: ApiCall = { method: 'PUT', path: '/v1/ns/instance', query };
  const { body, refusals } = await scene.calls.first(nodes, call);
  if (body === undefined) throw new Error(`An operator's edit is refused: ${refusals.join('; ')}`);
}
