// Runs flows one after the other, each on three nodes of its own.
import type { ClusterFlow, ClusterFlowResult } from './cluster-flow.js';
import { ClusterScene, type ClusterSize } from './cluster-scene.js';
import { EtcdProcess } from './etcd-process.js';
import type { ClusterNetwork } from './network/cluster-network.js';
import type { WrongKind } from './view/judge-list.js';

/** How to run. */
export interface ClusterRun {
  readonly network: ClusterNetwork;
  readonly size: ClusterSize;
  /** Told of each result as it comes. */
  readonly onResult: (result: ClusterFlowResult) => void;
}

const HUNG_FACTOR = 4;
const HUNG_LEAST_MS = 120_000;
const LINES_TOLD = 60;
const SPANS_TOLD = 20;
/** Worst first. */
const SEVERITY: readonly WrongKind[] = ['unknown', 'vanished', 'unhealthy', 'enabled', 'stale', 'lingering', 'missing'];

/** Runs the flows and returns their results in the order given. */
export async function runClusterFlows(
  flows: readonly ClusterFlow[],
  run: ClusterRun,
): Promise<readonly ClusterFlowResult[]> {
  const results: ClusterFlowResult[] = [];
  for (const flow of flows) {
    const result = await runClusterFlow(flow, run);
    run.onResult(result);
    results.push(result);
  }
  return results;
}

async function runClusterFlow(flow: ClusterFlow, { network, size }: ClusterRun): Promise<ClusterFlowResult> {
  if (flow.needsStore === true && !(await EtcdProcess.isInstalled())) {
    return { flow, figures: [], seconds: 0, broken: undefined, skipped: 'no etcd on this machine', notes: [] };
  }
  const startedAtMs = performance.now();
  const store = flow.needsStore === true ? await EtcdProcess.start(network.serviceHost) : undefined;
  const scene = await ClusterScene.create({ network, size, store: store?.url });
  let broken: string | undefined;
  try {
    await scene.start();
    await Promise.race([flow.run(scene), failWhenHung(flow)]);
    scene.lateness();
  } catch (error) {
    broken = error instanceof Error ? error.message : String(error);
  }
  const notes = notesOf(scene);
  await scene.end();
  await store?.stop();
  const seconds = (performance.now() - startedAtMs) / 1000;
  return { flow, figures: scene.figures, seconds, broken, skipped: undefined, notes };
}

function notesOf({ beats, view, nodes, events }: ClusterScene): readonly string[] {
  const worst = view.spans.toSorted((a, b) => SEVERITY.indexOf(a.what) - SEVERITY.indexOf(b.what));
  return [
    ...events.map(({ atMs, text }) => `${wallTime(atMs)} ${text}`),
    ...beats.examples.map((text) => `beat refused by ${text}`),
    ...view.failures.map((text) => `list failed: ${text}`),
    ...worst.slice(0, SPANS_TOLD).map(({ node, serviceName, address, what, fromMs, toMs, instance }) => {
      const time = toMs === undefined ? 'not over' : `${Math.round(toMs - fromMs)} ms`;
      return `${wallTime(fromMs)} node ${node}: ${instance?.kind ?? ''} ${address} of ${serviceName} ${what} for ${time}`;
    }),
    ...nodes.map(({ index, output }) => `node ${index} printed:\n${clusterLines(output).join('\n')}`),
  ];
}

function wallTime(atMs: number): string {
  return new Date(performance.timeOrigin + atMs).toISOString();
}

/** What a node says of instances and subscribers hides what it says of its peers. */
function clusterLines(output: string): readonly string[] {
  const isOther = /"event":"(instance|service|subscribe|unsubscribe|connection|lease)|"event":"open-to-network/;
  return output
    .split('\n')
    .slice(1)
    .filter((line) => line !== '' && !isOther.test(line))
    .slice(-LINES_TOLD);
}

async function failWhenHung({ seconds }: ClusterFlow): Promise<never> {
  const timeoutMs = Math.max(seconds * 1000 * HUNG_FACTOR, HUNG_LEAST_MS);
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`Not finished after ${timeoutMs} ms`)), timeoutMs).unref();
  });
}
