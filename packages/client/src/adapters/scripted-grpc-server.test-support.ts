// A gRPC server that answers as a test says, remembers what it was asked, and pushes what it is told to.

import { once } from 'node:events';
import {
  createSecureServer,
  createServer,
  type Http2Server,
  type SecureServerOptions,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { decodePayload, encodePayload, frameMessage, MessageCutter } from '@rollcall/protocol';

/** A message as it came, on whichever way. */
export interface ReceivedMessage {
  readonly type: string;
  readonly body: Record<string, unknown>;
  readonly headers: ReadonlyMap<string, string>;
}

/** What a test lets the server say: class and members, bytes of a whole answer, or nothing at all. */
export type ScriptedAnswer = readonly [type: string, members: Record<string, unknown>] | Buffer | 'silent' | 'html';

const SETUP_ACK = { headers: {}, abilityTable: { supportPersistentInstanceByGrpc: true }, module: 'internal' };

/** What a server of 2.5.1 says when all is well. */
export function usualGrpcAnswer({ type, body }: ReceivedMessage): ScriptedAnswer {
  switch (type) {
    case 'ServerCheckRequest':
      return ['ServerCheckResponse', { connectionId: '1_127.0.0.1_1', supportAbilityNegotiation: true }];
    case 'SubscribeServiceRequest':
    case 'ServiceQueryRequest':
      return [type.replace('Request', 'Response'), { serviceInfo: serviceInfo([], { name: body.serviceName }) }];
    case 'ServiceListRequest':
      return ['ServiceListResponse', { count: 0, serviceNames: [] }];
    default:
      return [type.replace('Request', 'Response'), {}];
  }
}

/** A list of service `s`. */
export function serviceInfo(ips: readonly string[], members: Record<string, unknown> = {}): Record<string, unknown> {
  const hosts = ips.map((ip) => ({ ip, port: 1 }));
  return {
    name: 's',
    groupName: 'DEFAULT_GROUP',
    clusters: '',
    cacheMillis: 10_000,
    lastRefTime: 1,
    hosts,
    ...members,
  };
}

export class ScriptedGrpcServer {
  /** Unary calls, except checks. */
  readonly received: ReceivedMessage[] = [];
  /** Setups of connections. */
  readonly setUp: ReceivedMessage[] = [];
  /** Acknowledgements and the like. */
  readonly said: ReceivedMessage[] = [];
  /** Decides the answers; tests replace it. */
  answer: (message: ReceivedMessage) => ScriptedAnswer = usualGrpcAnswer;
  /** Whether a setup is acknowledged. */
  acknowledgesSetup = true;
  readonly #server: Http2Server;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #streams = new Set<ServerHttp2Stream>();

  private constructor(tls: SecureServerOptions | undefined) {
    this.#server = tls === undefined ? createServer() : (createSecureServer(tls) as unknown as Http2Server);
    this.#server.on('session', (session: ServerHttp2Session) => {
      this.#sessions.add(session);
      session.on('close', () => this.#sessions.delete(session));
      session.on('error', () => {});
    });
    this.#server.on('stream', (stream, headers) => this.#take(stream, String(headers[':path'])));
  }

  static async start({
    port = 0,
    host = '127.0.0.1',
    tls,
  }: {
    port?: number;
    host?: string;
    tls?: SecureServerOptions;
  } = {}): Promise<ScriptedGrpcServer> {
    const made = new ScriptedGrpcServer(tls);
    made.#server.listen(port, host);
    await once(made.#server, 'listening');
    return made;
  }

  /** Main and gRPC port are the same one: clients need `grpcPortOffset: 0`. */
  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Connections that were set up so far. */
  get setups(): number {
    return this.setUp.length;
  }

  /** Connections that are open. */
  get connections(): number {
    return this.#sessions.size;
  }

  /** Types of the unary calls so far. */
  get types(): string[] {
    return this.received.map(({ type }) => type);
  }

  /** Sends a message to every client that is set up. */
  push(type: string, body: Record<string, unknown>): void {
    const frame = frameMessage(encodePayload(type, JSON.stringify(body)));
    for (const stream of this.#streams) stream.write(frame);
  }

  /** Pushes a list. */
  pushList(requestId: string, info: Record<string, unknown>): void {
    this.push('NotifySubscriberRequest', { headers: {}, requestId, serviceInfo: info, module: 'naming' });
  }

  /** Ends all streams as a real server does that has had enough: status 0. */
  endStreams(): void {
    for (const stream of this.#streams) {
      stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.end();
    }
  }

  /** Says goodbye, leaving connections open. */
  sayGoodbye(): void {
    for (const session of this.#sessions) session.goaway(0);
  }

  /** Cuts all connections. */
  cut(): void {
    for (const session of this.#sessions) session.destroy();
  }

  /** Ends it. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #take(stream: ServerHttp2Stream, path: string): void {
    const cutter = new MessageCutter(64 * 1024 * 1024);
    const isUnary = path === '/Request/request';
    stream.on('error', () => {});
    stream.on('close', () => this.#streams.delete(stream));
    stream.on('data', (chunk: Buffer) => {
      for (const bytes of cutter.push(chunk)) {
        const { type, headers, body } = decodePayload(bytes);
        const message = { type, headers, body: JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown> };
        if (isUnary) this.#answer(stream, message);
        else this.#hear(stream, message);
      }
    });
    if (!isUnary) stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  }

  #hear(stream: ServerHttp2Stream, message: ReceivedMessage): void {
    if (message.type !== 'ConnectionSetupRequest') {
      this.said.push(message);
      return;
    }
    this.setUp.push(message);
    this.#streams.add(stream);
    if (!this.acknowledgesSetup) return;
    stream.write(frameMessage(encodePayload('SetupAckRequest', JSON.stringify(SETUP_ACK))));
  }

  #answer(stream: ServerHttp2Stream, message: ReceivedMessage): void {
    if (message.type !== 'ServerCheckRequest' && message.type !== 'HealthCheckRequest') this.received.push(message);
    const answer = this.answer(message);
    if (answer === 'silent') return;
    if (answer === 'html') {
      stream.respond({ ':status': 502, 'content-type': 'text/html' });
      stream.end('<html>Bad gateway</html>');
      return;
    }
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(Buffer.isBuffer(answer) ? answer : bytesOf(answer as readonly [string, Record<string, unknown>]));
  }
}

function bytesOf([type, members]: readonly [string, Record<string, unknown>]): Buffer {
  const body = { resultCode: 200, errorCode: 0, ...members };
  return Buffer.from(frameMessage(encodePayload(type, JSON.stringify(body))));
}
