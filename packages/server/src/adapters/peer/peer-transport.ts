// All connections of this node with the others: one to each of them, to send, and one from each of them, to receive.

import type { Socket } from 'node:net';
import type { Clock, Logger, TimerHandle, Timers } from '@rollcall/runtime';
import type { PeerMessage } from '../../core/replication/peer-message.js';
import type { Rejection } from '../../core/replication/rejection.js';
import { AcceptedPeer, type AcceptedPeerEvents } from './accepted-peer.js';
import type { HelloMessage, PeerIdentity } from './control-message.js';
import { DialledPeer, type DialledPeerEvents, type PeerDial } from './dialled-peer.js';
import type { PeerBounds } from './peer-bounds.js';
import type { PeerContext } from './peer-context.js';
import { PeerCounters } from './peer-counters.js';
import { PeerFault } from './peer-fault.js';
import { PeerNotices } from './peer-notices.js';
import { type PeerCertificates, PeerPort, peerDial } from './peer-sockets.js';
import { RunContest } from './run-contest.js';
import { distrustOf } from './tls-trust.js';

/** How often progress is looked at. */
const LOOK_MS = 250;

/** What a transport is made with. */
export interface PeerTransportOptions {
  readonly identity: PeerIdentity;
  readonly secret: string | undefined;
  readonly certificates: PeerCertificates | undefined;
  /** Distance from a node's main port to the one for other nodes. */
  readonly portOffset: number;
  readonly bounds: PeerBounds;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  /** In place of the network, for tests. */
  readonly dial?: PeerDial;
}

/** What happens between this node and the others, by node id. */
export interface PeerTransportEvents {
  onMessage(peer: string, message: PeerMessage): void;
  /** Messages to the peer arrive from now on. */
  onConnected(peer: string): void;
  onLost(peer: string): void;
  /** Its port is closed. */
  onRefused(peer: string): void;
  /** It is there, but it and this node refuse each other; told again every few seconds while they do. */
  onRejected(peer: string, reason: Rejection): void;
  /** This process must stop: another one with its address is alive. */
  onAddressTaken(found: string): void;
}

/** The way to one node, as it is shown. */
export interface PeerLink {
  /** Whether messages arrive. */
  readonly isOpen: boolean;
  /** Bytes that wait because the node has not read yet. */
  readonly queuedBytes: number;
  /** Version of its program; undefined before the first connection. */
  readonly program: string | undefined;
  /** Why the two refuse each other; undefined when they do not. */
  readonly rejection: Rejection | undefined;
}

/** The connections. */
export class PeerTransport {
  readonly counters = new PeerCounters();
  readonly #options: PeerTransportOptions;
  readonly #events: PeerTransportEvents;
  readonly #context: PeerContext;
  readonly #port: PeerPort;
  readonly #dial: PeerDial;
  readonly #dialled = new Map<string, DialledPeer>();
  /** All connections that were accepted, oldest first. */
  readonly #accepted = new Set<AcceptedPeer>();
  /** Those that are open, by node. */
  readonly #open = new Map<string, AcceptedPeer>();
  readonly #contests = new Map<string, RunContest>();
  /** Names in the list, other than its own, at which this node found itself. */
  readonly #otherNames = new Set<string>();
  #looks: TimerHandle | undefined;
  #isClosed = false;

  constructor(options: PeerTransportOptions, events: PeerTransportEvents) {
    const { identity, secret, bounds, clock, timers, logger, certificates, portOffset } = options;
    this.#options = options;
    this.#events = events;
    const notices = new PeerNotices(clock, logger);
    this.#context = { identity, secret, bounds, clock, timers, counters: this.counters, notices };
    this.#dial = options.dial ?? peerDial(certificates, portOffset);
    this.#port = new PeerPort({
      certificates,
      handshakes: bounds.handshakes,
      onSocket: (socket) => this.#accept(socket),
      onTlsFailure: (address, fault) => this.#report(fault, address),
    });
  }

  /** Starts to listen. @returns the port that was taken. Rejects with the error of the system */
  async listen(host: string, port: number): Promise<number> {
    const taken = await this.#port.listen(host, port);
    this.#looks = this.#options.timers.every(LOOK_MS, () => this.#look());
    return taken;
  }

  /** The other nodes that there are now. Connections with nodes that are no longer among them are closed. */
  setPeers(nodes: readonly string[]): void {
    for (const [node, peer] of this.#dialled) {
      if (nodes.includes(node)) continue;
      this.#dialled.delete(node);
      peer.end();
      this.#open.get(node)?.refuse(new PeerFault('not-a-member'));
    }
    for (const node of nodes) {
      if (this.#dialled.has(node)) continue;
      const peer = new DialledPeer(node, this.#context, this.#dial, this.#eventsOf(node));
      this.#dialled.set(node, peer);
      peer.start();
    }
  }

  /** Sends a message, or drops it when there is no connection to the node. */
  send(node: string, message: PeerMessage): void {
    this.#dialled.get(node)?.send(message);
  }

  /** The way to a node; undefined for who is no member. */
  linkTo(node: string): PeerLink | undefined {
    return this.#dialled.get(node);
  }

  /** Closes everything, after what was sent before. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#looks?.cancel();
    for (const peer of this.#dialled.values()) peer.end();
    for (const contest of this.#contests.values()) contest.cancel();
    for (const peer of [...this.#accepted]) peer.close();
    await this.#port.close();
  }

  #eventsOf(node: string): DialledPeerEvents {
    const events = this.#events;
    return {
      onOpen: () => events.onConnected(node),
      onLost: () => events.onLost(node),
      onRefused: () => events.onRefused(node),
      onRejected: (reason) => {
        if (!this.#otherNames.has(node)) events.onRejected(node, reason);
      },
      onAddressTaken: (found) => events.onAddressTaken(found),
    };
  }

  #accept(socket: Socket): void {
    if (this.#isClosed) {
      socket.destroy();
      return;
    }
    const inHandshake = [...this.#accepted].filter((peer) => !peer.isOpen);
    if (inHandshake.length >= this.#context.bounds.handshakes) inHandshake[0]?.close(new PeerFault('too-many'));
    const peer = new AcceptedPeer(socket, this.#context, this.#acceptedEvents);
    this.#accepted.add(peer);
    const distrust = distrustOf(socket);
    if (distrust !== undefined) peer.refuse(distrust);
  }

  readonly #acceptedEvents: AcceptedPeerEvents = {
    judge: (hello) => this.#judge(hello),
    onProved: (peer) => this.#onProved(peer),
    onMessage: (peer, message) => this.#events.onMessage(nodeOf(peer), message),
    onEnd: (peer, fault) => this.#onEnd(peer, fault),
  };

  #judge({ cluster, node, to, proves, runId }: HelloMessage): PeerFault | undefined {
    const { identity, secret } = this.#context;
    if (runId === identity.runId && this.#dialled.has(to)) this.#otherNames.add(to);
    const differs = (found: string, allowed: string) => `found "${found}", allowed is "${allowed}"`;
    if (cluster !== identity.cluster) return new PeerFault('other-cluster', differs(cluster, identity.cluster));
    if (to !== identity.node) return new PeerFault('wrong-node', differs(identity.node, to));
    const proof = secret === undefined ? 'nothing' : 'secret';
    if (proves !== proof) return new PeerFault('wrong-secret', differs(`proof: ${proves}`, `proof: ${proof}`));
    if (!this.#dialled.has(node)) return new PeerFault('not-a-member', `found "${node}"`);
    return undefined;
  }

  #onProved(peer: AcceptedPeer): void {
    const node = nodeOf(peer);
    const holder = this.#open.get(node);
    if (holder === undefined || holder.hello?.runId === peer.hello?.runId) {
      this.#admit(peer);
      return;
    }
    this.#contests.get(node)?.newcomer.close(new PeerFault('replaced'));
    const contest = new RunContest(this.#context, { holder, newcomer: peer, onWon: () => this.#admit(peer) });
    this.#contests.set(node, contest);
    contest.look();
  }

  #admit(peer: AcceptedPeer): void {
    const node = nodeOf(peer);
    this.#contests.delete(node);
    const older = this.#open.get(node);
    this.#open.set(node, peer);
    older?.close(new PeerFault('replaced'));
    this.counters.openAccepted += 1;
    peer.welcome();
    this.#dialled.get(node)?.hurry();
  }

  #onEnd(peer: AcceptedPeer, fault: PeerFault | undefined): void {
    this.#accepted.delete(peer);
    if (peer.isOpen) this.counters.openAccepted -= 1;
    const node = peer.hello?.node ?? '';
    if (fault !== undefined) this.#report(fault, peer.address, node);
    const contest = this.#contests.get(node);
    if (contest?.newcomer === peer) {
      contest.cancel();
      this.#contests.delete(node);
    }
    if (this.#open.get(node) !== peer) return;
    this.#open.delete(node);
    contest?.holderLeft();
  }

  #report(fault: PeerFault, address: string, node = ''): void {
    this.counters.faults[fault.reason] += 1;
    if (fault.reason === 'replaced') return;
    const { reason, message, kind } = fault;
    const peer = node === '' ? address : node;
    // Anybody may say that he is any node: who is none of the members is known by his address.
    const about = this.#dialled.has(node) ? node : address;
    this.#context.notices.warn('peer-cut-off', about, { peer, reason, message, address, direction: 'in' }, kind);
  }

  #look(): void {
    const now = this.#context.clock.now().mono;
    for (const peer of [...this.#accepted]) peer.look(now);
    for (const peer of [...this.#dialled.values()]) peer.look();
  }
}

/** The node of a connection that has said hello. */
function nodeOf(peer: AcceptedPeer): string {
  return peer.hello?.node ?? '';
}
