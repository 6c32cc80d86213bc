// `rollcall services`

import type { ServiceLine, ServicesAnswer } from '@rollcall/server';
import { apiOf, type ServiceOptions } from '../client-options.js';
import { servicesText } from '../shown-instances.js';
import type { Terminal } from '../terminal.js';

const PAGE_SIZE = 1000;

/** Prints the services of a namespace and group, `*` for all, page by page read and together printed. */
export async function services(options: ServiceOptions, terminal: Terminal): Promise<void> {
  const api = apiOf(options);
  const found: ServiceLine[] = [];
  for (let pageNo = 1; ; pageNo++) {
    const page = await api.json<ServicesAnswer>('GET', '/rollcall/v1/services', {
      namespaceId: options.namespace,
      groupName: options.group,
      pageNo,
      pageSize: PAGE_SIZE,
    });
    found.push(...page.services);
    if (page.services.length === 0 || found.length >= page.count) break;
  }
  if (options.json) terminal.print(JSON.stringify({ count: found.length, services: found }));
  else if (found.length > 0) terminal.print(servicesText(found, terminal));
  else terminal.note(`No services in namespace "${options.namespace}" of ${api.base}`);
}
