// The options of a client, with their defaults, checked once.

import type { LogFields, Logger } from '@rollcall/runtime';
import type { AccessKey } from '../adapters/access/request-signing.js';
import type { Credentials } from '../adapters/access/token-login.js';
import { type ServerAddress, serverAddresses } from '../adapters/server-address.js';
import type { TlsOptions } from '../adapters/tls-options.js';
import type { TransportOptions } from '../adapters/transport-options.js';
import { ClientError } from '../core/client-error.js';
import { type CoreSettings, DEFAULT_CORE_SETTINGS } from '../core/core-context.js';

/** A host that knows the addresses of the servers. */
export interface EndpointOptions {
  /** Host name or IP. */
  readonly host: string;
  /** Default 8080. */
  readonly port?: number | undefined;
}

/** How a client is made. Everything has a default. */
export interface ConnectOptions {
  /** One or more of `host`, `host:port`, `http(s)://host[:port][/path]`, as a list or separated by commas. Default `127.0.0.1:8848`. */
  readonly servers?: string | readonly string[] | undefined;
  /** Asked for the addresses of the servers at the start and every 30 s; `servers` is not used then. */
  readonly endpoint?: EndpointOptions | undefined;
  /**
   * `grpc` for servers from 2.0 on, `http` for all but 3.x, `auto` finds out what the servers speak, gRPC first, and logs what it
   * chose; it stays with that. Default `auto`.
   */
  readonly protocol?: 'auto' | 'grpc' | 'http' | undefined;
  /** Distance of the gRPC port of a server from its main port, 0 to 65534. Default 1000. */
  readonly grpcPortOffset?: number | undefined;
  /** Namespace id of everything this client does. Default `public`. */
  readonly namespace?: string | undefined;
  /** Group of services that are named without one. Default `DEFAULT_GROUP`. */
  readonly group?: string | undefined;
  /** Path of the API on the servers. Default `/nacos`; empty for none. */
  readonly contextPath?: string | undefined;
  /** Name and password; the client logs in and renews its token. Default none. */
  readonly credentials?: Credentials | undefined;
  /** Keys to sign calls with. Default none. */
  readonly accessKey?: AccessKey | undefined;
  /** Certificates; with this, servers given without a scheme are asked over `https`. Default plain `http`. */
  readonly tls?: TlsOptions | undefined;
  /** Name of this application, shown in subscriber lists. Default `unknown`. */
  readonly app?: string | undefined;
  /** Longest time for a connection, ms, 1 to 600000. Default 3000. */
  readonly connectTimeoutMs?: number | undefined;
  /** Longest time for one attempt of a call, ms, 1 to 600000. Default 5000. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Longest time for a call with all its attempts, ms, 1 to 86400000. Default 15000. Each call can say otherwise. */
  readonly deadlineMs?: number | undefined;
  /** Attempts of one call when there is one server, 1 to 100. Default 3. Several servers are tried once each. */
  readonly attemptsForOneServer?: number | undefined;
  /** Connections to one server at once, 1 to 1000. Default 8. */
  readonly connectionsMax?: number | undefined;
  /** How pushes over UDP are received: the port (0, the default: any free one) and the address that servers send to (default: found out); `off` polls only. */
  readonly push?: PushOptions | 'off' | undefined;
  /** `keep` ignores lists without a usable instance while there was one before. Default `accept`. */
  readonly emptyLists?: CoreSettings['emptyLists'] | undefined;
  /** Keeps the last lists on the disk, and looks there for fail-over files. Default no disk. */
  readonly cache?: CacheOptions | undefined;
  /** Whether pending beats and polls keep the process alive that has nothing else to do. Default false. */
  readonly keepsProcessAlive?: boolean | undefined;
  /** Where log lines go. Default nowhere. */
  readonly logger?: Logger | undefined;
}

/** Where pushes arrive. */
export interface PushOptions {
  /** 0 to 65535. Default 0. */
  readonly port?: number | undefined;
  /** Address of this machine as servers reach it. Default: the one from which this machine reaches them. */
  readonly clientIp?: string | undefined;
}

/** The cache on disk. */
export interface CacheOptions {
  /**
   * Root of the cache; lists lie in `nacos/naming/<namespace>` below it, as those of the Java client below the home
   * directory. Clients of other servers need another one: lists of one name are one file.
   */
  readonly directory: string;
  /** Whether lists from the disk are used from the start until a server answers. Default false. */
  readonly loadAtStart?: boolean | undefined;
}

/** Options with every default filled in. */
export interface ClientSettings {
  readonly servers: readonly ServerAddress[];
  readonly endpoint: { readonly host: string; readonly port: number } | undefined;
  readonly scheme: 'http' | 'https';
  readonly protocol: 'auto' | 'grpc' | 'http';
  readonly grpcPortOffset: number;
  readonly group: string;
  readonly deadlineMs: number;
  readonly push: { readonly port: number; readonly clientIp: string | undefined } | undefined;
  readonly transport: TransportOptions;
  readonly core: CoreSettings;
  readonly cache: CacheOptions | undefined;
  readonly keepsProcessAlive: boolean;
  readonly logger: Logger;
}

const SILENT: Logger = { isEnabled: () => false, log: (_level, _event, _fields?: LogFields) => {} };

/** Checks options and fills in the defaults. @throws ClientError `invalid-parameter` for what is out of range */
export function clientSettings(options: ConnectOptions): ClientSettings {
  const scheme = options.tls === undefined ? 'http' : 'https';
  const { endpoint } = options;
  const servers = endpoint === undefined ? serverAddresses(options.servers ?? '127.0.0.1:8848', scheme) : [];
  if (endpoint === undefined && servers.length === 0)
    throw new ClientError('invalid-parameter', '"servers" names no server, at least one is needed');
  return {
    servers,
    endpoint: endpoint && { host: endpoint.host, port: within('endpoint.port', endpoint.port ?? 8080, 1, 65_535) },
    scheme,
    protocol: protocolOf(options.protocol ?? 'auto'),
    grpcPortOffset: within('grpcPortOffset', options.grpcPortOffset ?? 1000, 0, 65_534),
    group: options.group ?? 'DEFAULT_GROUP',
    deadlineMs: within('deadlineMs', options.deadlineMs ?? 15_000, 1, 86_400_000),
    push: pushSettings(options.push ?? {}),
    transport: transportSettings(options),
    core: { ...DEFAULT_CORE_SETTINGS, emptyLists: options.emptyLists ?? 'accept' },
    cache: options.cache,
    keepsProcessAlive: options.keepsProcessAlive ?? false,
    logger: options.logger ?? SILENT,
  };
}

function transportSettings(options: ConnectOptions): TransportOptions {
  return {
    namespace: options.namespace === undefined || options.namespace === '' ? 'public' : options.namespace,
    app: options.app ?? 'unknown',
    contextPath: contextPathOf(options.contextPath ?? '/nacos'),
    credentials: options.credentials,
    accessKey: options.accessKey,
    tls: options.tls ?? {},
    connectTimeoutMs: within('connectTimeoutMs', options.connectTimeoutMs ?? 3000, 1, 600_000),
    attemptTimeoutMs: within('attemptTimeoutMs', options.attemptTimeoutMs ?? 5000, 1, 600_000),
    attemptsForOneServer: within('attemptsForOneServer', options.attemptsForOneServer ?? 3, 1, 100),
    connectionsMax: within('connectionsMax', options.connectionsMax ?? 8, 1, 1000),
  };
}

function protocolOf(protocol: string): ClientSettings['protocol'] {
  if (protocol === 'auto' || protocol === 'grpc' || protocol === 'http') return protocol;
  throw new ClientError('invalid-parameter', `"protocol" is "${protocol}", allowed are "auto", "grpc" and "http"`);
}

function pushSettings(push: PushOptions | 'off'): ClientSettings['push'] {
  if (push === 'off') return undefined;
  return { port: within('push.port', push.port ?? 0, 0, 65_535), clientIp: push.clientIp };
}

function contextPathOf(path: string): string {
  if (path.includes('//'))
    throw new ClientError('invalid-parameter', `"contextPath" is "${path}", two slashes in a row are not allowed`);
  const trimmed = path.replace(/\/$/, '');
  return trimmed === '' || trimmed.startsWith('/') ? trimmed : `/${trimmed}`;
}

function within(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new ClientError(
    'invalid-parameter',
    `"${name}" is ${value}, allowed are whole numbers from ${least} to ${most}`,
  );
}
