// How the value of each switch is read from text, with the checks and texts of Nacos. The same readers take single entries
// and the members of a batch, so that a batch cannot set what an entry refuses.

import { javaFloatText, parseJavaDouble, parseJavaInt, RegistryError } from '@rollcall/protocol';
import type { ServerStatus, Switches } from '../../core/switches.js';

/** Shorter than a client can mean: a value in seconds by mistake would make all clients beat without a pause. */
const BEAT_INTERVAL_MIN_MS = 100;
const VERSION = /^[0-9]+\.[0-9]+\.[0-9]+$/;
const STATUSES: readonly ServerStatus[] = ['STARTING', 'UP', 'DOWN', 'PAUSED', 'WRITE_ONLY', 'READ_ONLY'];
const ON: readonly string[] = ['true', 'on', 'yes', 'y', 't', '1'];
const OFF: readonly string[] = ['false', 'off', 'no', 'n', 'f', '0'];
/** Statuses that an answer can have. */
const STATUS_MIN = 200;
const STATUS_MAX = 599;

/** Switches that are one text. */
type TextSwitch = Exclude<
  keyof Switches,
  'httpHealthParams' | 'tcpHealthParams' | 'mysqlHealthParams' | 'limitedUrlMap'
>;

/** Readers by member; each throws RegistryError `invalid-parameter` for what its switch cannot be. */
export const SWITCH_READERS: { readonly [K in TextSwitch]: (text: string) => Switches[K] } = {
  clientBeatInterval: atLeast(BEAT_INTERVAL_MIN_MS, `clientBeatInterval is too small(<${BEAT_INTERVAL_MIN_MS})`),
  defaultCacheMillis: atLeast(1000, 'min default cache time  is too small(<1000)'),
  defaultPushCacheMillis: atLeast(10_000, 'min cache time for http or tcp is too small(<10000)'),
  distroThreshold: threshold,
  healthCheckEnabled: onOrOff,
  autoChangeHealthCheckEnabled: onOrOff,
  distroEnabled: onOrOff,
  enableStandalone: onOrOff,
  pushEnabled: onOrOff,
  checkTimes: atLeast(1, 'healthCheckTimes is too small(<1)'),
  serverStatusSynchronizationPeriodMillis: atLeast(
    1000,
    // The text of Nacos names another bound than the one it checks.
    'serverStatusSynchronizationPeriodMillis is too small(<15000)',
  ),
  serviceStatusSynchronizationPeriodMillis: atLeast(
    5000,
    'serviceStatusSynchronizationPeriodMillis is too small(<5000)',
  ),
  disableAddIP: onOrOff,
  sendBeatOnly: onOrOff,
  lightBeatEnabled: onOrOff,
  distroServerExpiredMillis: numberIn,
  pushGoVersion: version,
  pushJavaVersion: version,
  pushPythonVersion: version,
  pushCVersion: version,
  pushCSharpVersion: version,
  enableAuthentication: onOrOff,
  overriddenServerStatus: status,
  defaultInstanceEphemeral: onOrOff,
  masters: (text) => (text === '' ? null : text.split(',')),
};

/**
 * Reads `prefix:status,prefix:status`. What follows the last colon of a part is the status. An empty text is an empty map;
 * in 1.4.8 it changes nothing, so that a map once set could never be emptied.
 *
 * @throws RegistryError `invalid-parameter`
 */
export function limitedUrlsIn(text: string): Readonly<Record<string, number>> {
  const parts = text === '' ? [] : text.split(',');
  return Object.fromEntries(
    parts.map((part) => {
      const colon = part.lastIndexOf(':');
      if (colon < 0) throw refused('invalid input for limited urls');
      return limitedUrl(part.slice(0, colon), part.slice(colon + 1));
    }),
  );
}

/** Checks one prefix with its status. @param status - as text @throws RegistryError `invalid-parameter` */
export function limitedUrl(prefix: string, status: string): readonly [prefix: string, status: number] {
  if (prefix === '') throw refused('url can not be empty, url: ');
  const code = numberIn(status);
  if (code < STATUS_MIN || code > STATUS_MAX) throw refused(`illegal normal status code: ${code}`);
  return [prefix, code];
}

function atLeast(min: number, tooSmall: string): (text: string) => number {
  return (text) => {
    const value = numberIn(text);
    if (value < min) throw refused(tooSmall);
    return value;
  };
}

function numberIn(text: string): number {
  const value = parseJavaInt(text);
  if (value === undefined) throw refused(`For input string: "${shown(text)}"`);
  return value;
}

/** Nacos takes every word but "true" as off: a slip would silently stop all pushes. */
function onOrOff(text: string): boolean {
  const word = text.toLowerCase();
  if (ON.includes(word)) return true;
  if (OFF.includes(word)) return false;
  throw refused(`Param 'value' is illegal, found "${shown(text)}", allowed are ${[...ON, ...OFF].join(', ')}`);
}

function threshold(text: string): number {
  const value = parseJavaDouble(text);
  if (value === undefined) throw refused(`For input string: "${shown(text)}"`);
  // It is shown as a 32-bit number, so what is zero or infinite there is so.
  const shown32 = Math.fround(value);
  if (shown32 > 0 && Number.isFinite(shown32)) return value;
  throw refused(`distroThreshold can not be zero or negative: ${javaFloatText(value)}`);
}

function version(text: string): string {
  if (VERSION.test(text)) return text;
  throw refused('illegal version, must match: [0-9]+\\.[0-9]+\\.[0-9]+');
}

function status(text: string): ServerStatus | null {
  if (text === '' || text.toLowerCase() === 'null') return null;
  const found = STATUSES.find((known) => known === text);
  if (found !== undefined) return found;
  throw refused(
    `Param 'value' is illegal, found "${shown(text)}", allowed are ${STATUSES.join(', ')}, and null for none of them`,
  );
}

function refused(message: string): RegistryError {
  return new RegistryError('invalid-parameter', message);
}

function shown(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
