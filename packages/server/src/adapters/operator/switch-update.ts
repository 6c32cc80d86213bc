// What a PUT on one switch makes of the switches: reading, checking, nothing else. Texts of refusals are those of Nacos.
// Source: Nacos 1.4.8 SwitchManager.update, SwitchDomain, SwitchEntry; contract 10.2. Bounds that Nacos does not have are
// rows of docs/compatibility.md.

import { RegistryError } from '@rollcall/protocol';
import type { Switches } from '../../core/switches.js';
import { batchOfSwitches } from './switch-batch.js';
import { limitedUrlsIn, SWITCH_READERS } from './switch-readers.js';

/** Members whose entry has another name on the wire of PUT than in the object that GET shows. */
const MEMBER_OF_ENTRY = {
  pushCacheMillis: 'defaultPushCacheMillis',
  check: 'healthCheckEnabled',
  healthCheckTimes: 'checkTimes',
  distro: 'distroEnabled',
} as const;

/** Members whose entry has the same name. */
const ENTRIES = [
  'clientBeatInterval',
  'lightBeatEnabled',
  'pushEnabled',
  'defaultCacheMillis',
  'distroThreshold',
  'distroServerExpiredMillis',
  'serviceStatusSynchronizationPeriodMillis',
  'serverStatusSynchronizationPeriodMillis',
  'defaultInstanceEphemeral',
  'overriddenServerStatus',
  'masters',
  'disableAddIP',
  'sendBeatOnly',
  'autoChangeHealthCheckEnabled',
] as const;

const PUSH_VERSIONS: ReadonlyMap<string, keyof Switches> = new Map([
  ['java', 'pushJavaVersion'],
  ['python', 'pushPythonVersion'],
  ['c', 'pushCVersion'],
  ['go', 'pushGoVersion'],
  ['csharp', 'pushCSharpVersion'],
]);

type Update = (value: string, switches: Switches) => Partial<Switches>;

const UPDATES: ReadonlyMap<string, Update> = new Map<string, Update>([
  ...ENTRIES.map((entry) => [entry, updateOf(entry)] as const),
  ...Object.entries(MEMBER_OF_ENTRY).map(([entry, member]) => [entry, updateOf(member)] as const),
  ['pushVersion', pushVersion],
  ['limitedUrlMap', (value) => ({ limitedUrlMap: limitedUrlsIn(value) })],
  // The test in 1.4.8 is inverted, so that an empty value alone has an effect.
  ['enableStandalone', (value, { enableStandalone }) => ({ enableStandalone: value !== '' && enableStandalone })],
  ['batch', batchOfSwitches],
]);

/**
 * The switches after a PUT.
 *
 * @param entry - name of the entry; an unknown one changes nothing, as in Nacos
 * @param value - its new value as sent, not longer than a text may be
 * @returns the same object when the entry is unknown
 * @throws RegistryError `invalid-parameter` for a value that the entry cannot have
 */
export function switchUpdate(switches: Switches, entry: string, value: string): Switches {
  const update = UPDATES.get(entry);
  return update === undefined ? switches : { ...switches, ...update(value, switches) };
}

function updateOf<K extends keyof typeof SWITCH_READERS>(member: K): Update {
  return (value) => ({ [member]: SWITCH_READERS[member](value) });
}

function pushVersion(value: string): Partial<Switches> {
  const [type = '', version] = value.split(':');
  if (version === undefined) {
    const message = `Param 'value' is illegal, found "${value.slice(0, 200)}", allowed are a client type and a version such as "java:1.0.0"`;
    throw new RegistryError('invalid-parameter', message);
  }
  const read = SWITCH_READERS.pushJavaVersion(version);
  const member = PUSH_VERSIONS.get(type);
  if (member !== undefined) return { [member]: read };
  throw new RegistryError('invalid-parameter', `unsupported client type: ${type.slice(0, 200)}`, {
    details: { parameter: 'value', allowed: [...PUSH_VERSIONS.keys()].join(', ') },
  });
}
