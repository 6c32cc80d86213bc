// Instances of a service as v2 and v3 list them.

import { clientInstanceJson, jsonText, type ServiceKey, simpleInstanceId } from '@rollcall/protocol';
import { isConnection } from '../../core/publisher.js';
import type { InstanceView } from '../../core/service-view.js';

/** How hosts are shown. */
export interface HostForm {
  /** `all-healthy` while protection holds. Default `real`. */
  readonly health?: 'real' | 'all-healthy';
  /** `given`: only ids that the real servers would know, see {@link givenInstanceId}. Default `given`. */
  readonly ids?: 'given' | 'all';
}

/** The id of an instance that was given one: instances registered over HTTP v2 and v3 have none on the real servers. */
export function givenInstanceId(service: ServiceKey, host: InstanceView): string | undefined {
  const { instanceId } = host;
  return isConnection(host.publisher) || instanceId !== simpleInstanceId(host, service.grouped)
    ? instanceId
    : undefined;
}

/** One instance as JSON. */
export function hostJson(service: ServiceKey, host: InstanceView): string {
  return hostJsonIn(service, jsonText(service.grouped), host, {});
}

/** Instances as a JSON array. */
export function hostsJson(service: ServiceKey, hosts: readonly InstanceView[], form: HostForm = {}): string {
  const serviceNameJson = jsonText(service.grouped);
  return `[${hosts.map((host) => hostJsonIn(service, serviceNameJson, host, form)).join(',')}]`;
}

function hostJsonIn(service: ServiceKey, serviceNameJson: string, host: InstanceView, form: HostForm): string {
  return clientInstanceJson(host, {
    healthy: form.health === 'all-healthy' || host.healthy,
    serviceNameJson,
    instanceId: form.ids === 'all' ? host.instanceId : givenInstanceId(service, host),
  });
}
