// Requests of operators on HTTP v2 and v3: health by hand, the checker of a cluster.
// Source: Nacos 2.5.1 UpdateHealthForm, 3.0.3 UpdateClusterForm; http-v2-v3 contract 5.6, 7.5.

import { detached } from '../detached-text.js';
import { parseHealthChecker } from '../health-checker.js';
import type { FormRules, InstanceTarget } from '../http/instance-form.js';
import type { ClusterForm } from '../http/service-form.js';
import { keptServiceKey } from '../http/service-parameters.js';
import { NO_METADATA } from '../instance.js';
import { parseMetadata } from '../metadata-text.js';
import { portOf } from '../names.js';
import type { Parameters } from '../parameters.js';
import { DEFAULT_CLUSTER } from '../service-key.js';
import { readTypedServiceKey } from './service-form.js';
import { TypedParameters } from './typed-parameters.js';

/** Health that an operator gives an instance. */
export interface HealthForm extends InstanceTarget {
  readonly healthy: boolean;
}

/** Reads health by hand. @throws RegistryError for the first thing that is missing or not allowed */
export function readHealthForm(parameters: Parameters): HealthForm {
  const typed = new TypedParameters(parameters, 'form');
  const healthy = typed.requiredBoolean('healthy');
  const service = readTypedServiceKey(typed);
  const ip = typed.requiredText('ip');
  const port = typed.requiredInt('port');
  return { healthy, service, address: { ip, port, cluster: typed.text('clusterName') ?? DEFAULT_CLUSTER } };
}

/** Reads the settings of a cluster; metadata that is not sent is cleared. @throws RegistryError for the first thing that is missing or not allowed */
export function readTypedClusterForm(parameters: Parameters, rules: FormRules): ClusterForm {
  const typed = new TypedParameters(parameters, 'form');
  const service = keptServiceKey(readTypedServiceKey(typed));
  const cluster = detached(typed.requiredText('clusterName'));
  const checkPort = portOf(String(typed.requiredInt('checkPort')), 'checkPort');
  const useInstancePort = typed.requiredBoolean('useInstancePort4Check');
  const healthChecker = parseHealthChecker(typed.requiredText('healthChecker'), rules.limits);
  const metadata = typed.text('metadata');
  rules.names.checkNewCluster(cluster);
  return {
    service,
    cluster,
    checkPort,
    useInstancePort,
    healthChecker,
    metadata: metadata === undefined ? NO_METADATA : parseMetadata(detached(metadata), rules.limits),
  };
}
