// Parameters that many routes share on every version of HTTP, described once for the API description.

import type { RouteParameter } from './route.js';

const NAMESPACE: RouteParameter = { name: 'namespaceId', description: 'Namespace', defaultValue: 'public' };
const GROUP: RouteParameter = {
  name: 'groupName',
  description: 'Group; does not count when serviceName holds one',
  defaultValue: 'DEFAULT_GROUP',
};
const CLUSTER: RouteParameter = { name: 'clusterName', description: 'Cluster', defaultValue: 'DEFAULT' };

/** Namespace alone. */
export const NAMESPACE_PARAMETERS: readonly RouteParameter[] = [NAMESPACE];

/** Which service is meant. */
export const SERVICE_PARAMETERS: readonly RouteParameter[] = [
  { name: 'serviceName', description: 'Service, bare or as group@@name', required: true },
  GROUP,
  NAMESPACE,
];

/** Which instance is meant. */
export const INSTANCE_PARAMETERS: readonly RouteParameter[] = [
  ...SERVICE_PARAMETERS,
  { name: 'ip', description: 'IP literal or host name', required: true },
  { name: 'port', description: '0 to 65535', type: 'integer', required: true },
  CLUSTER,
];

/** What is registered. */
export const CONTENT_PARAMETERS: readonly RouteParameter[] = [
  { name: 'weight', description: 'Share of calls, 0 to 10000', type: 'number', defaultValue: '1' },
  { name: 'enabled', description: 'Whether it is listed; also called enable', type: 'boolean', defaultValue: 'true' },
  { name: 'healthy', description: 'Health at registration', type: 'boolean', defaultValue: 'true' },
  {
    name: 'ephemeral',
    description: 'Kept alive by beats, or kept until removed',
    type: 'boolean',
    defaultValue: 'true',
  },
  { name: 'metadata', description: 'JSON object of scalars, or k=v,k2=v2' },
  { name: 'app', description: 'Name of the application', defaultValue: 'DEFAULT' },
];

/** Which page of a listing. */
export const PAGE_PARAMETERS: readonly RouteParameter[] = [
  { name: 'pageNo', description: 'Page, 1 is the first', type: 'integer', required: true },
  { name: 'pageSize', description: 'Entries of a page', type: 'integer', required: true },
];

/** The settings of a cluster. */
export const CLUSTER_PARAMETERS: readonly RouteParameter[] = [
  ...SERVICE_PARAMETERS,
  { name: 'clusterName', description: 'Cluster', required: true },
  { name: 'checkPort', description: 'Port that is probed, 0 to 65535', type: 'integer', required: true },
  {
    name: 'useInstancePort4Check',
    description: "Probe each instance's own port instead",
    type: 'boolean',
    required: true,
  },
  {
    name: 'healthChecker',
    description: 'JSON object with type TCP, HTTP, MYSQL or NONE',
    type: 'json',
    required: true,
  },
  { name: 'metadata', description: 'JSON object of scalars, or k=v,k2=v2; cleared when it is not sent' },
];
