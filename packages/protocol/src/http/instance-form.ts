// Requests about one instance on v1: register, update, deregister, patch, read.
// Source: Nacos 1.4.8 InstanceController.parseInstance, register, update, deregister, patch, detail; contract 4.1 to 4.5.

import { detached } from '../detached-text.js';
import type { InstanceAddress, InstanceContent, InstanceKind, Metadata } from '../instance.js';
import { NO_METADATA } from '../instance.js';
import type { Limits } from '../limits.js';
import { parseMetadata } from '../metadata-text.js';
import { checkWeight, type NameRules, portOf } from '../names.js';
import type { Parameters } from '../parameters.js';
import { DEFAULT_CLUSTER, type ServiceKey } from '../service-key.js';
import { keptServiceKey, readServiceKey } from './service-parameters.js';

/** What forms are checked against. Made once per server. */
export interface FormRules {
  readonly names: NameRules;
  readonly limits: Limits;
}

/** Which instance a request means. */
export interface InstanceTarget {
  readonly service: ServiceKey;
  readonly address: InstanceAddress;
}

/** Target and kind of a request that ends a registration. */
export interface DeregisterForm extends InstanceTarget {
  /** Undefined when the request does not say; then the switch `defaultInstanceEphemeral` decides. */
  readonly kind: InstanceKind | undefined;
}

/** A registration: every field that was not sent has its default. */
export interface RegisterForm extends DeregisterForm {
  readonly content: InstanceContent;
}

/** Fields that a request carries, and so the ones an operator edits. Absent means not sent. */
export interface InstanceEdit {
  readonly weight?: number;
  readonly enabled?: boolean;
  readonly metadata?: Metadata;
}

/** An update: the whole content with defaults for what was not sent, and which fields were. */
export interface UpdateForm extends RegisterForm {
  readonly edit: InstanceEdit;
}

/** A partial update: only what was sent. It does not name a kind; persistent instances are looked for first. */
export interface PatchForm extends InstanceTarget {
  /** Metadata here replaces the whole map. */
  readonly edit: InstanceEdit;
  readonly healthy: boolean | undefined;
  readonly app: string | undefined;
}

/** Application of a registration that names none. */
export const DEFAULT_APP = 'DEFAULT';

/** Reads a registration. @throws RegistryError for the first thing that is missing or not allowed, in the order of 1.4.8 */
export function readRegisterForm(parameters: Parameters, rules: FormRules): RegisterForm {
  const service = keptServiceKey(readServiceKey(parameters));
  const target = { service, address: readAddress(parameters), kind: readKind(parameters) };
  const content = readContent(parameters, rules);
  checkNewTarget(target, rules);
  return { ...target, content };
}

/** Reads an update: parameters and checks of a registration. @throws RegistryError as {@link readRegisterForm} */
export function readUpdateForm(parameters: Parameters, rules: FormRules): UpdateForm {
  const form = readRegisterForm(parameters, rules);
  return { ...form, edit: editOf(parameters, form.content) };
}

/** Reads a deregistration. Weight is read although nothing uses it: 1.4.8 refuses a bad one. @throws RegistryError for the first thing that is missing or not allowed */
export function readDeregisterForm(parameters: Parameters, rules: FormRules): DeregisterForm {
  const address = readAddress(parameters);
  parameters.double('weight', 1);
  const target = { service: readServiceKey(parameters), address, kind: readKind(parameters) };
  rules.names.checkService(target.service);
  rules.names.checkIp(address.ip);
  rules.names.checkNewCluster(address.cluster);
  return target;
}

/** Reads a partial update; everything is checked before anything is changed. @throws RegistryError for the first thing that is missing or not allowed */
export function readPatchForm(parameters: Parameters, rules: FormRules): PatchForm {
  const target = { service: readServiceKey(parameters), address: readAddress(parameters) };
  checkTarget(target, rules);
  const app = parameters.present('app');
  if (app !== undefined) rules.names.checkApp(app);
  return {
    ...target,
    edit: readEdit(parameters, rules),
    healthy: parameters.present('healthy') === undefined ? undefined : parameters.looseBoolean('healthy', true),
    app: app === undefined ? undefined : detached(app),
  };
}

/** Reads which instance is asked for (GET, no `cluster` alias). @throws RegistryError for the first thing that is missing or not allowed */
export function readInstanceTarget(parameters: Parameters, rules: FormRules): InstanceTarget {
  const service = readServiceKey(parameters);
  const ip = parameters.required('ip');
  const port = portOf(parameters.required('port'));
  const target = { service, address: { ip, port, cluster: parameters.optional('clusterName', DEFAULT_CLUSTER) } };
  checkTarget(target, rules);
  return target;
}

function readAddress(parameters: Parameters): InstanceAddress {
  const ip = detached(parameters.required('ip'));
  const port = portOf(parameters.required('port'));
  const cluster = parameters.present('clusterName') ?? parameters.optional('cluster', DEFAULT_CLUSTER);
  return { ip, port, cluster: cluster === DEFAULT_CLUSTER ? DEFAULT_CLUSTER : detached(cluster) };
}

function readKind(parameters: Parameters): InstanceKind | undefined {
  if (parameters.present('ephemeral') === undefined) return undefined;
  return parameters.looseBoolean('ephemeral', true) ? 'ephemeral' : 'persistent';
}

function readContent(parameters: Parameters, rules: FormRules): InstanceContent {
  const weight = parameters.double('weight', 1);
  const metadata = readMetadata(parameters, rules) ?? NO_METADATA;
  const app = parameters.optional('app', DEFAULT_APP);
  rules.names.checkApp(app);
  return {
    weight: checkWeight(weight),
    enabled: parameters.looseBoolean('enabled', parameters.looseBoolean('enable', true)),
    healthy: parameters.looseBoolean('healthy', true),
    metadata,
    app: app === DEFAULT_APP ? DEFAULT_APP : detached(app),
  };
}

function readMetadata(parameters: Parameters, rules: FormRules): Metadata | undefined {
  const text = parameters.present('metadata');
  return text === undefined ? undefined : parseMetadata(detached(text), rules.limits);
}

/** The fields of a whole content that its request carried. */
function editOf(parameters: Parameters, content: InstanceContent): InstanceEdit {
  const sent = (name: string): boolean => parameters.present(name) !== undefined;
  return {
    ...(sent('weight') && { weight: content.weight }),
    ...((sent('enabled') || sent('enable')) && { enabled: content.enabled }),
    ...(sent('metadata') && { metadata: content.metadata }),
  };
}

function readEdit(parameters: Parameters, rules: FormRules): InstanceEdit {
  const metadata = readMetadata(parameters, rules);
  const weight = parameters.present('weight') === undefined ? undefined : checkWeight(parameters.double('weight', 1));
  const enabled = parameters.present('enabled') === undefined ? undefined : parameters.looseBoolean('enabled', true);
  return {
    ...(weight !== undefined && { weight }),
    ...(enabled !== undefined && { enabled }),
    ...(metadata !== undefined && { metadata }),
  };
}

function checkTarget(target: InstanceTarget, rules: FormRules): void {
  rules.names.checkService(target.service);
  rules.names.checkIp(target.address.ip);
  rules.names.checkQueriedCluster(target.address.cluster);
}

function checkNewTarget(target: InstanceTarget, rules: FormRules): void {
  rules.names.checkNewService(target.service);
  rules.names.checkIp(target.address.ip);
  rules.names.checkNewCluster(target.address.cluster);
}
