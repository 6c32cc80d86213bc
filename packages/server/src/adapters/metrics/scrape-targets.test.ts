// Targets for Prometheus: form, what is chosen, and what metadata may not do.

import { Parameters, serviceKey } from '@rollcall/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { addressOf } from '../../core/instance-address.js';
import { CoreFixture, hostOf, metadataOf, serviceOf } from '../../testing/core-fixture.js';
import type { HttpRequest } from '../http/http-request.js';
import { RouteTable } from '../http/route-table.js';
import { SortedServices } from '../listings/sorted-services.js';
import { scrapeTargetRoutes } from './scrape-targets.js';

let fixture: CoreFixture;

beforeEach(() => {
  fixture = new CoreFixture();
});

/** In a registry that changes between questions only. */
function routes() {
  return scrapeTargetRoutes(new SortedServices({ core: fixture.core, onEvent: () => () => undefined }));
}

interface Target {
  readonly targets: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

async function ask(path: string, query = ''): Promise<readonly Target[]> {
  const lookup = new RouteTable(routes()).find(path);
  if (lookup.kind !== 'known') throw new Error(`There is no route for "${path}"`);
  const route = lookup.entry.routes.get('GET');
  if (route === undefined || route.stream === true) throw new Error('No answer');
  const request = { path: lookup.entry.path, parameters: new Parameters(query) } as HttpRequest;
  const answer = await route.handle(request);
  expect([answer.status, answer.contentType]).toEqual([200, 'application/json']);
  return JSON.parse(Buffer.from(answer.body).toString());
}

const addresses = async (path: string, query?: string) => (await ask(path, query)).flatMap(({ targets }) => targets);

it('one object per instance, with where it belongs, how it is, and its metadata', async () => {
  fixture.register(serviceKey('dev', 'g', 'orders'), hostOf(1, 'c1'), {
    enabled: false,
    metadata: metadataOf({ version: 'v1', 'preserved.register.source': 'SPRING_CLOUD' }),
  });
  expect(await ask('/nacos/prometheus')).toEqual([
    {
      targets: ['10.0.0.1:8080'],
      labels: {
        __meta_clusterName: 'c1',
        __meta_nacos_namespace: 'dev',
        __meta_nacos_group: 'g',
        __meta_nacos_service: 'orders',
        __meta_nacos_healthy: 'true',
        __meta_nacos_enabled: 'false',
        version: 'v1',
        preserved_register_source: 'SPRING_CLOUD',
      },
    },
  ]);
});

describe('what is chosen', () => {
  beforeEach(() => {
    fixture.register(serviceOf('b'), hostOf(1));
    fixture.register(serviceOf('b'), hostOf(2), { healthy: false });
    fixture.register(serviceOf('b'), hostOf(3), { enabled: false });
    fixture.register(serviceKey('public', 'g', 'b'), hostOf(4));
    fixture.register(serviceOf('a'), hostOf(5));
    fixture.register(serviceKey('dev', 'DEFAULT_GROUP', 'b'), addressOf('2001:db8::5', 80, 'DEFAULT'));
  });

  it.each([
    ['/nacos/prometheus', '', ['[2001:db8::5]:80', '.5', '.1', '.2', '.3', '.4']],
    ['/nacos/prometheus', 'healthyOnly=true', ['[2001:db8::5]:80', '.5', '.1', '.4']],
    ['/nacos/prometheus/namespaceId/public', '', ['.5', '.1', '.2', '.3', '.4']],
    ['/nacos/prometheus/namespaceId/public/service/b', '', ['.1', '.2', '.3', '.4']],
    ['/nacos/prometheus/namespaceId/dev/service/a', '', []],
    ['/nacos/prometheus/namespaceId/unknown', '', []],
  ])('%s?%s, in the same order each time', async (path, query, expected) => {
    const full = expected.map((short) => (short.startsWith('.') ? `10.0.0${short}:8080` : short));
    expect(await addresses(path, query)).toEqual(full);
    expect(await addresses(path, query)).toEqual(full);
  });

  it('follows every change', async () => {
    fixture.deregister(serviceOf('b'), hostOf(1));
    fixture.register(serviceOf('b'), hostOf(2));
    expect(await addresses('/prometheus/namespaceId/public/service/b', 'healthyOnly=true')).toEqual([
      '10.0.0.2:8080',
      '10.0.0.4:8080',
    ]);
  });
});

it('metadata cannot steer the scraper, and the first of equal names counts', async () => {
  const metadata = metadataOf({
    __scheme__: 'https',
    __metrics_path__: '/admin',
    __param_x: '1',
    '-_meta_nacos_service': 'other',
    job: 'other',
    instance: 'other',
    '': 'empty',
    'a.b': 'first',
    'a-b': 'second',
    a_b: 'third',
    '1st': 'digit',
    ключ: 'letters',
    quote: 'a"b\\c\nd',
  });
  fixture.register(serviceOf('s'), hostOf(1), { metadata });
  const [target] = await ask('/prometheus');
  const names = Object.keys(target?.labels ?? {}).filter((name) => !name.startsWith('__meta_'));
  expect(names).toEqual(['a_b', '_1st', 'quote']);
  expect(target?.labels).toMatchObject({ a_b: 'first', _1st: 'digit', quote: 'a"b\\c\nd', __meta_nacos_service: 's' });
});
