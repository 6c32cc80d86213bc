// The instances of one service as `/rollcall/v1/instances` and the watch show them.

import type { ServiceKey } from '@rollcall/protocol';
import type { RegistryCore } from '../../core/registry-core.js';
import type { InstancesAnswer } from './own-answers.js';
import { instanceLine, serviceLine } from './shown-instance.js';

/** JSON of a service with all its instances, disabled and unhealthy ones too; `service` is null while there is no such service. */
export function serviceListJson(core: RegistryCore, key: ServiceKey): string {
  const service = core.service(key.id);
  const answer: InstancesAnswer = {
    namespaceId: key.namespace,
    groupName: key.group,
    serviceName: key.name,
    service: service === undefined ? null : serviceLine(service),
    version: service?.refTime ?? 0,
    instances: service?.records.map(instanceLine) ?? [],
  };
  return JSON.stringify(answer);
}
