// The heartbeat of v1: a light one names an instance, a full one carries it, so that the server can register it again.
// Source: Nacos 1.4.8 InstanceController.beat, RsInfo, ClientBeatProcessor, NamingResponseCode; contract 5.

import { detached } from '../detached-text.js';
import { type InstanceContent, type InstanceKind, type Metadata, NO_METADATA } from '../instance.js';
import { parseJavaDouble } from '../java-number.js';
import { isBlank } from '../java-text.js';
import { checkJsonParts } from '../json-parts.js';
import { checkMetadata, type MetadataLimits } from '../metadata-text.js';
import { checkPort, clampWeight, portOf } from '../names.js';
import { isLooselyTrue, type Parameters } from '../parameters.js';
import { RegistryError } from '../registry-error.js';
import { DEFAULT_CLUSTER } from '../service-key.js';
import type { FormRules, InstanceTarget } from './instance-form.js';
import { keptServiceKey, readServiceKey } from './service-parameters.js';

/** A beat that only names an instance; its ip may be empty and its port 0, then it is unknown. */
export interface LightBeat extends InstanceTarget {
  readonly type: 'light';
}

/** A beat that carries the instance. */
export interface FullBeat extends InstanceTarget {
  readonly type: 'full';
  readonly kind: InstanceKind;
  readonly content: InstanceContent;
}

/** Answer code: the instance is known, or was registered by this beat. */
export const BEAT_KNOWN_CODE = 10200;
/** Answer code: the instance is not known and the beat was light; the client registers again. */
export const BEAT_UNKNOWN_CODE = 20404;

/**
 * Reads a beat. The text `null` is a light beat; cluster, ip and port of the JSON replace the parameters, a blank cluster does not.
 *
 * @throws RegistryError for unreadable JSON, a missing ip in a full beat, or what is not allowed
 */
export function readBeat(parameters: Parameters, rules: FormRules): LightBeat | FullBeat {
  const text = parameters.present('beat');
  const json = text === undefined ? undefined : beatObjectOf(text);
  const portText = parameters.present('port');
  const port = portText === undefined ? 0 : portOf(portText);
  const service = readServiceKey(parameters);
  rules.names.checkService(service);
  const cluster = parameters.optional('clusterName', DEFAULT_CLUSTER);
  if (json === undefined)
    return { type: 'light', service, address: { ip: parameters.optional('ip', ''), port, cluster } };
  return fullBeat(service, json, { cluster, rules });
}

/**
 * Answer to a beat of a known instance.
 *
 * @param intervalMs - when the client should beat next: the instance's own interval or the switch
 * @param options - `lightBeats`: whether the client may leave out the instance (switch)
 */
export function beatKnownAnswer(intervalMs: number, options: { readonly lightBeats: boolean }): string {
  if (intervalMs === 5000 && options.lightBeats) return USUAL_KNOWN_ANSWER;
  return knownAnswer(intervalMs, options.lightBeats);
}

/** Answer to a light beat of an unknown instance. @param intervalMs - the switch's interval */
export function beatUnknownAnswer(intervalMs: number): string {
  return intervalMs === 5000 ? USUAL_UNKNOWN_ANSWER : unknownAnswer(intervalMs);
}

/** The same as v2 gives it: with the switch for light beats. */
export function beatUnknownAnswerWithLight(intervalMs: number, options: { readonly lightBeats: boolean }): string {
  return `{"clientBeatInterval":${intervalMs},"code":${BEAT_UNKNOWN_CODE},"lightBeatEnabled":${options.lightBeats}}`;
}
function knownAnswer(intervalMs: number, lightBeats: boolean): string {
  return `{"clientBeatInterval":${intervalMs},"code":${BEAT_KNOWN_CODE},"lightBeatEnabled":${lightBeats}}`;
}

function unknownAnswer(intervalMs: number): string {
  return `{"clientBeatInterval":${intervalMs},"code":${BEAT_UNKNOWN_CODE}}`;
}

const USUAL_KNOWN_ANSWER = knownAnswer(5000, true);
const USUAL_UNKNOWN_ANSWER = unknownAnswer(5000);

/** Members of a beat's JSON, none of them trusted. */
interface BeatJson {
  readonly ip?: unknown;
  readonly port?: unknown;
  readonly cluster?: unknown;
  readonly weight?: unknown;
  readonly metadata?: unknown;
  readonly ephemeral?: unknown;
}

function fullBeat(
  service: InstanceTarget['service'],
  json: BeatJson,
  context: { readonly cluster: string; readonly rules: FormRules },
): FullBeat {
  const { names, limits } = context.rules;
  const ip = scalarText(json.ip, 'ip');
  if (isBlank(ip))
    throw new RegistryError('missing-parameter', "Param 'ip' is required.", { details: { parameter: 'ip' } });
  const clusterInJson = scalarText(json.cluster, 'cluster').trim();
  const cluster = clusterInJson === '' ? detached(context.cluster) : clusterInJson;
  const address = { ip: ip.trim(), port: portIn(json.port), cluster };
  names.checkNewService(service);
  names.checkIp(address.ip);
  names.checkNewCluster(cluster);
  const content: InstanceContent = {
    weight: weightIn(json.weight),
    enabled: true,
    healthy: true,
    metadata: metadataIn(json.metadata, limits),
    app: undefined,
  };
  return { type: 'full', service: keptServiceKey(service), address, kind: kindIn(json.ephemeral), content };
}

function beatObjectOf(text: string): BeatJson | undefined {
  checkJsonParts(text, "param 'beat'");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw unreadable('it is no JSON', cause);
  }
  if (value === null) return undefined;
  if (typeof value === 'object' && !Array.isArray(value)) return value;
  throw unreadable('it is no JSON object');
}

/** A missing weight is 0, as the field of a Java object is. */
function weightIn(value: unknown): number {
  if (typeof value === 'number') return clampWeight(value);
  const text = scalarText(value, 'weight').trim();
  if (text === '') return 0;
  const weight = parseJavaDouble(text);
  if (weight === undefined) throw unreadable(`"weight" is no number, found "${text.slice(0, 100)}"`);
  return clampWeight(weight);
}

function portIn(value: unknown): number {
  if (typeof value === 'number') return checkPort(value);
  const text = scalarText(value, 'port').trim();
  return text === '' ? 0 : portOf(text);
}

function kindIn(value: unknown): InstanceKind {
  if (value === undefined || value === null || value === true) return 'ephemeral';
  return isLooselyTrue(scalarText(value, 'ephemeral')) ? 'ephemeral' : 'persistent';
}

function metadataIn(value: unknown, limits: MetadataLimits): Metadata {
  if (value === undefined || value === null) return NO_METADATA;
  if (typeof value !== 'object' || Array.isArray(value)) throw unreadable('"metadata" is no object');
  const metadata = new Map<string, string>();
  for (const key of Object.keys(value)) {
    const entry = (value as Record<string, unknown>)[key];
    if (entry !== null) metadata.set(key, typeof entry === 'string' ? entry : scalarText(entry, `metadata.${key}`));
  }
  if (metadata.size === 0) return NO_METADATA;
  checkMetadata(metadata, limits);
  return metadata;
}

function scalarText(value: unknown, member: string): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'boolean':
      return String(value);
    default:
      if (value === undefined || value === null) return '';
      throw unreadable(`"${member.slice(0, 100)}" is no text or number`);
  }
}

function unreadable(reason: string, cause?: unknown): RegistryError {
  return new RegistryError(
    'malformed-request',
    `Param 'beat' is illegal, ${reason}, allowed are JSON objects with ip and port`,
    {
      details: { parameter: 'beat' },
      cause,
    },
  );
}
