// The metrics page of a whole server: complete, as documented, and true.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { METRIC_GROUPS } from '../../src/adapters/metrics/metric-catalog.js';
import { ServerFixture, type StartedServer } from './started-server.test-support.js';

const CATALOG = new Map(METRIC_GROUPS.flatMap(({ metrics }) => metrics).map((metric) => [metric.name, metric]));

const fixture = new ServerFixture();
let server: StartedServer;

beforeAll(async () => {
  server = await fixture.start();
  const instance = { serviceName: 's', ip: '10.0.0.1', port: '80' };
  for (let n = 0; n < 3; n++) await server.text('POST', '/nacos/v1/ns/instance', { ...instance, port: `${80 + n}` });
  await server.text('PUT', '/nacos/v1/ns/instance/beat', instance);
  await server.text('PUT', '/nacos/v1/ns/instance/beat', { ...instance, port: '1' });
  await server.text('POST', '/nacos/v1/ns/instance', { ...instance, port: '90', ephemeral: 'false' });
  await server.text('DELETE', '/nacos/v1/ns/instance', { ...instance, port: '82' });
  await server.text('GET', '/nacos/v1/ns/instance/list');
  await server.text('GET', '/nacos/nothing');
});
afterAll(() => fixture.remove());

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

async function scrape(path = '/rollcall/v1/metrics'): Promise<{ types: Map<string, string>; samples: Sample[] }> {
  const response = await server.fetch('GET', path);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of (await response.text()).split('\n')) {
    const type = /^# TYPE (\S+) (\S+)$/.exec(line);
    if (type !== null) types.set(type[1] as string, type[2] as string);
    const sample = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/i.exec(line);
    if (sample !== null) samples.push(sampleOf(sample));
    else if (line !== '' && !line.startsWith('#')) throw new Error(`Line "${line}" is none of Prometheus`);
  }
  return { types, samples };
}

function sampleOf([, name = '', labels = '', value]: RegExpExecArray): Sample {
  const pairs = Array.from(labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g), ([, key = '', text = '']) => [key, text]);
  return { name, labels: Object.fromEntries(pairs), value: Number(value) };
}

function familyOf(name: string): string {
  return CATALOG.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
}

it.each(['/rollcall/v1/metrics', '/nacos/actuator/prometheus', '/actuator/prometheus', '/metrics', '/nacos/metrics'])(
  '%s has every metric of the catalog with its type, and no other',
  async (path) => {
    const { types, samples } = await scrape(path);
    const expected = Array.from(CATALOG.values(), ({ name, type }) => [name, type]);
    expect([...types]).toEqual(expected);
    expect(samples.filter(({ name }) => !CATALOG.has(familyOf(name)))).toEqual([]);
  },
);

it('has only labels that the catalog names, each set of them once, and numbers as values', async () => {
  const { samples } = await scrape();
  const keys = new Set<string>();
  for (const { name, labels, value } of samples) {
    const allowed = new Set([...(CATALOG.get(familyOf(name))?.labels ?? []), 'le']);
    expect(Object.keys(labels).filter((label) => !allowed.has(label))).toEqual([]);
    expect(value).not.toBeNaN();
    keys.add(`${name} ${JSON.stringify(labels)}`);
  }
  expect(keys.size).toBe(samples.length);
});

it('names are those of Prometheus, with a help and a unit', () => {
  for (const { name, help, type } of CATALOG.values()) {
    expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
    expect(help).toMatch(/\.$/);
    if (name.startsWith('rollcall_')) expect(name.endsWith('_total')).toBe(type === 'counter');
  }
});

describe('the values', () => {
  let samples: Sample[];
  const value = (name: string, labels: Readonly<Record<string, string>> = {}): number | undefined =>
    samples.find(
      (sample) =>
        sample.name === name && Object.entries(labels).every(([label, text]) => sample.labels[label] === text),
    )?.value;

  beforeAll(async () => {
    ({ samples } = await scrape());
  });

  it.each<[string, Readonly<Record<string, string>>, number]>([
    ['rollcall_up', {}, 1],
    ['rollcall_services', {}, 1],
    ['rollcall_instances', { kind: 'ephemeral', health: 'healthy' }, 2],
    ['rollcall_instances', { kind: 'persistent', health: 'healthy' }, 1],
    ['rollcall_instance_changes_total', { event: 'instance-registered', cause: 'registered' }, 4],
    ['rollcall_instance_changes_total', { event: 'instance-removed', cause: 'deregistered' }, 1],
    ['rollcall_beats_total', { outcome: 'known' }, 1],
    ['rollcall_beats_total', { outcome: 'unknown' }, 1],
    ['rollcall_http_requests_total', { method: 'POST', route: '/v1/ns/instance', status: '200' }, 4],
    ['rollcall_http_requests_total', { route: '/v1/ns/instance/list', status: '400' }, 1],
    ['rollcall_http_unrouted_requests_total', {}, 1],
    ['rollcall_store_commits_total', { outcome: 'done' }, 1],
    ['rollcall_store_changes_total', {}, 1],
    ['nacos_monitor', { module: 'naming', name: 'serviceCount' }, 1],
    ['nacos_monitor', { module: 'naming', name: 'ipCount' }, 3],
    ['nacos_monitor', { module: 'naming', name: 'avgPushCost' }, -1],
    ['nacos_monitor', { module: 'config', name: 'configCount' }, 0],
    ['nacos_monitor', { module: 'core', name: 'longConnection' }, 0],
    ['http_server_requests_seconds_count', { method: 'PUT', uri: '/v1/ns/instance/beat', outcome: 'SUCCESS' }, 2],
    ['http_server_requests_seconds_count', { uri: '/v1/ns/instance/list', outcome: 'CLIENT_ERROR' }, 1],
    ['nacos_naming_publisher', { version: 'v1' }, 3],
  ])('%s %j is %d', (name, labels, expected) => expect(value(name, labels)).toBe(expected));

  it.each([
    ['process_resident_memory_bytes', {}],
    ['process_cpu_seconds_total', {}],
    ['jvm_memory_used_bytes', { area: 'heap' }],
    ['jvm_memory_max_bytes', { area: 'heap' }],
    ['rollcall_http_bytes_total', { direction: 'received' }],
    ['rollcall_journal_bytes_total', {}],
    ['rollcall_journal_entries_total', {}],
    ['rollcall_journal_writes_total', {}],
  ])('%s %j is above 0', (name, labels) => expect(value(name, labels)).toBeGreaterThan(0));
});

it('a server that an operator has taken out says so, and is measured all the same', async () => {
  const set = (value: string) =>
    server.text('PUT', '/nacos/v1/ns/operator/switches', { entry: 'overriddenServerStatus', value });
  expect(await server.json('GET', '/nacos/actuator/health')).toEqual({ status: 'UP' });
  await set('DOWN');
  const { samples } = await scrape();
  expect(samples.find(({ name }) => name === 'rollcall_up')?.value).toBe(0);
  const health = await server.fetch('GET', '/nacos/actuator/health');
  expect([health.status, await health.json()]).toEqual([503, { status: 'OUT_OF_SERVICE' }]);
  await set('null');
});

it('targets of Prometheus are served under their path', async () => {
  const targets = await server.json<{ targets: string[] }[]>('GET', '/nacos/prometheus/namespaceId/public/service/s');
  expect(targets.flatMap(({ targets: [address] }) => address)).toContain('10.0.0.1:80');
  expect(await server.json('GET', '/nacos/prometheus/namespaceId/none')).toEqual([]);
});
