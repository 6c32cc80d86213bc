// Nodes for tests of the connections between them: real sockets on loopback, a manual clock, and a raw peer that may say
// anything.

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, Socket } from 'node:net';
import { ManualClock, ManualTimers, RecordingLogger } from '@rollcall/runtime/testing';
import type { PeerMessage } from '../../core/replication/peer-message.js';
import { type ControlMessage, controlPayload, type HelloMessage, PEER_PROTOCOL_VERSION } from './control-message.js';
import type { PeerDial } from './dialled-peer.js';
import { FrameReader, frameOf } from './frame-reader.js';
import { type FrameSeal, NO_SEAL } from './frame-seal.js';
import { handshakeKeys } from './handshake-keys.js';
import { DEFAULT_PEER_BOUNDS, type PeerBounds } from './peer-bounds.js';
import { type PeerCertificates, peerDial } from './peer-sockets.js';
import { PeerTransport } from './peer-transport.js';

const TEST_SECRET = 'a secret of the cluster';

/** Lets sockets work until something is so. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

/** What a node of a test is made with. */
export interface TestNodeOptions {
  readonly secret?: string | undefined;
  readonly cluster?: string;
  readonly runId?: string;
  readonly startedAt?: number;
  readonly bounds?: Partial<PeerBounds>;
  readonly certificates?: PeerCertificates | undefined;
}

/** Names of nodes and the ports behind them, on one clock. */
export class TestNetwork {
  readonly clock = new ManualClock();
  readonly timers = new ManualTimers(this.clock);
  readonly ports = new Map<string, number>();
  /** Nodes to which packets vanish: a dial to them is never answered. */
  readonly lost = new Set<string>();
  /** What was dialled in vain. */
  readonly lostDials: Socket[] = [];
  readonly #nodes: TestNode[] = [];
  readonly #raw: RawPeer[] = [];

  /** A node that listens and knows `others`. */
  async node(id: string, others: readonly string[], options: TestNodeOptions = {}): Promise<TestNode> {
    const node = new TestNode(this, id, options);
    this.#nodes.push(node);
    const port = await node.transport.listen('127.0.0.1', 0);
    if (!this.ports.has(id)) this.ports.set(id, port);
    node.port = port;
    node.transport.setPeers(others);
    return node;
  }

  /** A socket to a node. */
  async raw(node: TestNode): Promise<RawPeer> {
    const raw = await RawPeer.connect(node);
    this.#raw.push(raw);
    return raw;
  }

  /** A dial that nothing answers. */
  lostDial(): ReturnType<PeerDial> {
    const socket = new Socket();
    this.lostDials.push(socket);
    return { socket, ready: 'connect' };
  }

  /** Moves the clock in small steps, with time for the sockets between them. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 50) {
      this.timers.advance(50);
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Ends everything. */
  async close(): Promise<void> {
    for (const raw of this.#raw) raw.socket.destroy();
    await Promise.all(this.#nodes.map((node) => node.transport.close()));
  }
}

/** One node and what it was told. */
export class TestNode {
  readonly id: string;
  readonly transport: PeerTransport;
  readonly logger = new RecordingLogger();
  /** `connected b`, `lost b`, `refused b`, `rejected b wrong-secret`, `stop`, `message b {…}`. */
  readonly heard: string[] = [];
  readonly messages: PeerMessage[] = [];
  port = 0;

  constructor(network: TestNetwork, id: string, options: TestNodeOptions) {
    const { clock, timers, ports, lost } = network;
    this.id = id;
    const { secret = TEST_SECRET, cluster = 'test', runId = `run of ${id}`, startedAt = 0 } = options;
    const dial = peerDial(options.certificates, 0);
    this.transport = new PeerTransport(
      {
        identity: { cluster, node: id, runId, program: '1.0', startedAt },
        secret: 'secret' in options ? options.secret : secret,
        certificates: options.certificates,
        portOffset: 0,
        bounds: { ...DEFAULT_PEER_BOUNDS, ...options.bounds },
        clock,
        timers,
        logger: this.logger,
        dial: (node) => (lost.has(node) ? network.lostDial() : dial(`127.0.0.1:${ports.get(node) ?? 1}`)),
      },
      {
        onMessage: (peer, message) => {
          this.messages.push(message);
          this.heard.push(`message ${peer} ${message.type}`);
        },
        onConnected: (peer) => this.heard.push(`connected ${peer}`),
        onLost: (peer) => this.heard.push(`lost ${peer}`),
        onRefused: (peer) => this.heard.push(`refused ${peer}`),
        onRejected: (peer, reason) => this.heard.push(`rejected ${peer} ${reason}`),
        onAddressTaken: () => this.heard.push('stop'),
      },
    );
  }

  /** Whether messages to a node arrive. */
  isConnected(node: string): boolean {
    return this.transport.linkTo(node)?.isOpen ?? false;
  }

  /** Lines about a reason. */
  lines(reason: string): number {
    return this.logger.lines.filter(({ fields }) => fields.reason === reason).length;
  }
}

/** A connection whose frames are written by the test. */
export class RawPeer {
  readonly socket: Socket;
  /** Frames received, as JSON. */
  readonly frames: (ControlMessage & Record<string, unknown>)[] = [];
  readonly #reader = new FrameReader(1 << 24);
  readonly #payloads: Buffer[] = [];
  seal: FrameSeal = NO_SEAL;
  isClosed = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#reader.push(chunk);
      for (let payload = this.#reader.next(); payload !== undefined; payload = this.#reader.next()) {
        this.#payloads.push(Buffer.from(payload));
        // Sealed ones begin with 16 bytes of their seal.
        const text = payload.toString('latin1');
        this.frames.push(JSON.parse(text.startsWith('{"') ? text : text.slice(16)));
      }
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.isClosed = true;
    });
  }

  /** Connects to a node. */
  static async connect(node: TestNode): Promise<RawPeer> {
    const socket = connect(node.port, '127.0.0.1');
    await once(socket, 'connect');
    return new RawPeer(socket);
  }

  /** Sends bytes as they are. */
  write(bytes: Buffer): void {
    this.socket.write(bytes);
  }

  /** Sends a frame with the seal of this connection. */
  send(payload: Buffer | object): void {
    const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload));
    this.write(frameOf(this.seal.seal(bytes)));
  }

  /** Goes through the handshake as node `id` towards `to`. */
  async greet(
    id: string,
    to: string,
    options: Partial<HelloMessage> & { readonly secret?: string } = {},
  ): Promise<void> {
    const { secret = TEST_SECRET, ...fields } = options;
    const hello = controlPayload({
      type: 'hello',
      version: PEER_PROTOCOL_VERSION,
      cluster: 'test',
      node: id,
      runId: `run of ${id}`,
      program: '1.0',
      startedAt: 0,
      to,
      nonce: 'nonce',
      proves: 'secret',
      ...fields,
    });
    this.send(hello);
    await until(() => this.#payloads.length > 0 || this.isClosed);
    if (this.frames[0]?.type !== 'challenge') return;
    const keys = handshakeKeys(secret, hello, this.#payloads[0] as Buffer);
    this.send(controlPayload({ type: 'proof', proof: keys.proofOf('dialler') }));
    this.seal = keys.sealOf('dialler');
  }
}

/** A node that welcomes everybody, reads what it is told to, and reports nothing. */
export class DeafNode {
  readonly sockets: Socket[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Listens in place of node `id`. */
  static async start(network: TestNetwork, id: string): Promise<DeafNode> {
    const server = createServer();
    const node = new DeafNode(server);
    server.on('connection', (socket) => node.#welcome(socket, id));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    network.ports.set(id, (server.address() as AddressInfo).port);
    return node;
  }

  /** Stops. */
  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.#server.close();
  }

  #welcome(socket: Socket, id: string): void {
    this.sockets.push(socket);
    socket.on('error', () => undefined);
    const reader = new FrameReader(4096);
    const identity = { cluster: 'test', node: id, runId: 'deaf', program: '1.0', startedAt: 0 };
    const challenge = controlPayload({ type: 'challenge', version: PEER_PROTOCOL_VERSION, ...identity, nonce: 'n' });
    let hello: Buffer | undefined;
    socket.on('data', (chunk: Buffer) => {
      reader.push(chunk);
      const payload = reader.next();
      if (payload === undefined) return;
      if (hello === undefined) {
        hello = payload;
        socket.write(frameOf(challenge));
        return;
      }
      const keys = handshakeKeys(TEST_SECRET, hello, challenge);
      socket.write(frameOf(controlPayload({ type: 'welcome', proof: keys.proofOf('accepter') })));
      socket.pause();
    });
  }
}

/** A small valid message. */
export function ping(epoch: number): PeerMessage {
  return { type: 'ping', epoch, run: 'r', state: 'UP', sentAt: 1, sets: [], members: [] };
}
