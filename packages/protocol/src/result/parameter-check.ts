// What is looked at before a v2 or v3 handler reads anything: names, addresses and ports, whichever route they are sent to.
// Source: Nacos 2.5.1 ParamCheckerFilter, NamingDefaultHttpParamExtractor, DefaultParamChecker; http-v2-v3 contract 3.2.

import { isBlank, javaTrim } from '../java-text.js';
import { type NameRules, portOf } from '../names.js';
import type { Parameters } from '../parameters.js';
import { DEFAULT_GROUP, DEFAULT_NAMESPACE, GROUP_SEPARATOR, serviceKey } from '../service-key.js';

/** Stands for a service name that is not sent: the other names are checked all the same. */
const NOT_SENT = 'not-sent';

/**
 * Checks the parameters that every naming route of v2 and v3 shares. A refusal is answered as plain text, not in the envelope.
 *
 * @throws RegistryError `invalid-parameter` for the first one that is not allowed; what is missing is no concern here
 */
export function checkNamingParameters(parameters: Parameters, names: NameRules): void {
  const sent = (name: string): string | undefined => {
    const value = parameters.get(name);
    return value === undefined || isBlank(value) ? undefined : value;
  };
  const { group, name } = groupAndName(sent('serviceName'), sent('groupName'));
  names.checkService(serviceKey(sent('namespaceId') ?? DEFAULT_NAMESPACE, group, name));
  names.checkIp(sent('ip') ?? '');
  const port = sent('port');
  if (port !== undefined) portOf(javaTrim(port));
  const clusters = sent('clusterName') ?? sent('cluster') ?? '';
  for (const cluster of clusters.split(',')) if (cluster !== '') names.checkQueriedCluster(cluster);
}

function groupAndName(
  serviceName = NOT_SENT,
  groupName = DEFAULT_GROUP,
): { readonly group: string; readonly name: string } {
  const at = serviceName.indexOf(GROUP_SEPARATOR);
  if (at < 0) return { group: groupName, name: serviceName };
  return { group: serviceName.slice(0, at), name: serviceName.slice(at + GROUP_SEPARATOR.length) };
}
