// A connection that a server knows: the handshake, what the server pushes, and the acknowledgements.
// Source: contract grpc-2x 5 (sequence), 6.3, 6.4 and 8. Every push is acknowledged, unknown ones with an error: a server that
// hears nothing sends it again and again.

import { jsonText, type Payload } from '@rollcall/protocol';
import { nodeTimers, type TimerHandle } from '@rollcall/runtime';
import { ClientError, clientErrorOf } from '../../core/client-error.js';
import { type GrpcBody, grpcBodyOf, grpcRefusalOf } from './grpc-calls.js';
import { GrpcChannel, type GrpcChannelOptions, type OutgoingPayload, type UnaryBounds } from './grpc-channel.js';

/** What a connection needs besides. */
export interface GrpcConnectionOptions extends GrpcChannelOptions {
  /** Shown in subscriber lists. */
  readonly app: string;
  readonly namespace: string;
  /** Longest time for the server check, connection included, ms. */
  readonly checkTimeoutMs: number;
  /** Longest time for one call, ms; a health check has at most 3000. */
  readonly attemptTimeoutMs: number;
  /** A list was pushed. What is thrown is told to the server as a refusal. */
  readonly listPushed: (serviceInfo: unknown) => void;
  /** The server wants this client elsewhere, at `host:port` if it says where. */
  readonly sentAway: (target: string | undefined) => void;
}

/** Longest wait for the answer to the setup, ms; as the Java client. */
const SETUP_TIMEOUT_MS = 5000;
/** Wait after the setup for servers that do not answer it, ms. */
const SETUP_PAUSE_MS = 100;
/** Longest wait for the answer to a health check, ms. */
const HEALTH_TIMEOUT_MS = 3000;
const CLIENT_VERSION = 'Rollcall-Client:v0.1.0';
const EMPTY_INTERNAL = '{"headers":{},"module":"internal"}';

/** One connection. */
export class GrpcConnection {
  readonly #options: GrpcConnectionOptions;
  readonly #channel: GrpcChannel;
  #abilities: GrpcBody = {};
  #setUp: () => void = () => {};
  #gone: (error: ClientError) => void = () => {};

  /** Begins to connect. @param options - see there */
  constructor(options: GrpcConnectionOptions) {
    this.#options = options;
    this.#channel = new GrpcChannel({
      ...options,
      gone: (reason) => {
        this.#gone(
          new ClientError('unreachable', `"${options.server}" is gone: ${reason}`, { server: options.server }),
        );
        options.gone(reason);
      },
    });
  }

  /** Whether the server takes persistent instances over gRPC. */
  get takesPersistent(): boolean {
    return this.#abilities.supportPersistentInstanceByGrpc === true;
  }

  /** Makes the server know this connection. @throws ClientError (as rejection) when it does not; the connection is of no use then */
  async open(): Promise<void> {
    const { checkTimeoutMs } = this.#options;
    const check = await this.request(
      { type: 'ServerCheckRequest', json: EMPTY_INTERNAL },
      { timeoutMs: checkTimeoutMs },
    );
    this.#channel.openStream((payload) => this.#take(payload));
    const answers = check.supportAbilityNegotiation === true;
    const ready = this.#setupDone(answers);
    this.#channel.say({ type: 'ConnectionSetupRequest', json: this.#setupJson() });
    await ready;
  }

  /** Asks whether the server is there and knows this connection. @throws ClientError (as rejection) when not */
  async check(): Promise<void> {
    const timeoutMs = Math.min(HEALTH_TIMEOUT_MS, this.#options.attemptTimeoutMs);
    await this.request({ type: 'HealthCheckRequest', json: EMPTY_INTERNAL }, { timeoutMs });
  }

  /** Makes a call. @returns the members of a success @throws ClientError (as rejection) with the code of a refusal */
  async request(message: OutgoingPayload, bounds: UnaryBounds): Promise<GrpcBody> {
    const payload = await this.#channel.unary(message, bounds);
    const body = grpcBodyOf(payload);
    const refusal = grpcRefusalOf(payload.type, body);
    if (refusal === undefined) return body;
    const { server } = this.#options;
    const error = new ClientError(
      refusal.code,
      `"${message.type}" at "${server}" was answered with ${refusal.message}`,
      { server },
    );
    // A server that does not know the connection will not learn of it by itself.
    if (refusal.connection === 'unknown') this.#channel.close();
    throw error;
  }

  /** Frees the socket. */
  close(): void {
    this.#channel.close();
  }

  #setupJson(): string {
    const { app, namespace, origin } = this.#options;
    const labels = { source: 'sdk', module: 'naming', AppName: app, 'tls.enable': String(origin.startsWith('https:')) };
    const setup = { headers: {}, clientVersion: CLIENT_VERSION, tenant: namespace, labels, abilityTable: {} };
    return JSON.stringify({ ...setup, module: 'internal' });
  }

  #setupDone(isAnswered: boolean): Promise<void> {
    const { server } = this.#options;
    return new Promise((resolve, reject) => {
      let timer: TimerHandle | undefined;
      this.#setUp = () => {
        timer?.cancel();
        resolve();
      };
      this.#gone = (error) => {
        timer?.cancel();
        reject(error);
      };
      const late = () =>
        this.#gone(
          new ClientError('deadline-exceeded', `"${server}" did not answer the setup within ${SETUP_TIMEOUT_MS} ms`, {
            server,
          }),
        );
      timer = isAnswered ? nodeTimers.once(SETUP_TIMEOUT_MS, late) : nodeTimers.once(SETUP_PAUSE_MS, this.#setUp);
    });
  }

  #take(payload: Payload): void {
    const { type } = payload;
    if (type.endsWith('Response')) return;
    let body: GrpcBody;
    try {
      body = grpcBodyOf(payload);
    } catch {
      return; // Without its id there is nothing to acknowledge.
    }
    try {
      this.#acknowledge(type, body);
    } catch (error) {
      this.#refuse(body, -500, clientErrorOf(error).message);
    }
  }

  #acknowledge(type: string, body: GrpcBody): void {
    switch (type) {
      case 'SetupAckRequest':
        this.#abilities = (body.abilityTable ?? {}) as GrpcBody;
        this.#setUp();
        return;
      case 'ClientDetectionRequest':
        this.#accept('ClientDetectionResponse', body);
        return;
      case 'ConnectResetRequest':
        this.#accept('ConnectResetResponse', body);
        this.#options.sentAway(targetIn(body));
        return;
      case 'NotifySubscriberRequest':
        this.#options.listPushed(body.serviceInfo);
        this.#accept('NotifySubscriberResponse', body);
        return;
      default:
        this.#refuse(body, 302, `"${type}" is not known to this client`);
    }
  }

  #accept(type: string, body: GrpcBody): void {
    this.#channel.say({ type, json: `{"resultCode":200,"errorCode":0,"requestId":${idIn(body)},"success":true}` });
  }

  #refuse(body: GrpcBody, errorCode: number, message: string): void {
    const rest = `"message":${jsonText(message)},"requestId":${idIn(body)},"success":false`;
    this.#channel.say({ type: 'ErrorResponse', json: `{"resultCode":500,"errorCode":${errorCode},${rest}}` });
  }
}

function idIn({ requestId }: GrpcBody): string {
  return jsonText(typeof requestId === 'number' ? String(requestId) : typeof requestId === 'string' ? requestId : '');
}

function targetIn({ serverIp, serverPort }: GrpcBody): string | undefined {
  return typeof serverIp === 'string' && serverIp !== '' ? `${serverIp}:${serverPort ?? ''}` : undefined;
}
