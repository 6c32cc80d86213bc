// A gRPC client as tests need it: Node's own HTTP/2, messages as plain objects, nothing done unasked.

import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { decodePayload, encodePayload, frameMessage, MessageCutter } from '@rollcall/protocol';
import { expect } from 'vitest';

/** Setup of a client of 2.5. */
export const SETUP = { clientVersion: 'Nacos-Java-Client:v2.5.1', labels: { module: 'naming' }, abilityTable: {} };

/** A message as it came. */
export interface Received {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at any member
  readonly body: any;
}

/** An open stream of a client, and what was sent to it and not taken yet. */
export interface ClientStream {
  readonly stream: ClientHttp2Stream;
  readonly messages: Received[];
}

/** Looks at each message that comes over a stream. */
export type MessageListener = (message: Received, stream: ClientHttp2Stream) => void;

/** A framed message. */
export const messageOf = (type: string, body: unknown) => frameMessage(encodePayload(type, JSON.stringify(body)));

const request = (session: ClientHttp2Session, path: string): ClientHttp2Stream =>
  session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' });

function received(bytes: Uint8Array): Received {
  const { type, body } = decodePayload(bytes);
  return { type, body: JSON.parse(new TextDecoder().decode(body)) };
}

/** One unary call: the answer, or the status with which it failed. */
export function call(session: ClientHttp2Session, bytes: Uint8Array): Promise<Received | { readonly status: unknown }> {
  return new Promise((resolve) => {
    const stream = request(session, '/Request/request');
    const cutter = new MessageCutter(16 << 20);
    let answer: Received | undefined;
    let status: unknown;
    stream.on('response', (headers) => {
      status = headers['grpc-status'];
    });
    stream.on('data', (chunk: Uint8Array) => {
      for (const message of cutter.push(chunk)) answer = received(message);
    });
    stream.on('close', () => resolve(answer ?? { status }));
    stream.on('error', () => undefined);
    stream.end(bytes);
  });
}

/** Opens the stream of a client. */
export function openStream(session: ClientHttp2Session, taken: MessageListener = () => undefined): ClientStream {
  const stream = request(session, '/BiRequestStream/requestBiStream');
  const cutter = new MessageCutter(16 << 20);
  const messages: Received[] = [];
  stream.on('error', () => undefined);
  stream.on('data', (chunk: Uint8Array) => {
    for (const message of cutter.push(chunk).map(received)) {
      messages.push(message);
      taken(message, stream);
    }
  });
  return { stream, messages };
}

/** Opens the stream of a client and waits until its setup is acknowledged; further messages come in `messages`. */
export async function setUp(
  session: ClientHttp2Session,
  setup: object = SETUP,
  taken?: MessageListener,
): Promise<ClientStream> {
  const opened = openStream(session, taken);
  opened.stream.write(messageOf('ConnectionSetupRequest', setup));
  await expect.poll(() => opened.messages.shift()?.type).toBe('SetupAckRequest');
  return opened;
}

function acknowledge({ type, body: { requestId } }: Received, stream: ClientHttp2Stream): void {
  if (type === 'NotifySubscriberRequest')
    stream.write(messageOf('NotifySubscriberResponse', { requestId, resultCode: 200 }));
}

/** A client of one connection to a whole server, which acknowledges what it is pushed. */
export class GrpcClient {
  readonly session: ClientHttp2Session;
  readonly #opened: ClientStream;

  private constructor(session: ClientHttp2Session, opened: ClientStream) {
    this.session = session;
    this.#opened = opened;
  }

  /** Connects and sets up. */
  static async open(port: number, setup: object = SETUP): Promise<GrpcClient> {
    const session = connectTo(port);
    return new GrpcClient(session, await setUp(session, setup, acknowledge));
  }

  /** Messages on the stream that were not taken yet. */
  get messages(): Received[] {
    return this.#opened.messages;
  }

  /** Addresses of the newest list that was pushed. */
  get pushed(): string[] | undefined {
    const pushes = this.messages.filter(({ type }) => type === 'NotifySubscriberRequest');
    return pushes.at(-1) && hostsIn(pushes.at(-1) as Received);
  }

  /** A call for the service `s` of the default group, unless members say otherwise. @returns the body of the answer */
  async ask(type: string, members: object = {}): Promise<Received['body']> {
    const named = { namespace: 'public', serviceName: 's', groupName: 'DEFAULT_GROUP' };
    const answer = await call(this.session, messageOf(type, { ...named, ...members }));
    if ('status' in answer) throw new Error(`${type} ended with status ${answer.status}`);
    return answer.body;
  }

  /** Registers one instance. */
  register(instance: object, members: object = {}): Promise<Received['body']> {
    return this.ask('InstanceRequest', { type: 'registerInstance', instance, ...members });
  }

  /** Replaces all that this connection publishes. */
  batch(instances: readonly object[], members: object = {}): Promise<Received['body']> {
    return this.ask('BatchInstanceRequest', { type: 'batchRegisterInstance', instances, ...members });
  }

  /** Addresses in the list of a service. */
  async hosts(members: object = {}): Promise<string[]> {
    const body = await this.ask('ServiceQueryRequest', members);
    return hostsIn({ type: 'QueryServiceResponse', body });
  }

  /** Ends the connection. */
  close(): void {
    this.session.destroy();
  }
}

/** A connection to a server of this host. */
export function connectTo(port: number): ClientHttp2Session {
  const session = connect(`http://127.0.0.1:${port}`);
  session.on('error', () => undefined);
  return session;
}

function hostsIn({ body }: Received): string[] {
  return body.serviceInfo.hosts.map(({ ip, port }: { ip: string; port: number }) => `${ip}:${port}`).sort();
}
