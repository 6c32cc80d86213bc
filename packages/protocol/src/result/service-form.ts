// Requests about a service on HTTP v2 and v3, and which service any request means.
// Source: Nacos 2.5.1 ServiceForm, ServiceControllerV2; 3.0.3 ServiceControllerV3; http-v2-v3 contract 5.4, 7.3.

import { detached } from '../detached-text.js';
import type { FormRules } from '../http/instance-form.js';
import { type Page, pageOf, type ServiceForm } from '../http/service-form.js';
import { keptServiceKey } from '../http/service-parameters.js';
import { type InstanceKind, NO_METADATA } from '../instance.js';
import { parseMetadata } from '../metadata-text.js';
import type { Parameters } from '../parameters.js';
import { RegistryError } from '../registry-error.js';
import { parseSelector } from '../selector.js';
import { DEFAULT_GROUP, DEFAULT_NAMESPACE, GROUP_SEPARATOR, type ServiceKey, serviceKey } from '../service-key.js';
import { splitGroupedName } from '../service-name.js';
import { type ParameterSource, TypedParameters } from './typed-parameters.js';

/** Entries of a page of `/v2/ns/service/list` at most. */
const NAMES_OF_PAGE_MAX = 500;

/** Settings of a service, with the kind that it is meant for. */
export interface TypedServiceForm extends ServiceForm {
  /** `persistent` when the request does not say. */
  readonly kind: InstanceKind;
}

/** A listing of service names (v2). */
export interface GroupListQuery extends Page {
  readonly namespace: string;
  readonly group: string;
}

/** A listing of services (v3): both patterns empty is everything in the namespace. */
export interface ServicePatternQuery extends Page {
  readonly namespace: string;
  readonly namePattern: string;
  readonly groupPattern: string;
  readonly withInstances: boolean;
  readonly ignoreEmpty: boolean;
}

/** A listing of subscribers (v3). */
export interface SubscriberQuery extends Page {
  readonly service: ServiceKey;
  /** Whether the other nodes of a cluster are asked, too. */
  readonly ofAllNodes: boolean;
}

/**
 * The service that a request names. A name that holds `@@` brings its group, as on v1.
 *
 * @throws RegistryError `missing-parameter` without a name
 */
export function readTypedServiceKey(typed: TypedParameters): ServiceKey {
  const serviceName = typed.requiredText('serviceName');
  const { group, name } = serviceName.includes(GROUP_SEPARATOR)
    ? splitGroupedName(serviceName)
    : { group: readGroup(typed), name: serviceName };
  return serviceKey(readTypedNamespace(typed), group, name);
}

/** The same for a request that names nothing else. @param source - which text a missing name gets @throws RegistryError `missing-parameter` without a name */
export function readNamedService(parameters: Parameters, source: ParameterSource): ServiceKey {
  return readTypedServiceKey(new TypedParameters(parameters, source));
}

/** Reads a creation or an update; what is not sent has its default. @throws RegistryError for the first thing that is missing or not allowed */
export function readTypedServiceForm(parameters: Parameters, rules: FormRules): TypedServiceForm {
  const typed = new TypedParameters(parameters, 'form');
  const service = keptServiceKey(readTypedServiceKey(typed));
  const ephemeral = typed.boolean('ephemeral') ?? false;
  const protectThreshold = typed.float('protectThreshold') ?? 0;
  const metadata = typed.text('metadata');
  return {
    service,
    kind: ephemeral ? 'ephemeral' : 'persistent',
    protectThreshold,
    metadata: metadata === undefined ? NO_METADATA : parseMetadata(detached(metadata), rules.limits),
    selector: parseSelector(typed.text('selector') ?? '', rules.limits),
  };
}

/** Reads a listing of names: page 1 of 20 without numbers, a page below 1 is the first. @throws RegistryError `invalid-parameter` */
export function readGroupListQuery(parameters: Parameters, rules: FormRules): GroupListQuery {
  const typed = new TypedParameters(parameters, 'request');
  const page = { pageNo: typed.int('pageNo') ?? 1, pageSize: typed.int('pageSize') ?? 20 };
  const pageSize = Math.min(rules.limits.pageSize, NAMES_OF_PAGE_MAX);
  return { ...pageOf(page, { pageSize }), namespace: readTypedNamespace(typed), group: readGroup(typed) };
}

/** Reads a listing by pattern: page 1 of 100 without numbers. @throws RegistryError `invalid-parameter` for a page below 1 */
export function readServicePatternQuery(parameters: Parameters, rules: FormRules): ServicePatternQuery {
  const typed = new TypedParameters(parameters, 'form');
  return {
    ...readPositivePage(typed, rules),
    namespace: readTypedNamespace(typed),
    namePattern: typed.text('serviceNameParam') ?? '',
    groupPattern: typed.text('groupNameParam') ?? '',
    withInstances: typed.boolean('withInstances') ?? false,
    ignoreEmpty: typed.boolean('ignoreEmptyService') ?? false,
  };
}

/** Reads a listing of subscribers: page 1 of 100 without numbers. @throws RegistryError without a name, or for a page below 1 */
export function readSubscriberQuery(parameters: Parameters, rules: FormRules): SubscriberQuery {
  const typed = new TypedParameters(parameters, 'form');
  const service = readTypedServiceKey(typed);
  const ofAllNodes = typed.boolean('aggregation') ?? true;
  return { service, ofAllNodes, ...readPositivePage(typed, rules) };
}

/** The namespace that a request names; `public` when absent or blank. */
export function readTypedNamespace(typed: TypedParameters): string {
  return typed.text('namespaceId') ?? DEFAULT_NAMESPACE;
}

function readGroup(typed: TypedParameters): string {
  return typed.text('groupName') ?? DEFAULT_GROUP;
}

function readPositivePage(typed: TypedParameters, rules: FormRules): Page {
  const pageNo = positive('pageNo', typed.int('pageNo') ?? 1);
  const pageSize = positive('pageSize', typed.int('pageSize') ?? 100);
  return pageOf({ pageNo, pageSize }, rules.limits);
}

function positive(name: string, value: number): number {
  if (value >= 1) return value;
  const message = `Required parameter '${name}' should be positive integer, current is ${value}`;
  throw new RegistryError('invalid-parameter', message, { details: { parameter: name } });
}
