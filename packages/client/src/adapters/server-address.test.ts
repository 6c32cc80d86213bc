import { describe, expect, test } from 'vitest';
import { serverAddresses } from './server-address.js';

describe('BR-137 serverAddresses', () => {
  test.each([
    ['10.0.0.1', 'http://10.0.0.1:8848', undefined],
    ['reg-headless.ns1.svc:8848', 'http://reg-headless.ns1.svc:8848', undefined],
    ['reg-headless.ns1.svc', 'http://reg-headless.ns1.svc:8848', undefined],
    ['h:80', 'http://h:80', undefined],
    ['http://h:8848/', 'http://h:8848', undefined],
    ['http://h', 'http://h:80', undefined],
    ['https://h', 'https://h:443', undefined],
    ['h:8848/nacos', 'http://h:8848', '/nacos'],
    ['[::1]:8848', 'http://[::1]:8848', undefined],
    ['[::1]', 'http://[::1]:8848', undefined],
  ])('%s is %s', (text, origin, path) => {
    expect(serverAddresses(text, 'http')).toMatchObject([{ origin, path }]);
  });

  test('a list may have blanks and empty parts', () => {
    expect(serverAddresses(' a:1 , b:2,,', 'http').map(({ name }) => name)).toEqual(['a:1', 'b:2']);
    expect(serverAddresses(['a', 'b,c'], 'https').map(({ origin }) => origin)).toEqual([
      'https://a:8848',
      'https://b:8848',
      'https://c:8848',
    ]);
  });

  test.each(['::1', 'h:99999', 'http://', 'user@h', 'h?x=1', 'a b'])('%s is refused with what is allowed', (text) => {
    expect(() => serverAddresses(text, 'http')).toThrow(expect.objectContaining({ code: 'invalid-parameter' }));
  });
});
