// `rollcall deregister <service> <ip:port>`

import type { InstanceAnswer } from '@rollcall/server';
import { apiOf, type InstanceOptions, instanceParameters } from '../client-options.js';
import { CommandError } from '../command-error.js';
import { safeText } from '../table.js';
import type { Terminal } from '../terminal.js';

/**
 * Ends a registration and reads back. The server answers `ok` also when it has nothing to end, as Nacos does, so the
 * instance is looked up before and after.
 *
 * @throws CommandError `refused` when there is no such instance, `still-held` when another publisher holds it
 */
export async function deregister(
  service: string,
  address: string,
  options: InstanceOptions,
  terminal: Terminal,
): Promise<void> {
  const api = apiOf(options);
  const target = instanceParameters(service, address, options);
  const find = () => api.json<InstanceAnswer>('GET', '/rollcall/v1/instance', target);
  const { publishers: before } = await find();
  await api.text('DELETE', '/v1/ns/instance', target);
  const left = await find().catch((error: unknown) => {
    if (error instanceof CommandError && error.exit === 'refused') return undefined;
    throw error;
  });
  const publishers = left?.publishers ?? [];
  if (options.json) terminal.print(JSON.stringify({ deregistered: publishers.length === 0, publishers }));
  if (publishers.length > 0) {
    const holders = publishers.map((publisher) => `"${safeText(publisher)}"`).join(', ');
    const what = before.length > publishers.length ? 'The HTTP registration ended, but' : 'Nothing ended:';
    throw new CommandError('still-held', `${what} ${address} of ${service} is still held by ${holders}`);
  }
  if (!options.json) terminal.print(`Deregistered ${address} of ${service}`);
}
