// The entry `batch`: all switches at once, as a JSON object like the one that GET shows.
// Source: Nacos 1.4.8 SwitchManager.update; contract 10.2.

import { RegistryError } from '@rollcall/protocol';
import { DEFAULT_SWITCHES, type ProbeIntervals, type Switches } from '../../core/switches.js';
import { limitedUrl, SWITCH_READERS } from './switch-readers.js';

const MIN_MS_LEAST = 500;
const MAX_MS_LEAST = 3000;
const PROBES = ['httpHealthParams', 'tcpHealthParams', 'mysqlHealthParams'] as const;

type Json = Readonly<Record<string, unknown>>;

/**
 * The switches that a batch sets. Members that it does not have take their defaults; unknown ones are ignored;
 * `enableStandalone` and `pushCSharpVersion` keep their values whatever it says.
 *
 * @param text - JSON object
 * @param before - the switches in force
 * @throws RegistryError `invalid-parameter` for what is no such object, or a value that its switch cannot have
 */
export function batchOfSwitches(text: string, before: Switches): Switches {
  const json = objectIn(text);
  const { enableStandalone, pushCSharpVersion } = before;
  return {
    ...DEFAULT_SWITCHES,
    ...textMembers(json),
    ...probeMembers(json),
    limitedUrlMap: limitedUrls(json.limitedUrlMap),
    masters: masters(json.masters),
    enableStandalone,
    pushCSharpVersion,
  };
}

function textMembers(json: Json): Partial<Switches> {
  return Object.fromEntries(
    Object.entries(SWITCH_READERS)
      .filter(([member]) => member !== 'masters' && isGiven(json[member]))
      .map(([member, read]) => [member, read(textOf(member, json[member]))]),
  );
}

/** The bounds and texts of 1.4.8, which leaves MySQL unchecked. */
function probeMembers(json: Json): Pick<Switches, (typeof PROBES)[number]> {
  const httpHealthParams = intervals(json, 'httpHealthParams');
  const tcpHealthParams = intervals(json, 'tcpHealthParams');
  const mysqlHealthParams = intervals(json, 'mysqlHealthParams');
  checkIntervals([httpHealthParams, tcpHealthParams], 'http or tcp');
  checkIntervals([mysqlHealthParams], 'mysql');
  return { httpHealthParams, tcpHealthParams, mysqlHealthParams };
}

function checkIntervals(params: readonly ProbeIntervals[], checkers: string): void {
  if (params.some(({ min }) => min < MIN_MS_LEAST)) {
    throw refused(`min check time for ${checkers} is too small(<${MIN_MS_LEAST})`);
  }
  if (params.some(({ max }) => max < MAX_MS_LEAST)) {
    throw refused(`max check time for ${checkers} is too small(<${MAX_MS_LEAST})`);
  }
  if (params.some(({ factor }) => factor < 0 || factor > 1)) throw refused('malformed factor');
  if (params.some(({ min, max }) => min > max)) throw refused(`min check time for ${checkers} is above its max`);
}

function intervals(json: Json, member: (typeof PROBES)[number]): ProbeIntervals {
  const value = json[member];
  const defaults = DEFAULT_SWITCHES[member];
  if (!isGiven(value)) return defaults;
  if (!isObject(value)) throw notReadable(`"${member}" is no object`);
  const number = (name: keyof ProbeIntervals): number => {
    const found = value[name] ?? defaults[name];
    if (typeof found === 'number' && (name === 'factor' || Number.isInteger(found))) return found;
    throw notReadable(`"${member}.${name}" is no number`);
  };
  return { max: number('max'), min: number('min'), factor: number('factor') };
}

function limitedUrls(value: unknown): Switches['limitedUrlMap'] {
  if (!isGiven(value)) return {};
  if (!isObject(value)) throw notReadable('"limitedUrlMap" is no object');
  return Object.fromEntries(
    Object.keys(value).map((prefix) => limitedUrl(prefix, textOf(`limitedUrlMap.${prefix}`, value[prefix]))),
  );
}

function masters(value: unknown): Switches['masters'] {
  if (!isGiven(value)) return null;
  if (Array.isArray(value) && value.every((master): master is string => typeof master === 'string')) return value;
  throw notReadable('"masters" is no array of texts');
}

function objectIn(text: string): Json {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw notReadable('it is no JSON', cause);
  }
  if (isObject(value)) return value;
  throw notReadable('it is no JSON object');
}

function textOf(member: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw notReadable(`"${member.slice(0, 100)}" is no text, number or boolean`);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function notReadable(reason: string, cause?: unknown): RegistryError {
  const message = `Param 'value' is illegal, ${reason}, allowed are JSON objects with switches, as GET shows them`;
  return new RegistryError('invalid-parameter', message, { cause });
}

function refused(message: string): RegistryError {
  return new RegistryError('invalid-parameter', message);
}
