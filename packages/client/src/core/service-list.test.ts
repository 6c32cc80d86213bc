import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ClientError } from './client-error.js';
import { decodeServiceList } from './service-list.js';

describe('decodeServiceList', () => {
  test('reads an answer of 1.4.8: grouped name, no group', () => {
    const host =
      '{"ip":"10.0.0.1","port":80,"valid":true,"healthy":true,"marked":false,"instanceId":"i","metadata":{"a":"1"},"enabled":true,"weight":2.5,"clusterName":"c1","serviceName":"G@@s","ephemeral":false}';
    const list = decodeServiceList(
      `{"hosts":[${host}],"dom":"G@@s","name":"G@@s","cacheMillis":3000,"lastRefTime":17,"checksum":"x","useSpecifiedURL":false,"clusters":"c1","env":"","metadata":{}}`,
    );
    expect(list).toMatchObject({ grouped: 'G@@s', clusters: 'c1', cacheMs: 3000, lastRefTime: 17, complete: false });
    expect(list.instances).toEqual([
      {
        id: 'i',
        ip: '10.0.0.1',
        port: 80,
        cluster: 'c1',
        weight: 2.5,
        healthy: true,
        enabled: true,
        ephemeral: false,
        metadata: { a: '1' },
      },
    ]);
  });

  test.each([
    ['2.x over HTTP', '{"name":"G@@s","groupName":"G","hosts":[]}', 'G@@s'],
    ['2.x over gRPC', '{"name":"s","groupName":"G","hosts":[]}', 'G@@s'],
    ['a service that is not known', '{"name":"G@@s","clusters":"","cacheMillis":10000,"hosts":[]}', 'G@@s'],
    ['a push without hosts', '{"name":"G@@s","lastRefTime":1,"cacheMillis":10000}', 'G@@s'],
  ])('reads %s', (_name, text, grouped) => {
    expect(decodeServiceList(text)).toMatchObject({ grouped, instances: [] });
  });

  test('gives what is missing the defaults of the Java client', () => {
    const list = decodeServiceList('{"name":"G@@s","hosts":[{"ip":"h","port":1}]}');
    expect(list).toMatchObject({ cacheMs: 1000, lastRefTime: 0 });
    expect(list.instances[0]).toEqual({
      id: '',
      ip: 'h',
      port: 1,
      cluster: 'DEFAULT',
      weight: 1,
      healthy: true,
      enabled: true,
      ephemeral: true,
      metadata: {},
    });
  });

  test.each([
    ['"NaN"', 0],
    ['"Infinity"', 0],
    ['-1', 0],
    ['"2.5"', 2.5],
    ['null', 1],
    ['0', 0],
  ])('BR-130 reads weight %s as %d', (weight, expected) => {
    expect(decodeServiceList(`{"name":"G@@s","hosts":[{"ip":"h","weight":${weight}}]}`).instances[0]?.weight).toBe(
      expected,
    );
  });

  test('keeps a metadata key named __proto__ as a key', () => {
    const [instance] = decodeServiceList(
      '{"name":"G@@s","hosts":[{"ip":"h","metadata":{"__proto__":"x","n":5}}]}',
    ).instances;
    expect(Object.entries(instance?.metadata ?? {})).toEqual([
      ['__proto__', 'x'],
      ['n', '5'],
    ]);
  });

  test.each([
    '<html>',
    '',
    '[]',
    'null',
    '{}',
    '{"name":"a","hosts":7}',
    '{"name":"a","hosts":[1]}',
    '{"name":"a","hosts":[{}]}',
  ])('refuses %s', (text) => {
    expect(() => decodeServiceList(text)).toThrow(expect.objectContaining({ code: 'unexpected-answer' }));
  });

  test('throws nothing but ClientError, whatever it is given', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        try {
          decodeServiceList(text);
        } catch (error) {
          expect(error).toBeInstanceOf(ClientError);
        }
      }),
    );
  });
});
