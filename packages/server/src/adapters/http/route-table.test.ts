import { describe, expect, it } from 'vitest';
import { textAnswer } from './http-answer.js';
import type { Route, RouteMethod } from './route.js';
import { type PathLookup, RouteTable } from './route-table.js';

const route = (method: RouteMethod, path: string): Route => ({
  method,
  path,
  summary: 'test',
  handle: () => textAnswer(200, ''),
});
const ROUTES = [route('GET', '/'), route('GET', '/v1/ns/instance'), route('PUT', '/v1/ns/instance')];

function shown(lookup: PathLookup): string {
  if (lookup.kind === 'known') return `${lookup.entry.path} ${lookup.entry.methods.join(' ')}`;
  return lookup.kind === 'unknown' ? `unknown ${lookup.path}` : 'malformed';
}

const INSTANCE = '/v1/ns/instance GET PUT';

describe.each([
  ['the context path by default', undefined, '/nacos'],
  ["a context path of one's own", 'a/b/', '/a/b'],
])('%s', (_name, contextPath, prefix) => {
  const table = new RouteTable(ROUTES, contextPath === undefined ? {} : { contextPath });

  it.each([
    [`${prefix}/v1/ns/instance`, INSTANCE],
    ['/v1/ns/instance', INSTANCE],
    [`//${prefix}///v1/ns/instance//`, INSTANCE],
    [`${prefix}/v1/ns/%69nstanc%65`, INSTANCE],
    [prefix, '/ GET'],
    [`${prefix}/`, '/ GET'],
    ['/', '/ GET'],
    ['//', '/ GET'],
    [`${prefix}/nothing`, 'unknown /nothing'],
    ['/nothing', 'unknown /nothing'],
    [`${prefix}${prefix}/v1/ns/instance`, `unknown ${prefix}/v1/ns/instance`],
    [`${prefix}x/v1/ns/instance`, `unknown ${prefix}x/v1/ns/instance`],
    ['/v1/ns/Instance', 'unknown /v1/ns/Instance'],
    ['/v1/ns/instance;a=b', 'unknown /v1/ns/instance;a=b'],
    ['/v1/ns/../ns/instance', 'unknown /v1/ns/../ns/instance'],
    ['*', 'unknown *'],
    ['/v1/ns%2finstance', 'malformed'],
    ['/v1/ns%5Cinstance', 'malformed'],
    ['/v1/%00', 'malformed'],
    ['/v1/%', 'malformed'],
    ['/v1/%e5%90', 'malformed'],
  ])('%s', (path, expected) => {
    expect(shown(table.find(path))).toBe(expected);
  });
});

it('knows only bare paths without a context path', () => {
  for (const contextPath of ['', '/']) {
    const table = new RouteTable(ROUTES, { contextPath });
    expect(shown(table.find('/v1/ns/instance'))).toBe(INSTANCE);
    expect(shown(table.find('/nacos/v1/ns/instance'))).toBe('unknown /nacos/v1/ns/instance');
  }
});

it('refuses a route given twice and a path not in normal form', () => {
  expect(() => new RouteTable([...ROUTES, route('PUT', '/v1/ns/instance')])).toThrow(
    '"PUT /v1/ns/instance" is given twice',
  );
  for (const path of ['v1', '/v1/', '//v1', '/v%31']) {
    expect(() => new RouteTable([route('GET', path)])).toThrow(`Route path "${path}" is not in normal form`);
  }
});

describe('a path with a name in it', () => {
  const table = new RouteTable([
    route('GET', '/prometheus'),
    route('GET', '/prometheus/namespaceId/{namespaceId}'),
    route('GET', '/prometheus/namespaceId/{namespaceId}/service/{service}'),
    route('GET', '/prometheus/namespaceId/fixed'),
  ]);

  it.each([
    ['/nacos/prometheus/namespaceId/dev', '/prometheus/namespaceId/dev GET'],
    ['/prometheus//namespaceId/d%65v/', '/prometheus/namespaceId/dev GET'],
    ['/prometheus/namespaceId/dev/service/a@b', '/prometheus/namespaceId/dev/service/a@b GET'],
    ['/prometheus/namespaceId/fixed', '/prometheus/namespaceId/fixed GET'],
    ['/prometheus/namespaceId/', 'unknown /prometheus/namespaceId'],
    ['/prometheus/namespaceId/dev/service', 'unknown /prometheus/namespaceId/dev/service'],
    ['/prometheus/namespaceId/a/service/b/c', 'unknown /prometheus/namespaceId/a/service/b/c'],
    ['/prometheus/namespaceId/a%2Fb', 'malformed'],
  ])('%s', (path, expected) => expect(shown(table.find(path))).toBe(expected));
});

it('gives each route counts of its own', () => {
  const [first, second] = new RouteTable(ROUTES).routes;
  first?.counts?.end(200);
  expect([first?.counts?.answers, second?.counts?.answers]).toEqual([1, 0]);
});
