// What the options of the cluster mean together: whether this server is one of several, which one, and what makes nodes
// believe each other. Everything that can be found wrong is found here, before anything is opened.

import { readFileSync } from 'node:fs';
import type { Logger, Timers } from '@rollcall/runtime';
import {
  diallable,
  fixedMembers,
  type MemberSource,
  membersOfDns,
  membersOfFile,
  membersOfUrl,
  undiallable,
} from '../adapters/peer/member-source.js';
import { MemberWatch } from '../adapters/peer/member-watch.js';
import { nodeAddress, readNode } from '../adapters/peer/node-address.js';
import { ownNodes } from '../adapters/peer/own-node.js';
import type { PeerCertificates } from '../adapters/peer/peer-sockets.js';
import { isClustered, MEMBER_SOURCES } from './cluster-options.js';
import { type Config, flagOf, type OptionKey, variableOf } from './config-schema.js';
import { isLoopback } from './listen-address.js';
import { StartError } from './start-error.js';

/** How a server takes part in its cluster. */
export interface ClusterPlan {
  /** This node. */
  readonly self: string;
  /** All nodes at the start, this one among them. */
  readonly members: readonly string[];
  /** Where later lists come from; not started yet. */
  readonly watch: MemberWatch;
  readonly secret: string | undefined;
  readonly certificates: PeerCertificates | undefined;
}

const TLS_FILES = ['clusterTlsCert', 'clusterTlsKey', 'clusterTlsCa'] as const;

/**
 * Reads the plan.
 *
 * @returns undefined for a server alone
 * @throws StartError `bad-config` for options that contradict each other or lack something, `unreachable` when the members
 *   cannot be found out
 */
export async function clusterPlanOf(
  config: Config,
  { timers, logger }: { readonly timers: Timers; readonly logger: Logger },
): Promise<ClusterPlan | undefined> {
  if (!isClustered(config)) return undefined;
  if (config.port === 0) {
    refuse('found port 0, allowed is a fixed port, because the address of a node is its name', ['port']);
  }
  const trust = trustOf(config);
  const source = diallable(sourceOf(config), config.clusterPortOffset);
  const watch = new MemberWatch(source, timers, logger);
  const members = await firstMembers(watch, source);
  const self = await selfOf(config, members);
  checkPorts(config, self);
  checkReachable(config.host, self);
  return { ...trust, members, watch, self };
}

function sourceOf(config: Config): MemberSource {
  const { members, membersFile, membersDns, membersUrl, port } = config;
  const given = MEMBER_SOURCES.filter((key) => config[key].length > 0);
  if (given.length > 1) refuse(`found ${given.length} sources of members, allowed is one`, given);
  if (membersFile !== '') return membersOfFile(membersFile, port);
  if (membersDns !== '') return membersOfDns(membersDns);
  if (membersUrl !== '') return membersOfUrl(membersUrl, port);
  return fixedMembers([...new Set(members.flatMap((member) => readNode(member) ?? []))]);
}

async function firstMembers(watch: MemberWatch, source: MemberSource): Promise<readonly string[]> {
  try {
    return await watch.first();
  } catch (cause) {
    const found = cause instanceof Error ? cause.message : String(cause);
    if (source.rereadMs === undefined) refuse(found, ['members', 'clusterPortOffset']);
    throw new StartError('unreachable', `Cannot read the members of the cluster from ${source.name}: ${found}`, {
      cause,
    });
  }
}

async function selfOf({ node, host, port }: Config, members: readonly string[]): Promise<string> {
  const given = readNode(node);
  if (given !== undefined) return given;
  const found = await ownNodes({ members, host, port });
  if (found.length === 1) return found[0] as string;
  const which = found.length === 0 ? `none of ${members.join(', ')}` : `${found.join(' and ')}`;
  return refuse(
    `found that this server, on port ${port}, can be ${which}; allowed is one of them, chosen with --node`,
    ['node'],
  );
}

function trustOf(config: Config): Pick<ClusterPlan, 'secret' | 'certificates'> {
  const secret = secretOf(config);
  const certificates = certificatesOf(config);
  if (secret !== undefined || certificates !== undefined || config.insecureCluster === 'on')
    return { secret, certificates };
  return refuse(
    `found neither a secret nor certificates, by which nodes know each other; allowed are ${flagOf('clusterSecretFile')} ` +
      `or ${variableOf('clusterSecret')} (16 to 1024 characters, the same on all nodes), ${flagOf('clusterTlsCert')} with its ` +
      `companions, or ${flagOf('insecureCluster')} for trying things out`,
    ['clusterSecret', 'clusterTlsCert', 'insecureCluster'],
  );
}

function secretOf({ clusterSecret, clusterSecretFile }: Config): string | undefined {
  if (clusterSecretFile === '') return clusterSecret === '' ? undefined : clusterSecret;
  if (clusterSecret !== '') refuse('found both, allowed is one', ['clusterSecret', 'clusterSecretFile']);
  const [secret = ''] = fileText('clusterSecretFile', clusterSecretFile).split(/\r?\n/);
  if (secret.length >= 16 && secret.length <= 1024) return secret;
  return refuse(`found ${secret.length} characters in its first line, allowed are 16 to 1024`, ['clusterSecretFile']);
}

function certificatesOf(config: Config): PeerCertificates | undefined {
  const missing = TLS_FILES.filter((key) => config[key] === '');
  if (missing.length === TLS_FILES.length) return undefined;
  if (missing.length > 0)
    refuse(`found ${missing.map(flagOf).join(' and ')} missing, allowed are all three or none`, TLS_FILES);
  const text = (key: (typeof TLS_FILES)[number]) => fileText(key, config[key]);
  return { cert: text('clusterTlsCert'), key: text('clusterTlsKey'), ca: text('clusterTlsCa') };
}

function checkPorts({ port, clusterPortOffset }: Config, self: string): void {
  const wrongNode = undiallable(nodeAddress(self).port, clusterPortOffset);
  if (wrongNode !== undefined) refuse(`found node "${self}", ${wrongNode}`, ['node', 'clusterPortOffset']);
  const wrongPort = undiallable(port, clusterPortOffset);
  if (wrongPort !== undefined) refuse(`found port ${port}, ${wrongPort}`, ['port', 'clusterPortOffset']);
}

function checkReachable(host: string, self: string): void {
  if (!isLoopback(host) || isLoopback(nodeAddress(self).host)) return;
  const found = `found address "${host}", which only this machine reaches, for node "${self}"`;
  refuse(`${found}; allowed is the address of the node, or "0.0.0.0" or "::"`, ['host']);
}

function fileText(key: OptionKey, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    return refuse(cause instanceof Error ? cause.message : String(cause), [key]);
  }
}

function refuse(found: string, keys: readonly OptionKey[]): never {
  const options = keys.map((key) => `"${key}"`).join(', ');
  throw new StartError('bad-config', `Cannot start as one of several nodes (options ${options}): ${found}`);
}
