// What the ledgers of nodes say about instances that died together with the node that held their leases: the take-over must
// be a stage with both nodes in it, and all stages must add up.

import type { InstancePlan } from '../clients/beating-instance.js';
import type { ClusterScene } from '../cluster-scene.js';

/** A stage as `why` answers it. */
interface Stage {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly ms: number;
  readonly move?: { readonly from: string; readonly to: string; readonly why: string };
}

interface Account {
  readonly holder: string | null;
  readonly verdict: string;
  readonly incident: { readonly totalMs: number; readonly stages: readonly Stage[] } | null;
}

/** The accounts of some instances. */
export interface LossAccounts {
  readonly asked: number;
  /** Without an incident, or with stages that leave a gap or do not sum up to the total. */
  readonly wrongSums: number;
  /** That name no take-over from the node that was lost. */
  readonly withoutTakeOver: number;
  /** Time from the last word of the lost node until its leases were taken over, the longest, in milliseconds. */
  readonly longestMs: number;
}

/** Those whose leases a node holds, as another node knows. */
export async function heldBy(
  scene: ClusterScene,
  instances: readonly InstancePlan[],
  { node, asked }: { readonly node: number; readonly asked: number },
): Promise<readonly InstancePlan[]> {
  const accounts = await Promise.all(instances.map((instance) => accountAt(scene, asked, instance)));
  return instances.filter((_, index) => accounts[index]?.holder === addressOf(scene, node));
}

/** Asks nodes about instances that a lost node held. */
export async function lossAccounts(
  scene: ClusterScene,
  instances: readonly InstancePlan[],
  { lost, at }: { readonly lost: number; readonly at: readonly number[] },
): Promise<LossAccounts> {
  const asked = await Promise.all(at.flatMap((node) => instances.map((instance) => accountAt(scene, node, instance))));
  const moves = asked.map((account) => account?.incident?.stages.find(({ name }) => name === 'lease-moved'));
  const isNamed = (stage: Stage | undefined): boolean => stage?.move?.from === addressOf(scene, lost);
  return {
    asked: asked.length,
    wrongSums: asked.filter((account) => !addsUp(account)).length,
    withoutTakeOver: moves.filter((stage) => !isNamed(stage)).length,
    longestMs: Math.max(0, ...moves.map((stage) => stage?.ms ?? 0)),
  };
}

function addsUp(account: Account | undefined): boolean {
  if (account?.incident == null) return false;
  const { stages, totalMs } = account.incident;
  const follow = stages.every(
    ({ from, to, ms }, index) => to - from === ms && (stages[index - 1]?.to ?? from) === from,
  );
  return follow && stages.reduce((sum, { ms }) => sum + ms, 0) === totalMs;
}

async function accountAt(
  { calls }: ClusterScene,
  node: number,
  { serviceName, ip, port }: InstancePlan,
): Promise<Account | undefined> {
  const query = { serviceName, ip, port: String(port) };
  const { body } = await calls.first([node], { method: 'GET', path: '/rollcall/v1/why', query });
  return body === undefined ? undefined : (JSON.parse(body) as Account);
}

function addressOf({ endpoints }: ClusterScene, node: number): string {
  const { host = '', port = 0 } = endpoints[node] ?? {};
  return `${host}:${port}`;
}
