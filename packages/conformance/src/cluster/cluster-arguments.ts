// The arguments of `npm run conformance -- cluster`, and its help.
import { parseArgs } from 'node:util';
import type { ClusterFlow } from './cluster-flow.js';
import type { ClusterSize } from './cluster-scene.js';
import type { ClusterStrength } from './figure.js';

/** Which network is wanted: the best that this machine allows, or a certain one. */
export type NetworkChoice = 'auto' | 'namespaces' | 'relay';

/** What was asked for. */
export type ClusterRequest =
  | { readonly kind: 'help' }
  | { readonly kind: 'list' }
  | {
      readonly kind: 'run';
      readonly flows: readonly ClusterFlow[];
      readonly strength: ClusterStrength;
      readonly size: ClusterSize;
      readonly network: NetworkChoice;
      readonly json: boolean;
      /** Print what was seen at the nodes of flows that failed. */
      readonly notes: boolean;
    };

/** The help text. */
export const CLUSTER_HELP = `Usage: npm run conformance -- cluster [options]

Starts three nodes as processes, connects them by network namespaces (as root, with "ip netns") or else by relays on
loopback, kills, freezes, cuts off and restarts nodes, and prints what clients saw meanwhile: one figure a line.

Options:
  --flows C1,C3      only these flows
  --strict           the limits that Rollcall keeps, instead of those that every cluster should
  --short            fewer instances and shorter waits; without --flows only C1, C2, C3 and C9
  --network KIND     namespaces, relay, or auto (default)
  --notes            for flows that failed: what was wrong in lists, refused beats, and what the nodes printed
  --list             the flows, one a line
  --json             the results as JSON on standard output, progress on standard error
  --help             this text

Exit code: 0 all passed or skipped, 1 something failed, 2 the arguments were not understood.`;

const SHORT_FLOWS = 'C1,C2,C3,C9';

/** Reads the arguments. @throws Error with one sentence when one is not understood */
export function readClusterArguments(args: readonly string[], known: readonly ClusterFlow[]): ClusterRequest {
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      flows: { type: 'string' },
      network: { type: 'string', default: 'auto' },
      strict: flag,
      short: flag,
      notes: flag,
      list: flag,
      json: flag,
      help: flag,
    },
  });
  if (values.help) return { kind: 'help' };
  if (values.list) return { kind: 'list' };
  return {
    kind: 'run',
    flows: chooseFlows(known, values.flows ?? (values.short ? SHORT_FLOWS : undefined)),
    strength: values.strict ? 'strict' : 'default',
    size: values.short ? 'short' : 'full',
    network: readNetwork(values.network),
    json: values.json,
    notes: values.notes,
  };
}

function chooseFlows(known: readonly ClusterFlow[], text: string | undefined): readonly ClusterFlow[] {
  if (text === undefined) return known;
  return text.split(',').map((id) => {
    const flow = known.find((one) => one.id === id);
    if (flow !== undefined) return flow;
    throw new Error(`Cannot read "--flows": found "${id}", allowed are ${known.map((one) => one.id).join(', ')}`);
  });
}

function readNetwork(text: string): NetworkChoice {
  if (text === 'auto' || text === 'namespaces' || text === 'relay') return text;
  throw new Error(`Cannot read "--network": found "${text}", allowed are auto, namespaces, relay`);
}
