// Whenever the fast lane answers, Node's lane would have sent the same bytes: the same requests go to a port with both lanes
// and to one with Node's alone, whole, in pieces and pipelined.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostileStream } from './hostile-requests.test-support.js';
import { exchange, startPort, type TestPort } from './lanes.test-support.js';

let both: TestPort;
let node: TestPort;

beforeAll(async () => {
  [both, node] = await Promise.all([startPort(), startPort({ lanes: 'node' })]);
});
afterAll(() => Promise.all([both.close(), node.close()]));

async function expectSame(pieces: readonly (string | Uint8Array)[]): Promise<string> {
  both.counter.count = 0;
  node.counter.count = 0;
  const [fast, slow] = await Promise.all([exchange(both.port, pieces), exchange(node.port, pieces)]);
  expect(fast).toBe(slow);
  return fast;
}

const HOST = 'Host: 127.0.0.1:8848\r\n';
const get = (target: string, headers = ''): string => `GET ${target} HTTP/1.1\r\n${HOST}${headers}\r\n`;
const send = (method: string, target: string, body: string, headers = ''): string =>
  `${method} ${target} HTTP/1.1\r\n${HOST}${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n';

/** Each with the status of its first answer, or undefined when nothing may come back. */
const REQUESTS: Record<string, readonly [string, number | undefined]> = {
  'a list': [get('/nacos/v1/ns/instance/list?serviceName=a&clusters='), 200],
  'a list on the bare path': [get('/v1/ns/instance/list?serviceName=a'), 200],
  'a doubled leading slash': [get('//nacos//v1/ns/instance/list'), 200],
  'a doubled slash after the context path': [get('/nacos//v1/ns/echo?a=1'), 200],
  'a trailing slash': [get('/nacos/v1/ns/echo/?a=1'), 200],
  'percent-encoded letters in the path': [get('/nacos/v1/ns/%65cho?a=1'), 200],
  'a broken percent sequence in the path': [get('/nacos/v1/ns/%zz'), 400],
  'an encoded slash in the path': [get('/nacos/v1/ns%2Fecho'), 400],
  'an unknown path below /v1/ns': [get('/nacos/v1/ns/nothing?x=1'), 501],
  'the path in other letter case': [get('/nacos/v1/ns/Echo'), 501],
  'dots in the path': [get('/nacos/v1/ns/./echo'), 501],
  'an unknown path elsewhere': [get('/nacos/nothing'), 404],
  'the context path alone': [get('/nacos'), 404],
  'a path that only begins like the context path': [get('/nacosx/v1/ns/echo'), 404],
  'a method that the path does not offer below /v1/ns': [send('DELETE', '/v1/ns/instance/list', ''), 501],
  'a method that the path does not offer elsewhere': [send('PUT', '/late', ''), 405],
  'HEAD of a GET route': [`HEAD /v1/ns/echo?a=1 HTTP/1.1\r\n${HOST}\r\n`, 200],
  'HEAD of a stream': [`HEAD /events HTTP/1.1\r\n${HOST}\r\n`, 405],
  'OPTIONS of a known path': [`OPTIONS /v1/ns/echo HTTP/1.1\r\n${HOST}\r\n`, 204],
  'OPTIONS of the server': [`OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, 404],
  'a preflight with CORS off': [
    `OPTIONS /v1/ns/echo HTTP/1.1\r\n${HOST}Origin: http://a.example\r\nAccess-Control-Request-Method: PUT\r\n\r\n`,
    403,
  ],
  'a cross-origin GET with CORS off': [get('/v1/ns/echo', 'Origin: http://a.example\r\n'), 200],
  TRACE: [`TRACE /v1/ns/echo HTTP/1.1\r\n${HOST}\r\n`, 501],
  'PROPFIND elsewhere': [`PROPFIND /late HTTP/1.1\r\n${HOST}\r\n`, 405],
  CONNECT: ['CONNECT a.example:80 HTTP/1.1\r\nHost: a.example:80\r\n\r\n', 501],
  'a method nobody knows': [`HELLO /v1/ns/echo HTTP/1.1\r\n${HOST}\r\n`, 400],
  'a method in small letters': [`get /v1/ns/echo HTTP/1.1\r\n${HOST}\r\n`, 400],
  'a form': [send('POST', '/v1/ns/echo?b=2&b=3', 'a=1&b=4&c=%20+', FORM), 200],
  'a form with charset': [send('PUT', '/v1/ns/echo', 'a=1', FORM.replace('\r', '; charset=UTF-8\r')), 200],
  'a form without content type': [send('POST', '/v1/ns/echo', 'a=1'), 200],
  'a form on DELETE': [send('DELETE', '/v1/ns/echo', 'a=1', FORM), 200],
  'a form on GET is not read': [send('GET', '/v1/ns/echo?b=1', 'a=1', FORM), 200],
  'a JSON body': [send('POST', '/v1/ns/echo?b=1', '{"a":1}', 'Content-Type: application/json\r\n'), 200],
  'a text body': [send('PATCH', '/v1/ns/echo?b=1', 'hello', 'Content-Type: text/plain\r\n'), 200],
  'a broken percent sequence in the query': [get('/v1/ns/echo?a=%zz&b=1'), 200],
  'names that objects have': [get('/v1/ns/echo?__proto__=1&constructor=2&hasOwnProperty=3'), 200],
  'quotes and brackets unencoded': [get('/v1/ns/echo?a="<>{}|\\^`[]'), 200],
  'raw UTF-8 in the query': [get(`/v1/ns/echo?a=${Buffer.from('名').toString('latin1')}`), 400],
  'bytes that are no UTF-8': [get('/v1/ns/echo?a=%ff%fe'), 200],
  'high bytes in the target': [get('/v1/ns/echo?a=\xff\xfe'), 400],
  'a fragment': [get('/v1/ns/echo?a=1#b'), 200],
  'a target of 9000 characters': [get(`/v1/ns/echo?a=${'e'.repeat(9000)}`), 200],
  'a header of 9000 characters': [get('/v1/ns/echo', `X-Long: ${'x'.repeat(9000)}\r\n`), 200],
  'a head of 100 KiB': [get('/v1/ns/echo', `X-Long: ${'x'.repeat(100 * 1024)}\r\n`), 200],
  'a head of 300 KiB': [get('/v1/ns/echo', `X-Long: ${'x'.repeat(300 * 1024)}\r\n`), 431],
  'a body of 100 KiB': [send('POST', '/v1/ns/echo?a=1', 'x'.repeat(100 * 1024), 'Content-Type: text/plain\r\n'), 200],
  'absolute form': [get('http://a.example/nacos/v1/ns/echo?a=1'), 200],
  'absolute form without path': [get('http://a.example'), 404],
  'no Host': ['GET /v1/ns/echo HTTP/1.1\r\n\r\n', 400],
  'two Hosts': [get('/v1/ns/echo', HOST), 400],
  'an empty Host': ['GET /v1/ns/echo HTTP/1.1\r\nHost:\r\n\r\n', 200],
  'HTTP/1.0': ['GET /v1/ns/echo HTTP/1.0\r\n\r\n', 200],
  'HTTP/1.0 keep-alive': ['GET /v1/ns/echo HTTP/1.0\r\nConnection: keep-alive\r\n\r\n', 200],
  'HTTP/0.9': ['GET /v1/ns/echo\r\n', undefined],
  'HTTP/1.2': [`GET /v1/ns/echo HTTP/1.2\r\n${HOST}\r\n`, 400],
  'HTTP/2.0 in words': [`GET /v1/ns/echo HTTP/2.0\r\n${HOST}\r\n`, 505],
  'Connection: close': [get('/v1/ns/echo', 'Connection: close\r\n'), 200],
  'Connection: Keep-Alive': [get('/v1/ns/echo', 'connection: Keep-Alive \r\n'), 200],
  'Connection: keep-alive, close': [get('/v1/ns/echo', 'Connection: keep-alive, close\r\n'), 200],
  'two Connection lines': [get('/v1/ns/echo', 'Connection: keep-alive\r\nConnection: close\r\n'), 200],
  'Proxy-Connection: close': [get('/v1/ns/echo', 'Proxy-Connection: close\r\n'), 200],
  'a header named by a connection option': [get('/v1/ns/echo', 'Connection: x-twice\r\nX-Twice: 1\r\n'), 200],
  'an upgrade to h2c': [
    get('/v1/ns/echo', 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n'),
    200,
  ],
  'an upgrade to a web socket': [get('/v1/ns/echo', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'), 200],
  'Expect: 100-continue': [send('POST', '/v1/ns/echo', 'a=1', 'Expect: 100-continue\r\n'), 100],
  'Expect: something else': [send('POST', '/v1/ns/echo', 'a=1', 'Expect: miracles\r\n'), 417],
  'a chunked body': [
    `POST /v1/ns/echo HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n3\r\na=1\r\n4;x=y\r\n&b=2\r\n0\r\nX-T: 1\r\n\r\n`,
    200,
  ],
  'a broken chunk': [`POST /v1/ns/echo HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
  'chunked and a length': [
    `POST /v1/ns/echo HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n3\r\na=1\r\n0\r\n\r\n`,
    400,
  ],
  'an unknown transfer coding': [send('POST', '/v1/ns/echo', 'a=1', 'Transfer-Encoding: gzip\r\n'), 400],
  'two equal lengths': [send('POST', '/v1/ns/echo', 'a=1', 'Content-Length: 3\r\n'), 400],
  'two different lengths': [send('POST', '/v1/ns/echo', 'a=1', 'Content-Length: 2\r\n'), 400],
  'a length with a plus': [`POST /v1/ns/echo HTTP/1.1\r\n${HOST}Content-Length: +3\r\n\r\na=1`, 400],
  'a length with leading zeros': [`POST /v1/ns/echo HTTP/1.1\r\n${HOST}Content-Length: 003\r\n\r\na=1`, 200],
  'a length with blanks': [`POST /v1/ns/echo HTTP/1.1\r\n${HOST}Content-Length: \t 3 \t\r\n\r\na=1`, 400],
  'an empty length': [`POST /v1/ns/echo HTTP/1.1\r\n${HOST}Content-Length:\r\n\r\n`, 400],
  'a hexadecimal length': [`POST /v1/ns/echo HTTP/1.1\r\n${HOST}Content-Length: 0x3\r\n\r\na=1`, 400],
  'a length list': [`POST /v1/ns/echo HTTP/1.1\r\n${HOST}Content-Length: 3, 3\r\n\r\na=1`, 400],
  'a length beyond all numbers': [
    `POST /v1/ns/echo HTTP/1.1\r\n${HOST}Content-Length: 99999999999999999999\r\n\r\n`,
    400,
  ],
  'a body over the limit': [`POST /v1/ns/echo HTTP/1.1\r\n${HOST}Content-Length: 4194305\r\n\r\n`, 413],
  'a body that ends early': [`POST /v1/ns/echo HTTP/1.1\r\n${HOST}Content-Length: 10\r\n\r\na=1`, undefined],
  'a head that ends early': ['GET /v1/ns/echo HTTP/1.1\r\nHos', undefined],
  'a folded header': [get('/v1/ns/echo', 'X-Twice: a\r\n b\r\n'), 400],
  'a blank before the colon': [get('/v1/ns/echo', 'X-Twice : a\r\n'), 400],
  'a header without colon': [get('/v1/ns/echo', 'X-Twice\r\n'), 400],
  'a header without name': [get('/v1/ns/echo', ': a\r\n'), 400],
  'a header with a blank before its name': [get('/v1/ns/echo', ' X-Twice: a\r\n'), 400],
  'a header repeated': [get('/v1/ns/echo', 'X-Twice: a\r\nx-twice:b\r\nX-TWICE:\t c\t \r\n'), 200],
  'Accept and Content-Type repeated': [
    get('/v1/ns/echo', 'Accept: a\r\nAccept: b\r\nContent-Type: c\r\nContent-Type: d\r\n'),
    200,
  ],
  'an empty header': [get('/v1/ns/echo', 'Accept:\r\nX-Twice: \r\n'), 200],
  'high bytes in a header': [get('/v1/ns/echo', 'Accept: \xe9\xff\x80\r\n'), 200],
  'NUL in a header': [get('/v1/ns/echo', 'Accept: a\0b\r\n'), 400],
  'DEL in a header': [get('/v1/ns/echo', 'Accept: a\x7fb\r\n'), 400],
  'NUL in the target': [get('/v1/ns/echo?a=\0'), 400],
  'a tab in the target': [get('/v1/ns/echo?a=\t1'), 400],
  'a blank in the target': [get('/v1/ns/echo?a= 1'), 400],
  'bare LF': ['GET /v1/ns/echo HTTP/1.1\nHost: x\n\n', 400],
  'bare CR in a header': [get('/v1/ns/echo', 'Accept: a\rb\r\n'), 400],
  'a header with a __proto__ name': [get('/v1/ns/echo', '__proto__: a\r\n'), 200],
  '3000 headers': [get('/v1/ns/echo', `${'A: b\r\n'.repeat(3000)}Accept: last\r\n`), 200],
  'an empty line before the request': [`\r\n\r\n${get('/v1/ns/echo')}`, 200],
  'two blanks after the method': [`GET  /v1/ns/echo HTTP/1.1\r\n${HOST}\r\n`, 200],
  'two blanks before the version': [`GET /v1/ns/echo  HTTP/1.1\r\n${HOST}\r\n`, 200],
  garbage: ['\x00\x01\x02\x03garbage', 400],
  'a late answer': [get('/late'), 200],
  'an answer after the journal': [send('POST', '/v1/ns/instance', ''), 200],
  'a refused request': [get('/refused'), 400],
  'a handler that fails': [get('/broken'), 500],
  'a large answer': [get('/big'), 200],
  'a stream': [get('/events'), 200],
  'a stream that is refused': [get('/events?refuse=1'), 404],
  'too many parameters': [get(`/v1/ns/echo?${'a=1&'.repeat(600)}`), 400],
};

describe('hand-written requests', () => {
  it.each(Object.entries(REQUESTS))('%s', async (_name, [request, status]) => {
    const answer = await expectSame([request]);
    expect(answer.slice(0, 12)).toBe(status === undefined ? '' : `HTTP/1.1 ${status}`);
  });

  it.each(Object.entries(REQUESTS))('%s, between others on one connection', async (_name, [request]) => {
    await expectSame([get('/now') + request + get('/now')]);
    await expectSame([send('POST', '/v1/ns/instance', '') + get('/late') + request + get('/late') + get('/now')]);
  });
});

describe('splitting', () => {
  const stream =
    get('/v1/ns/instance/list?serviceName=a') +
    send('PUT', '/v1/ns/instance/beat?serviceName=a&beat=%7B%7D', '') +
    send('POST', '/v1/ns/echo?b=2', 'a=1', FORM) +
    get('/late', 'Connection: close\r\n');

  it('gives the same bytes wherever the stream is split', async () => {
    const whole = await expectSame([stream]);
    for (let i = 1; i < stream.length; i++) {
      both.counter.count = 0;
      const answer = await exchange(both.port, [stream.slice(0, i), stream.slice(i)]);
      expect(answer, `split before byte ${i}`).toBe(whole);
    }
  });

  it('gives the same bytes when each byte comes alone', async () => {
    await expectSame([...stream]);
  });
});

const PLACES: Record<string, (byte: string) => string> = {
  'the method': (byte) => `G${byte}ET /v1/ns/echo HTTP/1.1\r\n${HOST}\r\n`,
  'the target': (byte) => get(`/v1/ns/echo?a=1${byte}2`),
  'the path': (byte) => get(`/v1/ns/ec${byte}ho`),
  'the version': (byte) => `GET /v1/ns/echo HTTP/1.${byte}\r\n${HOST}\r\n`,
  'a header name': (byte) => get('/v1/ns/echo', `X-Tw${byte}ice: a\r\n`),
  'a header value': (byte) => get('/v1/ns/echo', `X-Twice: a${byte}b\r\n`),
  'the beginning of a header value': (byte) => get('/v1/ns/echo', `X-Twice:${byte}b\r\n`),
  'the end of a header value': (byte) => get('/v1/ns/echo', `X-Twice: a${byte}\r\n`),
  'the Host': (byte) => `GET /v1/ns/echo HTTP/1.1\r\nHost: a${byte}b\r\n\r\n`,
  'the end of a length': (byte) => `POST /v1/ns/echo HTTP/1.1\r\n${HOST}Content-Length: 3${byte}\r\n\r\na=1`,
  'the beginning of a length': (byte) => `POST /v1/ns/echo HTTP/1.1\r\n${HOST}Content-Length:${byte}3\r\n\r\na=1`,
  'a connection option': (byte) => get('/v1/ns/echo', `Connection: keep-alive${byte}\r\n`),
  'the line end': (byte) => `GET /v1/ns/echo HTTP/1.1${byte}\n${HOST}\r\n`,
  'the place of the empty line': (byte) => `GET /v1/ns/echo HTTP/1.1\r\n${HOST}${byte}\n`,
};

describe('every byte', () => {
  it.each(Object.entries(PLACES))('in %s', async (_name, place) => {
    for (let byte = 0; byte < 256; byte++) await expectSame([place(String.fromCharCode(byte)) + get('/now')]);
  });
});

it('answers most of the ordinary requests in the fast lane', () => {
  expect(both.lanes.counters.fastRequests).toBeGreaterThan(500);
  expect(node.lanes.counters.fastRequests).toBe(0);
});

it('gives the same bytes for random and hostile streams', async () => {
  await fc.assert(
    fc.asyncProperty(hostileStream(), async (pieces) => {
      await expectSame(pieces);
    }),
    { numRuns: Number(process.env.HTTP_STREAMS ?? 500) },
  );
}, 600_000);
