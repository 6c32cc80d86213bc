// Registered instances as targets of Prometheus: `/prometheus`, by namespace, by service. Source: Nacos 2.5.1
// PrometheusController, PrometheusUtils; ops contract 4.4. Metadata becomes labels of a scraper's targets, so whoever registers
// must not be able to steer the scraper by it.

import { hostPortText, jsonText, type Metadata, shownServiceName } from '@rollcall/protocol';
import type { InstanceView, ServiceView } from '../../core/service-view.js';
import { jsonBody } from '../http/answer-description.js';
import { arrayOf, mapOf, objectOf, STRING } from '../http/answer-schema.js';
import { type HttpAnswer, JSON_TYPE } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Route, RouteDescription } from '../http/route.js';
import { slicedJsonArray } from '../http/sliced-json.js';
import type { SortedServices } from '../listings/sorted-services.js';

const ROOT = '/prometheus';
/** Labels that say how a target is scraped, or which one it is. */
const RESERVED = new Set(['job', 'instance']);

const TARGETS_BODY = jsonBody(arrayOf(objectOf({ targets: arrayOf(STRING), labels: mapOf(STRING) })));

type Form = 'scrape-targets all' | 'scrape-targets healthy';

/** The routes. */
export function scrapeTargetRoutes(sorted: SortedServices): readonly Route[] {
  const healthyOnly = {
    name: 'healthyOnly',
    description: 'Leave out unhealthy and disabled ones',
    type: 'boolean',
    defaultValue: 'false',
  } as const;
  const route = (path: string, what: string): Route => ({
    method: 'GET',
    path,
    summary: `${what} for the http_sd_configs of Prometheus`,
    produces: TARGETS_BODY,
    parameters: [...namesIn(path), healthyOnly],
    handle: (request) => targets(sorted, request),
  });
  return [
    route(ROOT, 'All instances'),
    route(`${ROOT}/namespaceId/{namespaceId}`, 'The instances of a namespace'),
    route(`${ROOT}/namespaceId/{namespaceId}/service/{service}`, 'The instances of a service in all its groups'),
  ];
}

function namesIn(path: string): NonNullable<RouteDescription['parameters']> {
  const known = { namespaceId: 'Namespace, in the path', service: 'Bare name of the service, in the path' };
  return Object.entries(known)
    .filter(([name]) => path.includes(`{${name}}`))
    .map(([name, description]) => ({ name, description, required: true }));
}

/** The list of a service is kept with its view: scrapers ask again and again, and most services have not changed. */
async function targets(sorted: SortedServices, { path, parameters }: HttpRequest): Promise<HttpAnswer> {
  const [, , , namespace, , service] = path.split('/');
  const form: Form = parameters.boundBoolean('healthyOnly') ? 'scrape-targets healthy' : 'scrape-targets all';
  const services = namespace === undefined ? sorted.all() : sorted.of(namespace);
  const body = await slicedJsonArray(services, (each) => {
    const isWanted = service === undefined || shownServiceName(each.key.name) === service;
    if (!isWanted || each.instanceCount === 0) return '';
    const view = each.view();
    return view.prepared(form, () => targetsJson(view, form));
  });
  return { status: 200, contentType: JSON_TYPE, body };
}

function targetsJson(view: ServiceView, form: Form): string {
  const all = form === 'scrape-targets all';
  const hosts = all ? view.hosts : view.hosts.filter(({ healthy, enabled }) => healthy && enabled);
  return hosts.map((host) => targetJson(view, host)).join(',');
}

function targetJson({ key }: ServiceView, host: InstanceView): string {
  const labels = new Map([
    ['__meta_clusterName', host.cluster],
    ['__meta_nacos_namespace', key.namespace],
    ['__meta_nacos_group', key.group],
    ['__meta_nacos_service', shownServiceName(key.name)],
    ['__meta_nacos_healthy', String(host.healthy)],
    ['__meta_nacos_enabled', String(host.enabled)],
  ]);
  addMetadata(labels, host.metadata);
  const members = Array.from(labels, ([name, value]) => `${jsonText(name)}:${jsonText(value)}`);
  return `{"targets":[${jsonText(hostPortText(host.ip, host.port))}],"labels":{${members.join(',')}}}`;
}

/** Keys become names that Prometheus takes. Those that would steer it are left out; of equal ones the first counts. */
function addMetadata(labels: Map<string, string>, metadata: Metadata): void {
  for (const [key, value] of metadata) {
    const name = key.replace(/[^a-zA-Z0-9_]/g, '_').replace(/^(?=[0-9])/, '_');
    if (name === '' || name.startsWith('__') || RESERVED.has(name) || labels.has(name)) continue;
    labels.set(name, value);
  }
}
