// Setting or removing metadata keys on many instances of a service at once.
// Source: Nacos 1.4.8 InstanceController.batchUpdateInstanceMetadata and its DELETE; contract 4.6.

import { detached } from '../detached-text.js';
import type { InstanceAddress, InstanceKind, Metadata } from '../instance.js';
import { checkJsonParts } from '../json-parts.js';
import { jsonText } from '../json-text.js';
import { parseMetadata } from '../metadata-text.js';
import { PORT_MAX } from '../names.js';
import { isLooselyTrue, type Parameters } from '../parameters.js';
import { RegistryError } from '../registry-error.js';
import { DEFAULT_CLUSTER, type ServiceKey } from '../service-key.js';
import type { FormRules } from './instance-form.js';
import { readServiceKey } from './service-parameters.js';

/** An instance of a service: address and kind. */
export interface InstanceRef extends InstanceAddress {
  readonly kind: InstanceKind;
}

/** Which instances are meant: all of a kind, the named ones, or none. */
export type BatchTargets =
  | { readonly type: 'kind'; readonly kind: InstanceKind }
  | { readonly type: 'named'; readonly instances: readonly InstanceRef[] };

/** A batch request. PUT sets the entries; DELETE removes the keys, whatever their values. */
export interface MetadataBatchForm {
  /** Undefined when the name is malformed: then nothing is updated, and that is no error. */
  readonly service: ServiceKey | undefined;
  readonly metadata: Metadata;
  readonly targets: BatchTargets;
}

const NOTHING: BatchTargets = { type: 'named', instances: [] };

/**
 * Reads a batch request. An `instances` text that cannot be read, or an unknown kind, names nothing.
 *
 * @throws RegistryError without service name or metadata, for unreadable metadata, or for too many instances
 */
export function readMetadataBatchForm(parameters: Parameters, rules: FormRules): MetadataBatchForm {
  if (parameters.present('dom') === undefined) parameters.required('serviceName');
  const metadata = parseMetadata(detached(parameters.required('metadata')), rules.limits);
  return { service: readForgivingKey(parameters, rules), metadata, targets: readTargets(parameters, rules) };
}

/** Answer of both batch requests. */
export function metadataBatchJson(updated: readonly InstanceRef[]): string {
  return `{"updated":[${updated.map(refJson).join(',')}]}`;
}

function refJson(ref: InstanceRef): string {
  // 1.4.8 leaves the port out of the key of an instance when it is 0.
  const port = ref.port === 0 ? '' : `:${ref.port}`;
  return jsonText(`${ref.ip}${port}:unknown:${ref.cluster}:${ref.kind === 'ephemeral' ? 'ephemeral' : 'persist'}`);
}

function readForgivingKey(parameters: Parameters, rules: FormRules): ServiceKey | undefined {
  try {
    const key = readServiceKey(parameters);
    rules.names.checkService(key);
    return key;
  } catch (error) {
    // 1.4.8 answers an empty list to a malformed name; anything else is a fault.
    if (error instanceof RegistryError) return undefined;
    throw error;
  }
}

function readTargets(parameters: Parameters, rules: FormRules): BatchTargets {
  switch (parameters.optional('consistencyType', '')) {
    case '':
      return { type: 'named', instances: readInstanceRefs(parameters.optional('instances', ''), rules) ?? [] };
    case 'ephemeral':
      return { type: 'kind', kind: 'ephemeral' };
    case 'persist':
      return { type: 'kind', kind: 'persistent' };
    default:
      return NOTHING;
  }
}

/**
 * The instances that a JSON array names. One that cannot be read spoils the list, as it does in 1.4.8: half of what was asked
 * would surprise more.
 *
 * @returns undefined when the text cannot be read
 * @throws RegistryError `limit-exceeded` for too many
 */
export function readInstanceRefs(text: string, rules: FormRules): readonly InstanceRef[] | undefined {
  const list = arrayOf(text);
  if (list === undefined) return undefined;
  const allowed = rules.limits.batchInstances;
  if (list.length > allowed) {
    throw new RegistryError(
      'limit-exceeded',
      `Param 'instances' is illegal, found ${list.length} instances, allowed are ${allowed}`,
      {
        details: { parameter: 'instances', found: list.length, allowed },
      },
    );
  }
  const refs = list.map(refOf);
  return refs.every((ref) => ref !== undefined) ? refs : undefined;
}

function arrayOf(text: string): readonly unknown[] | undefined {
  checkJsonParts(text, "param 'instances'");
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    // The caller says what unreadable text means.
    return undefined;
  }
}

function refOf(value: unknown): InstanceRef | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { ip, port, clusterName, ephemeral } = value as Record<string, unknown>;
  const portNumber = Number(port ?? 0);
  if (typeof ip !== 'string' || !Number.isInteger(portNumber) || portNumber < 0 || portNumber > PORT_MAX)
    return undefined;
  return {
    ip,
    port: portNumber,
    cluster: typeof clusterName === 'string' && clusterName !== '' ? clusterName : DEFAULT_CLUSTER,
    kind:
      ephemeral === undefined || ephemeral === null || isLooselyTrue(String(ephemeral)) ? 'ephemeral' : 'persistent',
  };
}
