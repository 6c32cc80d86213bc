// `rollcall instances <service>`

import type { InstancesAnswer } from '@rollcall/server';
import { apiOf, type ServiceOptions, serviceParameters } from '../client-options.js';
import { instancesText } from '../shown-instances.js';
import type { Terminal } from '../terminal.js';

/** Prints all instances of a service, disabled and unhealthy ones too. */
export async function instances(service: string, options: ServiceOptions, terminal: Terminal): Promise<void> {
  const parameters = serviceParameters(service, options);
  const answer = await apiOf(options).json<InstancesAnswer>('GET', '/rollcall/v1/instances', parameters);
  if (options.json) terminal.print(JSON.stringify(answer));
  else if (answer.instances.length > 0) terminal.print(instancesText(answer, terminal, Date.now()));
  else terminal.note(`Service "${service}" has no instances`);
}
