// This server as one of several: brings the core, the connections with the other nodes, and the list of members together.

import { randomBytes } from 'node:crypto';
import type { Clock, Logger, Timers } from '@rollcall/runtime';
import type { ClusterMember, ClusterView } from '../adapters/operator/cluster-view.js';
import { EpochFile } from '../adapters/peer/epoch-file.js';
import { nodeAddress } from '../adapters/peer/node-address.js';
import { DEFAULT_PEER_BOUNDS } from '../adapters/peer/peer-bounds.js';
import type { PeerCounters } from '../adapters/peer/peer-counters.js';
import { PeerTransport } from '../adapters/peer/peer-transport.js';
import type { RegistryAccess } from '../adapters/registry-access.js';
import type { Effect } from '../core/effect.js';
import type { ClusterNode } from '../core/replication/cluster-state.js';
import type { MemberStatus } from '../core/replication/member-status.js';
import type { Replication } from '../core/replication/replication.js';
import { DEFAULT_REPLICATION_SETTINGS } from '../core/replication/replication-settings.js';
import { ClusterAlarms } from './cluster-alarms.js';
import type { ClusterPlan } from './cluster-plan.js';
import type { Config } from './config-schema.js';
import { type ListenAddress, listenError } from './listen-address.js';
import { StartError } from './start-error.js';
import { SERVER_VERSION } from './version.js';

/** Longest wait for the others to acknowledge the last changes before a stop. */
const LAST_WORDS_MS = 1000;
const LOOK_MS = 20;

/** Effects that are for the cluster. */
export type ClusterEffect = Extract<Effect, { readonly type: 'send' | 'member-changed' | 'persist-epoch' | 'alarm' }>;

/** What it works with. */
export interface ServerClusterOptions {
  readonly config: Config;
  readonly plan: ClusterPlan;
  /** File that keeps the number of the run. */
  readonly epochPath: string;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
}

/** The cluster of a running server. */
export class ServerCluster implements ClusterView {
  readonly name: string;
  /** For the core. */
  readonly node: ClusterNode;
  /** Resolves when this process must end, because another one uses its address. */
  readonly failure: Promise<StartError>;
  readonly #options: ServerClusterOptions;
  readonly #epochs: EpochFile;
  readonly #transport: PeerTransport;
  readonly #alarms: ClusterAlarms;
  #registry: RegistryAccess | undefined;
  #fail: (error: StartError) => void = () => undefined;

  /** @throws the file system's error when the number of the run cannot be kept */
  constructor(options: ServerClusterOptions) {
    const { config, plan, epochPath, clock } = options;
    this.#options = options;
    this.#alarms = new ClusterAlarms(clock, options.logger);
    this.name = config.clusterName;
    this.#epochs = new EpochFile(epochPath);
    const run = randomBytes(8).toString('hex');
    this.node = { self: plan.self, run, epoch: this.#epochs.read() + 1, replication: DEFAULT_REPLICATION_SETTINGS };
    this.#epochs.write(this.node.epoch);
    this.failure = new Promise((resolve) => {
      this.#fail = resolve;
    });
    this.#transport = this.#newTransport(run, clock.now().wall);
  }

  /** Counters of the connections. */
  get counters(): PeerCounters {
    return this.#transport.counters;
  }

  /** Alarms of the core since the start, by kind. */
  get alarms(): ClusterAlarms['counts'] {
    return this.#alarms.counts;
  }

  /** Where clients reach this node, by the list of members. */
  get address(): ListenAddress {
    const { host, port } = nodeAddress(this.node.self);
    return { ip: host, port };
  }

  get state(): 'STARTING' | 'UP' {
    return this.#replication.ready ? 'UP' : 'STARTING';
  }

  members(): readonly ClusterMember[] {
    const members = this.#replication.members().map((status) => this.#memberOf(status));
    return members.sort((a, b) => (a.address < b.address ? -1 : 1));
  }

  ownerOf(serviceId: string): string {
    return this.#replication.ownerOf(serviceId);
  }

  /** Takes the core, which was made with {@link node}. */
  bind(registry: RegistryAccess): void {
    this.#registry = registry;
  }

  /**
   * Listens for other nodes, dials them, and follows the list of members.
   *
   * @throws StartError when the port cannot be listened on
   */
  async start(): Promise<void> {
    const { config, plan, logger } = this.#options;
    const port = config.port + config.clusterPortOffset;
    try {
      await this.#transport.listen(config.host, port);
    } catch (error) {
      throw listenError(config.host, port, error);
    }
    const { self, members } = plan;
    logger.log('info', 'cluster-joined', { cluster: this.name, node: self, port, members: members.join(' ') });
    if (config.insecureCluster === 'on' && plan.secret === undefined && plan.certificates === undefined) {
      logger.log('warn', 'cluster-is-insecure', {
        message: 'Everybody who reaches the port of the cluster is taken for a node',
      });
    }
    this.#takeMembers(members);
    plan.watch.start((next) => this.#takeMembers(next));
  }

  /** Performs an effect of the core. */
  perform(effect: ClusterEffect): void {
    const { logger } = this.#options;
    switch (effect.type) {
      case 'send':
        this.#transport.send(effect.peer, effect.message);
        break;
      case 'member-changed':
        logger.log(effect.state === 'UP' ? 'info' : 'warn', 'member-changed', {
          node: effect.node,
          state: effect.state,
          before: effect.before,
        });
        break;
      case 'persist-epoch':
        this.#epochs.write(effect.epoch);
        break;
      case 'alarm':
        this.#alarms.raise(effect.kind, effect.text);
        if (effect.stop) this.#stopAsLater(effect.text);
        break;
    }
  }

  /** Waits until the others have the last changes, says goodbye, and closes the connections. */
  async leave(): Promise<void> {
    this.#options.plan.watch.stop();
    await this.#lastWords();
    this.#registry?.step({ type: 'leaving' });
    await this.#transport.close();
  }

  get #replication(): Replication {
    const replication = this.#registry?.core.replication;
    if (replication === undefined) throw new Error('The cluster is asked before it has a core');
    return replication;
  }

  #newTransport(runId: string, startedAt: number): PeerTransport {
    const { config, plan, clock, timers, logger } = this.#options;
    return new PeerTransport(
      {
        identity: { cluster: config.clusterName, node: plan.self, runId, program: SERVER_VERSION, startedAt },
        secret: plan.secret,
        certificates: plan.certificates,
        portOffset: config.clusterPortOffset,
        bounds: DEFAULT_PEER_BOUNDS,
        clock,
        timers,
        logger,
      },
      {
        onMessage: (peer, message) => void this.#registry?.step({ type: 'peer-message', peer, message }),
        onConnected: (peer) => void this.#registry?.step({ type: 'peer-connected', peer }),
        onLost: () => undefined,
        onRefused: (peer) => void this.#registry?.step({ type: 'peer-refused', peer }),
        onRejected: (peer, reason) => void this.#registry?.step({ type: 'peer-rejected', peer, reason }),
        onAddressTaken: (found) => this.#stopAsLater(found),
      },
    );
  }

  #takeMembers(listed: readonly string[]): void {
    const { self } = this.node;
    const isListed = listed.includes(self);
    if (!isListed) this.#options.logger.log('warn', 'node-not-in-members', { node: self });
    const members = isListed ? listed : [...listed, self];
    this.#transport.setPeers(members.filter((member) => member !== self));
    this.#registry?.step({ type: 'members', members });
  }

  #memberOf(status: MemberStatus): ClusterMember {
    const { node, self: isSelf, state, silentMs, epoch, lag, digests } = status;
    const { host, port } = nodeAddress(node);
    const link = this.#transport.linkTo(node);
    return {
      ip: host,
      port,
      address: node,
      isSelf,
      state,
      version: isSelf ? SERVER_VERSION : link?.program,
      silentMs,
      epoch,
      lag,
      records: digests,
      isConnected: isSelf || (link?.isOpen ?? false),
      queuedBytes: link?.queuedBytes ?? 0,
      rejection: link?.rejection,
    };
  }

  #stopAsLater(found: string): void {
    this.#fail(
      new StartError(
        'node-address-taken',
        `Cannot be node "${this.node.self}": ${found}; give each node an address of its own in the list of members`,
      ),
    );
  }

  async #lastWords(): Promise<void> {
    const { clock, timers } = this.#options;
    const endsAt = clock.now().mono + LAST_WORDS_MS;
    const isHeard = () => this.members().every(({ lag, isConnected }) => lag === 0 || !isConnected);
    while (!isHeard() && clock.now().mono < endsAt) {
      await new Promise<void>((resolve) => timers.once(LOOK_MS, resolve));
    }
  }
}
