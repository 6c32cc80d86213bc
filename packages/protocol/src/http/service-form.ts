// Requests about a service and its clusters on v1: create, update, name, list, and the checker of a cluster.
// Source: Nacos 1.4.8 ServiceController, ClusterController; contract 7.1 to 7.7, 11.

import { detached } from '../detached-text.js';
import { type HealthChecker, parseHealthChecker } from '../health-checker.js';
import { type Metadata, NO_METADATA } from '../instance.js';
import type { Limits } from '../limits.js';
import { parseMetadata } from '../metadata-text.js';
import { portOf } from '../names.js';
import type { Parameters } from '../parameters.js';
import { RegistryError } from '../registry-error.js';
import { parseSelector, parseServiceListSelector, type Selector, type ServiceListSelector } from '../selector.js';
import { DEFAULT_GROUP, type ServiceKey } from '../service-key.js';
import type { FormRules } from './instance-form.js';
import { keptServiceKey, readNamespace, readServiceKey } from './service-parameters.js';

/** Settings of a service. What was not sent has its default: an update without metadata clears it. */
export interface ServiceForm {
  readonly service: ServiceKey;
  /** 32-bit float, never NaN or infinite. */
  readonly protectThreshold: number;
  readonly metadata: Metadata;
  readonly selector: Selector;
}

/** Settings of one cluster. What was not sent is cleared. */
export interface ClusterForm {
  readonly service: ServiceKey;
  readonly cluster: string;
  readonly checkPort: number;
  readonly useInstancePort: boolean;
  readonly healthChecker: HealthChecker;
  readonly metadata: Metadata;
}

/** A page of a listing, as asked for. */
export interface Page {
  /** 1 is the first; smaller counts as 1. */
  readonly pageNo: number;
  /** 0 to the limit. */
  readonly pageSize: number;
}

/** A listing of service names. */
export interface ServiceListQuery extends Page {
  readonly namespace: string;
  /** `*` for all groups. */
  readonly group: string;
  readonly selector: ServiceListSelector;
}

/** Reads a creation (POST). @throws RegistryError for the first thing that is missing or not allowed */
export function readCreateServiceForm(parameters: Parameters, rules: FormRules): ServiceForm {
  const service = keptServiceKey(readServiceKey(parameters, 'bound'));
  const protectThreshold = parameters.boundFloat('protectThreshold', 0);
  const form = { service, protectThreshold, ...readSettings(parameters, rules) };
  rules.names.checkNewService(service);
  return form;
}

/** Reads an update (PUT): the threshold must be there, and text that is no number counts as 0. @throws RegistryError for the first thing that is missing or not allowed */
export function readUpdateServiceForm(parameters: Parameters, rules: FormRules): ServiceForm {
  const service = keptServiceKey(readServiceKey(parameters));
  const protectThreshold = parameters.requiredLenientFloat('protectThreshold');
  rules.names.checkService(service);
  return { service, protectThreshold, ...readSettings(parameters, rules) };
}

/** Reads the settings of a cluster (PUT `/cluster`). @throws RegistryError for the first thing that is missing or not allowed */
export function readClusterForm(parameters: Parameters, rules: FormRules): ClusterForm {
  const cluster = detached(parameters.required('clusterName'));
  const service = keptServiceKey(readServiceKey(parameters));
  const checkPort = portOf(parameters.required('checkPort'), 'checkPort');
  parameters.required('useInstancePort4Check');
  const useInstancePort = parameters.looseBoolean('useInstancePort4Check', false);
  const healthChecker = parseHealthChecker(parameters.required('healthChecker'), rules.limits);
  const metadata = metadataOf(parameters, rules);
  rules.names.checkNewService(service);
  rules.names.checkNewCluster(cluster);
  return { service, cluster, checkPort, useInstancePort, healthChecker, metadata };
}

/** Reads a listing of service names (GET `/service/list`). @throws RegistryError without page numbers, for a negative size, or a selector that cannot be read */
export function readServiceListQuery(parameters: Parameters, rules: FormRules): ServiceListQuery {
  const pageNo = parameters.requiredLenientInt('pageNo');
  const pageSize = parameters.requiredLenientInt('pageSize');
  const selector = parseServiceListSelector(parameters.optional('selector', ''), rules.limits);
  const group = parameters.optional('groupName', DEFAULT_GROUP);
  return { ...pageOf({ pageNo, pageSize }, rules.limits), namespace: readNamespace(parameters), group, selector };
}

/** Brings page numbers into range: a page below 1 is the first, a size above the limit is the limit. @throws RegistryError `invalid-parameter` for a negative size */
export function pageOf(page: Page, limits: Pick<Limits, 'pageSize'>): Page {
  if (page.pageSize < 0) {
    throw new RegistryError('invalid-parameter', `fromIndex(0) > toIndex(${page.pageSize})`, {
      details: { parameter: 'pageSize' },
    });
  }
  return { pageNo: Math.max(1, page.pageNo), pageSize: Math.min(page.pageSize, limits.pageSize) };
}

function readSettings(parameters: Parameters, rules: FormRules): Pick<ServiceForm, 'metadata' | 'selector'> {
  const metadata = metadataOf(parameters, rules);
  const selector = parseSelector(parameters.optional('selector', ''), rules.limits);
  return { metadata, selector };
}

function metadataOf(parameters: Parameters, rules: FormRules): Metadata {
  const text = parameters.present('metadata');
  return text === undefined ? NO_METADATA : parseMetadata(detached(text), rules.limits);
}
