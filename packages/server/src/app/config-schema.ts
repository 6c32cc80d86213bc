// The one table of configuration options. Types, validation, help and docs/configuration.md all come from it. An option
// is here only when something reads it.

import { DEFAULT_HTTP_SETTINGS, type HttpSettings } from '../adapters/http/http-settings.js';
import { readSubnet } from '../adapters/push-targets.js';
import { type CoreSettings, DEFAULT_CORE_SETTINGS } from '../core/core-settings.js';
import { DEFAULT_LEDGER_BOUNDS, type LedgerBounds } from '../core/ledger/ledger-bounds.js';
import { CLUSTER_OPTIONS } from './cluster-options.js';
import { GRPC_OPTIONS } from './grpc-options.js';
import { limitOptions } from './limit-options.js';
import { choiceOption, integerOption, listOption, textOption, type ValueOf } from './option.js';
import { STORE_OPTIONS } from './store-options.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Every option by its key. The key gives the flag (`--data-dir`), the variable (`ROLLCALL_DATA_DIR`) and the name in the file. */
export const OPTIONS = {
  host: textOption({
    group: 'Server',
    doc: 'Address to listen on; the default is reachable from this machine only, "0.0.0.0" and "::" from everywhere.',
    placeholder: 'address',
    allowed: 'an IP address or a host name of this machine',
    default: '127.0.0.1',
    isAllowed: (text) => /^[\w.:%-]{1,255}$/.test(text),
  }),
  port: integerOption({
    group: 'Server',
    doc: 'TCP port to listen on; 0 takes a free one.',
    unit: 'number',
    min: 0,
    max: 65535,
    default: 8848,
  }),
  grpcPortOffset: integerOption({
    group: 'Server',
    doc: 'Distance from the port to the one on which gRPC clients are served besides; clients compute 1000. 0 turns it off: gRPC is then served on the main port alone.',
    unit: 'ports',
    min: 0,
    max: 65535,
    default: 1000,
  }),
  pushPort: integerOption({
    group: 'Server',
    doc: 'UDP port from which 1.x subscribers are told of changes and to which they answer, on all addresses; 0 takes a free one.',
    unit: 'number',
    min: 0,
    max: 65535,
    default: 0,
  }),
  contextPath: textOption({
    group: 'Server',
    doc: 'Path in front of all Nacos routes, "/" for none; the bare routes are answered as well.',
    placeholder: 'path',
    allowed: '"/", or segments of letters, digits and "._~-", each after a "/"',
    default: '/nacos',
    isAllowed: (text) => /^(\/|(\/[\w.~-]+)+)$/.test(text) && !/\/\.\.?(\/|$)/.test(text),
  }),
  stopTimeoutMs: integerOption({
    group: 'Server',
    doc: 'Longest time that a stop waits for requests in flight before it closes their connections.',
    unit: 'ms',
    min: 0,
    max: MINUTE_MS,
    default: 3000,
  }),
  drainMs: integerOption({
    group: 'Server',
    doc: 'Before a stop, gRPC clients are asked to move to other servers, and this long is waited at most for them to go; 0 does not ask, and is the default of a server that is not one of several.',
    unit: 'ms',
    min: 0,
    max: 10 * MINUTE_MS,
    default: 3000,
  }),

  ...CLUSTER_OPTIONS,

  dataDir: textOption({
    group: 'Data',
    doc: 'Folder of everything that survives a restart; a leading "~/" is the home folder and "{port}" the port.',
    placeholder: 'path',
    allowed: 'a path of 1 to 1024 characters',
    default: '~/.rollcall/{port}',
    isAllowed: (text) => /^[^\0]{1,1024}$/.test(text),
  }),
  snapshotAgeMaxMs: integerOption({
    group: 'Data',
    doc: 'Ephemeral instances and subscriptions saved longer ago than this are not loaded at start.',
    unit: 'ms',
    min: 0,
    max: 365 * DAY_MS,
    default: 60 * MINUTE_MS,
  }),

  ...STORE_OPTIONS,

  logLevel: choiceOption({
    group: 'Log',
    doc: 'Least severe lines that are written.',
    words: ['debug', 'info', 'warn', 'error', 'off'],
    default: 'info',
  }),
  logFormat: choiceOption({
    group: 'Log',
    doc: 'Form of a line; "auto" is "pretty" on a terminal and "json" otherwise.',
    words: ['auto', 'pretty', 'json'],
    default: 'auto',
  }),

  allowedOrigins: listOption({
    group: 'HTTP',
    doc: 'Origins whose pages may call the server from a browser, "*" for all; none by default.',
    placeholder: 'origins',
    allowed: '"*", or origins such as "https://console.example.org:8080", separated by commas',
    default: DEFAULT_HTTP_SETTINGS.allowedOrigins,
    isAllowed: (text) => /^(\*|null|[a-z][a-z0-9+.-]*:\/\/[^\s/?#,]{1,255})$/.test(text),
  }),
  httpConnections: integerOption({
    group: 'HTTP',
    doc: 'Open connections; more are closed at once.',
    unit: 'number',
    min: 1,
    max: 1_000_000,
    default: DEFAULT_HTTP_SETTINGS.connections,
  }),
  httpIdleMs: integerOption({
    group: 'HTTP',
    doc: 'How long a connection may stay idle between two requests.',
    unit: 'ms',
    min: 1000,
    max: 60 * MINUTE_MS,
    default: DEFAULT_HTTP_SETTINGS.idleMs,
  }),
  httpHeadMs: integerOption({
    group: 'HTTP',
    doc: 'Longest time for the head of a request to arrive; then status 408.',
    unit: 'ms',
    min: 1000,
    max: 60 * MINUTE_MS,
    default: DEFAULT_HTTP_SETTINGS.headMs,
  }),
  httpBodyMs: integerOption({
    group: 'HTTP',
    doc: 'Longest time for the body of a request to arrive; then status 408.',
    unit: 'ms',
    min: 1000,
    max: 60 * MINUTE_MS,
    default: DEFAULT_HTTP_SETTINGS.bodyMs,
  }),
  httpUnreadMs: integerOption({
    group: 'HTTP',
    doc: 'How long a peer may leave an answer unread before its connection is closed.',
    unit: 'ms',
    min: 1000,
    max: 60 * MINUTE_MS,
    default: DEFAULT_HTTP_SETTINGS.unreadMs,
  }),
  httpPipelinedRequests: integerOption({
    group: 'HTTP',
    doc: 'Requests of one connection that may wait for their answer; more are read later.',
    unit: 'number',
    min: 1,
    max: 10_000,
    default: DEFAULT_HTTP_SETTINGS.pipelinedRequests,
  }),
  httpUnsentBytes: integerOption({
    group: 'HTTP',
    doc: 'Answers that may wait on one connection; nothing more is read from it meanwhile, a stream is closed.',
    unit: 'bytes',
    min: 16 * 1024,
    max: 1024 * 1024 * 1024,
    default: DEFAULT_HTTP_SETTINGS.unsentBytes,
  }),

  ...GRPC_OPTIONS,

  editMemoryMs: integerOption({
    group: 'Registry',
    doc: "How long an operator's edits outlive their instance.",
    unit: 'ms',
    min: 0,
    max: 30 * DAY_MS,
    default: DEFAULT_CORE_SETTINGS.editMemoryMs,
  }),
  emptyServiceMs: integerOption({
    group: 'Registry',
    doc: 'How long a service that nobody created stays after its last instance and subscriber.',
    unit: 'ms',
    min: 0,
    max: 30 * DAY_MS,
    default: DEFAULT_CORE_SETTINGS.emptyServiceMs,
  }),
  pushMergeMs: integerOption({
    group: 'Registry',
    doc: 'Changes of a service within this time after a push become one push at its end.',
    unit: 'ms',
    min: 0,
    max: 10_000,
    default: DEFAULT_CORE_SETTINGS.pushMergeMs,
  }),
  pushTargets: listOption({
    group: 'Registry',
    doc: 'Addresses that any client may have pushes sent to; without them only its own, and private ones when it is in a private network too.',
    placeholder: 'subnets',
    allowed: 'IP addresses and subnets such as "192.0.2.0/24", separated by commas',
    default: [],
    isAllowed: (text) => readSubnet(text) !== undefined,
  }),
  subscriberMs: integerOption({
    group: 'Registry',
    doc: 'A subscriber over UDP is forgotten this long after its last query.',
    unit: 'ms',
    min: 1000,
    max: DAY_MS,
    default: DEFAULT_CORE_SETTINGS.subscriberMs,
  }),
  quietSubscriberMs: integerOption({
    group: 'Registry',
    doc: 'The same when its last answer was empty or it subscribed before a restart; such clients ask up to 60 s apart.',
    unit: 'ms',
    min: 1000,
    max: DAY_MS,
    default: DEFAULT_CORE_SETTINGS.quietSubscriberMs,
  }),
  connectionGraceMs: integerOption({
    group: 'Registry',
    doc: 'How long the instances of a connection stay after a restart for their client to come back.',
    unit: 'ms',
    min: 0,
    max: 10 * MINUTE_MS,
    default: DEFAULT_CORE_SETTINGS.connectionGraceMs,
  }),

  confirmDead: choiceOption({
    group: 'Registry',
    doc: 'Whether an instance that missed a beat is unhealthy at once when its own port refuses a connection; silence never counts.',
    words: ['on', 'off'],
    default: 'off',
  }),
  confirmDeadProxies: listOption({
    group: 'Registry',
    doc: 'Addresses of proxies, whose ports say nothing of the instances behind; these are not asked by confirmDead.',
    placeholder: 'subnets',
    allowed: 'IP addresses and subnets such as "192.0.2.0/24", separated by commas',
    default: [],
    isAllowed: (text) => readSubnet(text) !== undefined,
  }),

  ledger: choiceOption({
    group: 'Ledger',
    doc: 'Whether a history of instances and pushes is kept, so that "rollcall why" can say where the time went.',
    words: ['on', 'off'],
    default: 'on',
  }),
  ledgerBytes: integerOption({
    group: 'Ledger',
    doc: 'History in memory, all services together; beyond it the oldest is dropped.',
    unit: 'bytes',
    min: 64 * 1024,
    max: 4 * 1024 * 1024 * 1024,
    default: DEFAULT_LEDGER_BOUNDS.bytes,
  }),
  ledgerServiceBytes: integerOption({
    group: 'Ledger',
    doc: 'History of one service in memory; beyond it the oldest quarter is dropped.',
    unit: 'bytes',
    min: 16 * 1024,
    max: 1024 * 1024 * 1024,
    default: DEFAULT_LEDGER_BOUNDS.serviceBytes,
  }),
  ledgerInstanceBytes: integerOption({
    group: 'Ledger',
    doc: 'History of one instance or of one subscriber in a service; beyond it the older half is dropped.',
    unit: 'bytes',
    min: 1024,
    max: 64 * 1024 * 1024,
    default: DEFAULT_LEDGER_BOUNDS.subjectBytes,
  }),
  ledgerDiskBytes: integerOption({
    group: 'Ledger',
    doc: 'History on disk, kept over restarts; beyond it the oldest file is deleted. 0 keeps none.',
    unit: 'bytes',
    min: 0,
    max: 64 * 1024 * 1024 * 1024,
    default: 64 * 1024 * 1024,
  }),

  ...limitOptions,
} as const;

/** Key of an option. */
export type OptionKey = keyof typeof OPTIONS;

/** A complete configuration. */
export type Config = { readonly [K in OptionKey]: ValueOf<(typeof OPTIONS)[K]> };

/** All keys, in the order of the table. */
export const OPTION_KEYS = Object.keys(OPTIONS) as readonly OptionKey[];

/** The flag of an option: `dataDir` is `--data-dir`. */
export function flagOf(key: OptionKey): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The environment variable of an option: `dataDir` is `ROLLCALL_DATA_DIR`. */
export function variableOf(key: OptionKey): string {
  return `ROLLCALL_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** The durations of the core out of a configuration. */
export function coreSettingsOf(config: Config): CoreSettings {
  const { lateBeats: _, ...durations } = DEFAULT_CORE_SETTINGS;
  const keys = Object.keys(durations) as readonly (keyof typeof durations)[];
  return {
    ...(Object.fromEntries(keys.map((key) => [key, config[key]])) as unknown as typeof durations),
    lateBeats: config.ledger === 'on' || config.confirmDead === 'on' ? 'reported' : 'ignored',
  };
}

/** The bounds of the history out of a configuration. */
export function ledgerBoundsOf({ ledgerBytes, ledgerServiceBytes, ledgerInstanceBytes }: Config): LedgerBounds {
  return { bytes: ledgerBytes, serviceBytes: ledgerServiceBytes, subjectBytes: ledgerInstanceBytes };
}

/** The settings of the HTTP side out of a configuration. */
export function httpSettingsOf(config: Config): HttpSettings {
  return {
    ...DEFAULT_HTTP_SETTINGS,
    headBytes: config.limitRequestHeadBytes,
    bodyBytes: config.limitRequestBodyBytes,
    connections: config.httpConnections,
    idleMs: config.httpIdleMs,
    headMs: config.httpHeadMs,
    bodyMs: config.httpBodyMs,
    unreadMs: config.httpUnreadMs,
    pipelinedRequests: config.httpPipelinedRequests,
    unsentBytes: config.httpUnsentBytes,
    allowedOrigins: config.allowedOrigins,
  };
}
