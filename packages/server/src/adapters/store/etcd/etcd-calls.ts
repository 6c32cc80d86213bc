// Calls to the members of an etcd: one connection each, one of them in use until it fails, then the next.

import {
  type ChannelCredentials,
  type ChannelOptions,
  type ClientDuplexStream,
  credentials,
  Client as GrpcClient,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import type { EtcdAccess, EtcdLogin, EtcdTls } from './etcd-access.js';
import { decodeMessage, type EtcdMessages, encodeMessage } from './etcd-messages.js';
import { EtcdToken } from './etcd-token.js';

/** Longest wait for the answer to a call. */
export const CALL_MS_MAX = 3000;
/** A message above this is refused; etcd refuses requests above 1.5 MiB, but answers hold many records. */
const MESSAGE_BYTES_MAX = 64 * 1024 * 1024;

/** Dead connections are noticed after 13 s at most; etcd allows a ping each 5 s. Reconnects are tried each second at least. */
const CHANNEL_OPTIONS: ChannelOptions = {
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 3000,
  'grpc.keepalive_permit_without_calls': 1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1000,
  'grpc.max_receive_message_length': MESSAGE_BYTES_MAX,
  'grpc.enable_http_proxy': 0,
};

/** The calls that are used, each with its messages. */
const CALLS = {
  range: { path: '/etcdserverpb.KV/Range', request: 'RangeRequest', response: 'RangeResponse' },
  txn: { path: '/etcdserverpb.KV/Txn', request: 'TxnRequest', response: 'TxnResponse' },
  leaseGrant: { path: '/etcdserverpb.Lease/LeaseGrant', request: 'LeaseGrantRequest', response: 'LeaseGrantResponse' },
  authenticate: {
    path: '/etcdserverpb.Auth/Authenticate',
    request: 'AuthenticateRequest',
    response: 'AuthenticateResponse',
  },
  status: { path: '/etcdserverpb.Maintenance/Status', request: 'StatusRequest', response: 'StatusResponse' },
} as const;

type CallName = keyof typeof CALLS;
type RequestOf<C extends CallName> = EtcdMessages[(typeof CALLS)[C]['request']];
type ResponseOf<C extends CallName> = EtcdMessages[(typeof CALLS)[C]['response']];

/** A stream of watch messages. */
type WatchStream = ClientDuplexStream<EtcdMessages['WatchRequest'], EtcdMessages['WatchResponse']>;

/** A watch, and what to tell when it ended: why. */
export interface OpenedWatch {
  readonly stream: WatchStream;
  readonly leave: (reason: string) => void;
}

/** Speaks to an etcd. */
export class EtcdCalls {
  readonly #clients: readonly GrpcClient[];
  readonly #token: EtcdToken | undefined;
  #current = 0;

  /** @param endpoints - `host:port`, at least one */
  constructor(endpoints: readonly string[], { tls, login }: EtcdAccess = {}) {
    const channel = channelCredentials(tls);
    this.#clients = endpoints.map((endpoint) => new GrpcClient(endpoint, channel, CHANNEL_OPTIONS));
    this.#token = login && new EtcdToken(() => this.#logIn(login));
  }

  /**
   * Asks the member in use. When it fails for a reason of its own, the next call goes to the next one; when it could not
   * be reached at all, this call does.
   *
   * @param deadline - epoch ms of this machine
   * @throws ServiceError of gRPC
   */
  async ask<C extends CallName>(
    name: C,
    request: RequestOf<C>,
    deadline = Date.now() + CALL_MS_MAX,
  ): Promise<ResponseOf<C>> {
    for (let members = 1; ; members++) {
      const member = this.#current;
      try {
        return await this.askMember(member, name, request, deadline);
      } catch (error) {
        if (isFaultOfMember(error)) this.#leave(member);
        if (!wasNeverSent(error) || members === this.#clients.length) throw error;
      }
    }
  }

  /** Asks one member. @param member - its place in the list of endpoints */
  async askMember<C extends CallName>(
    member: number,
    name: C,
    request: RequestOf<C>,
    deadline = Date.now() + CALL_MS_MAX,
  ): Promise<ResponseOf<C>> {
    const send = async () =>
      this.#send(member, name, request, { deadline, metadata: (await this.#token?.metadata()) ?? new Metadata() });
    try {
      return await send();
    } catch (error) {
      if (this.#token?.isRefusedBy(error) !== true) throw error;
      return send();
    }
  }

  async #logIn({ user, password }: EtcdLogin): Promise<string> {
    const options = { deadline: Date.now() + CALL_MS_MAX, metadata: new Metadata() };
    const member = this.#current;
    try {
      return (await this.#send(member, 'authenticate', { name: user, password }, options)).token;
    } catch (error) {
      if (isFaultOfMember(error)) this.#leave(member);
      throw error;
    }
  }

  #send<C extends CallName>(
    member: number,
    name: C,
    request: RequestOf<C>,
    { deadline, metadata }: { readonly deadline: number; readonly metadata: Metadata },
  ): Promise<ResponseOf<C>> {
    const { path, request: requestName, response: responseName } = CALLS[name];
    return new Promise((resolve, reject) => {
      this.#clientAt(member).makeUnaryRequest<RequestOf<C>, ResponseOf<C>>(
        path,
        (content) => encodeMessage(requestName, content as never),
        (bytes) => decodeMessage(responseName, bytes) as ResponseOf<C>,
        request,
        metadata,
        { deadline },
        (error, response) => (error === null && response !== undefined ? resolve(response) : reject(error)),
      );
    });
  }

  /**
   * Opens a stream for a watch at the member in use. It ends by itself when that member has no leader.
   *
   * @returns the stream, and what to call when it ended: the next one is opened at the next member
   * @throws ServiceError when the login fails
   */
  async openWatch(): Promise<OpenedWatch> {
    const metadata = (await this.#token?.metadata()) ?? new Metadata();
    const member = this.#current;
    metadata.set('hasleader', 'true');
    const stream = this.#clientAt(member).makeBidiStreamRequest<
      EtcdMessages['WatchRequest'],
      EtcdMessages['WatchResponse']
    >(
      '/etcdserverpb.Watch/Watch',
      (content) => encodeMessage('WatchRequest', content),
      (bytes) => decodeMessage('WatchResponse', bytes),
      metadata,
    );
    const leave = (reason: string) => {
      if (this.#token?.isRefusedBy({ details: reason }) !== true) this.#leave(member);
    };
    return { stream, leave };
  }

  close(): void {
    for (const client of this.#clients) client.close();
  }

  #clientAt(member: number): GrpcClient {
    return this.#clients[member] as GrpcClient;
  }

  #leave(member: number): void {
    if (this.#current === member) this.#current = (member + 1) % this.#clients.length;
  }
}

function channelCredentials(tls: EtcdTls | undefined): ChannelCredentials {
  if (tls === undefined) return credentials.createInsecure();
  const { authority, certificate = null, key = null } = tls;
  return credentials.createSsl(authority, key, certificate);
}

/** An error of gRPC as it stands in messages: its text without the code in front and without what only gRPC understands. */
export function reasonOf(error: unknown): string {
  const { code, details, message } = error as Partial<ServiceError>;
  if (code === status.DEADLINE_EXCEEDED) return `no answer within ${CALL_MS_MAX} ms`;
  const cause = /^No connection established\. Last error: (?:Error: )?(.*?)\. Resolution note: *(.*)$/.exec(
    details ?? '',
  );
  if (cause !== null) return cause[1] || cause[2] || 'no connection';
  return details || message || String(error);
}

/** Whether a call found no connection, so that no member can have seen it. */
export function wasNeverSent(error: unknown): boolean {
  const { code, details = '' } = error as Partial<ServiceError>;
  return code === status.UNAVAILABLE && details.startsWith('No connection established');
}

/** Whether another member may do better. */
function isFaultOfMember(error: unknown): boolean {
  const { code } = error as Partial<ServiceError>;
  return code === status.UNAVAILABLE || code === status.DEADLINE_EXCEEDED || code === status.UNKNOWN;
}
