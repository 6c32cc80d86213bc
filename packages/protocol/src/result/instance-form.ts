// Requests about one instance on HTTP v2 and v3. Registering, updating, deregistering and (v3) reading share one form.
// Source: Nacos 2.5.1 InstanceForm, InstanceControllerV2, NamingUtils.checkInstanceIsLegal; 3.0.3 InstanceControllerV3;
// http-v2-v3 contract 5.2, 5.3, 7.1, 7.2.

import { detached } from '../detached-text.js';
import type {
  DeregisterForm,
  FormRules,
  InstanceEdit,
  InstanceTarget,
  PatchForm,
  UpdateForm,
} from '../http/instance-form.js';
import { keptServiceKey } from '../http/service-parameters.js';
import {
  DEFAULT_BEAT_INTERVAL_MS,
  type InstanceAddress,
  type InstanceKind,
  leaseTimesOf,
  type Metadata,
  NO_METADATA,
} from '../instance.js';
import { parseMetadata } from '../metadata-text.js';
import { checkWeightRange } from '../names.js';
import type { Parameters } from '../parameters.js';
import { RegistryError } from '../registry-error.js';
import { DEFAULT_CLUSTER } from '../service-key.js';
import { splitGroupedName } from '../service-name.js';
import { readTypedServiceKey } from './service-form.js';
import { TypedParameters } from './typed-parameters.js';

const CLUSTER = /^[0-9a-zA-Z-]+$/;

/** What a registration or an update (which has the same parameters) asks for. @throws RegistryError for the first thing that is missing or not allowed */
export function readTypedInstanceForm(parameters: Parameters, rules: FormRules): UpdateForm {
  const typed = new TypedParameters(parameters, 'form');
  const target = readTarget(typed);
  const [weight, enabled, healthy] = [typed.double('weight'), typed.boolean('enabled'), typed.boolean('healthy')];
  const kind = readKind(typed);
  const checkedWeight = checkWeightRange(weight ?? 1);
  const metadata = readMetadata(typed, rules);
  checkLegal(target.address, metadata ?? NO_METADATA);
  return {
    ...target,
    service: keptServiceKey(target.service),
    kind,
    content: {
      weight: checkedWeight,
      enabled: enabled ?? true,
      healthy: healthy ?? true,
      metadata: metadata ?? NO_METADATA,
      app: undefined,
    },
    edit: {
      ...(weight !== undefined && { weight: checkedWeight }),
      ...(enabled !== undefined && { enabled }),
      ...(metadata !== undefined && { metadata }),
    },
  };
}

/** Which registration is ended. @throws RegistryError as {@link readTypedInstanceForm}; a weight is looked at only where it is no number */
export function readTypedDeregisterForm(parameters: Parameters): DeregisterForm {
  const typed = new TypedParameters(parameters, 'form');
  const target = readTarget(typed);
  typed.double('weight');
  const kind = readKind(typed);
  checkLegal(target.address, NO_METADATA);
  return { ...target, kind };
}

/** Which instance is renewed or read (v3). @throws RegistryError for the first thing that is missing or not allowed */
export function readTypedInstanceTarget(parameters: Parameters): InstanceTarget {
  return readTarget(new TypedParameters(parameters, 'form'));
}

/** Which instance is read (v2). @throws RegistryError as {@link readTypedInstanceTarget}, with other texts */
export function readRequestedInstance(parameters: Parameters): InstanceTarget {
  return readTarget(new TypedParameters(parameters, 'request'));
}

/**
 * A partial update of v2: the name is grouped, the cluster is called `cluster`, and all but it must be there.
 *
 * @throws RegistryError for the first thing that is missing or not allowed
 */
export function readTypedPatchForm(parameters: Parameters, rules: FormRules): PatchForm {
  const typed = new TypedParameters(parameters, 'request');
  const serviceName = typed.requiredText('serviceName');
  const ip = typed.requiredText('ip');
  const cluster = typed.text('cluster') ?? DEFAULT_CLUSTER;
  const port = typed.requiredInt('port');
  const weight = checkWeightRange(typed.requiredDouble('weight'));
  const enabled = typed.requiredBoolean('enabled');
  typed.requiredText('metadata');
  const metadata = readMetadata(typed, rules) ?? NO_METADATA;
  splitGroupedName(serviceName);
  const service = readTypedServiceKey(typed);
  return {
    service,
    address: { ip, port, cluster },
    edit: { weight, enabled, metadata },
    healthy: undefined,
    app: undefined,
  };
}

/** A partial update of v3 (`/instance/partial`): weight and enabled that are not sent become 1 and true, metadata stays. @throws RegistryError as {@link readTypedInstanceForm} */
export function readTypedPartialForm(parameters: Parameters, rules: FormRules): PatchForm {
  const { service, address, content, edit } = readTypedInstanceForm(parameters, rules);
  return { service, address, edit: filledEdit(content, edit), healthy: undefined, app: undefined };
}

function filledEdit({ weight, enabled }: UpdateForm['content'], { metadata }: InstanceEdit): InstanceEdit {
  return { weight, enabled, ...(metadata !== undefined && { metadata }) };
}

function readTarget(typed: TypedParameters): InstanceTarget {
  const service = readTypedServiceKey(typed);
  const ip = detached(typed.requiredText('ip'));
  const port = typed.requiredInt('port');
  const cluster = typed.text('clusterName') ?? DEFAULT_CLUSTER;
  return { service, address: { ip, port, cluster: cluster === DEFAULT_CLUSTER ? DEFAULT_CLUSTER : detached(cluster) } };
}

function readKind(typed: TypedParameters): InstanceKind | undefined {
  const ephemeral = typed.boolean('ephemeral');
  return ephemeral === undefined ? undefined : ephemeral ? 'ephemeral' : 'persistent';
}

function readMetadata(typed: TypedParameters, rules: FormRules): Metadata | undefined {
  const text = typed.text('metadata');
  return text === undefined ? undefined : parseMetadata(detached(text), rules.limits);
}

function checkLegal({ cluster }: InstanceAddress, metadata: Metadata): void {
  const { beatIntervalMs = DEFAULT_BEAT_INTERVAL_MS, beatTimeoutMs, deleteTimeoutMs } = leaseTimesOf(metadata);
  if (beatTimeoutMs < beatIntervalMs || deleteTimeoutMs < beatIntervalMs) {
    throw illegal("Instance 'heart beat interval' must less than 'heart beat timeout' and 'ip delete timeout'.");
  }
  if (CLUSTER.test(cluster)) return;
  throw illegal(`Instance 'clusterName' should be characters with only 0-9a-zA-Z-. (current: ${cluster})`);
}

function illegal(message: string): RegistryError {
  return new RegistryError('invalid-instance', message);
}
