// Random request streams: mostly well-formed, so that both lanes get deep into them, with hostile spots and odd splits.

import fc from 'fast-check';

const METHODS = ['GET', 'GET', 'GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'get', 'QUERY'];
const PATHS = [
  '/nacos/v1/ns/instance/list',
  '/v1/ns/echo',
  '/nacos/v1/ns/echo',
  '/nacos/v1/ns/instance/beat',
  '/nacos/v1/ns/instance',
  '//nacos/v1/ns/echo',
  '/v1/ns/echo/',
  '/v1/ns/%65cho',
  '/v1/ns/nothing',
  '/late',
  '/now',
  '/broken',
  '/refused',
  '/nothing',
  '/%zz',
  '*',
  'http://a.example/v1/ns/echo',
];
const HEADERS = [
  'Host: x',
  'Connection: keep-alive',
  'Connection: close',
  'Connection: Keep-Alive',
  'Accept: */*',
  'Accept: application/json',
  'User-Agent: Nacos-Java-Client:v1.4.8',
  'Content-Type: application/x-www-form-urlencoded',
  'Content-Type: application/json',
  'Expect: 100-continue',
  'Upgrade: h2c',
  'Origin: http://a.example',
  'X-Twice:\t a \t',
  'X-Twice: b',
  'Transfer-Encoding: chunked',
  'Content-Length: 0',
  'Content-Length: 3',
  'Content-Length: 03',
  'Keep-Alive: timeout=5',
  'Proxy-Connection: keep-alive',
  'TE: trailers',
  'Trailer: X',
];
/** Headers that occur in the fast lane, each at most harmless when repeated. */
const PLAIN_HEADERS = [
  'User-Agent: Nacos-Java-Client:v1.4.8\r\n',
  'Accept: */*\r\n',
  'accept: application/json\r\n',
  'Content-Type: application/x-www-form-urlencoded\r\n',
  'Origin: null\r\n',
  'X-Twice:\t a\r\n',
  'x-twice: b\r\n',
];
const VERSIONS = ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/1.2', 'HTTP/2.0', 'http/1.1'];
const BODIES = ['', '', 'a=1', 'a=1&b=%20', '{"a":1}', '3\r\na=1\r\n0\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n'];
/** Bytes that matter to a parser. */
const SPOTS = [
  '\r',
  '\n',
  '\r\n',
  ' ',
  '\t',
  ':',
  '\0',
  '\x7f',
  '\x80',
  '\xff',
  '%',
  '#',
  '?',
  '/',
  ';',
  ',',
  '0',
  '\r\n\r\n',
];

const query = fc.oneof(
  fc.constantFrom('', '', '?a=1', '?serviceName=a&clusters=', '?a=%zz', '?a=%e5%90%8d&b=+', '?__proto__=1', '?a="<>'),
  fc.string({ maxLength: 12 }).map((text) => `?${encodeURIComponent(text.replace(/[\ud800-\udfff]/g, ''))}=1`),
);

/** What the fast lane answers. */
const plainRequest = fc
  .record({
    line: fc.constantFrom(
      'GET /nacos/v1/ns/instance/list',
      'PUT /nacos/v1/ns/instance/beat',
      'POST /v1/ns/instance',
      'GET /v1/ns/echo',
      'PATCH //nacos/v1/ns/echo',
      'DELETE /v1/ns/%65cho/',
      'GET /late',
      'GET /now',
      'GET /refused',
    ),
    query,
    headers: fc.array(fc.constantFrom(...PLAIN_HEADERS), { maxLength: 3 }),
    body: fc.constantFrom('', '', '', 'a=1', 'a=1&b=%20'),
  })
  .map(({ line, query: sent, headers, body }) => {
    const length = body === '' ? '' : `Content-Length: ${body.length}\r\n`;
    return `${line}${sent} HTTP/1.1\r\nHost: x\r\n${headers.join('')}${length}\r\n${body}`;
  });

const oddRequest = fc
  .record({
    method: fc.constantFrom(...METHODS),
    path: fc.constantFrom(...PATHS),
    query,
    version: fc.constantFrom(...VERSIONS),
    headers: fc.array(fc.constantFrom(...HEADERS), { maxLength: 4 }),
    host: fc.constantFrom('Host: 127.0.0.1:8848', 'Host: 127.0.0.1:8848', 'host:x', 'X-No-Host: 1'),
    body: fc.constantFrom(...BODIES),
    length: fc.constantFrom('right', 'right', 'right', 'none', 'wrong'),
  })
  .map((parts) => {
    const headers = [parts.host, ...parts.headers];
    if (parts.body !== '' && parts.length === 'right') headers.push(`Content-Length: ${parts.body.length}`);
    if (parts.body !== '' && parts.length === 'wrong') headers.push(`Content-Length: ${parts.body.length + 2}`);
    return `${parts.method} ${parts.path}${parts.query} ${parts.version}\r\n${headers.join('\r\n')}\r\n\r\n${parts.body}`;
  });

const anyRequest = fc.oneof({ arbitrary: plainRequest, weight: 3 }, { arbitrary: oddRequest, weight: 1 });

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  drop: fc.nat({ max: 3 }),
  insert: fc.oneof(
    fc.constantFrom(...SPOTS),
    fc.constant(''),
    fc.nat({ max: 255 }).map((byte) => String.fromCharCode(byte)),
  ),
});

interface Change {
  readonly at: number;
  readonly drop: number;
  readonly insert: string;
}

function applyChange(text: string, { at, drop, insert }: Change): string {
  const index = Math.floor(at * text.length);
  return text.slice(0, index) + insert + text.slice(index + drop);
}

function split(text: string, at: readonly number[]): string[] {
  const cuts = [...new Set([0, ...at.map((share) => Math.floor(share * text.length)), text.length])].sort(
    (a, b) => a - b,
  );
  return cuts.slice(1).map((end, i) => text.slice(cuts[i], end));
}

/** Pieces of a stream of one to five requests, some of them damaged. One character per byte. */
export function hostileStream(): fc.Arbitrary<string[]> {
  return fc
    .record({
      // Repeated requests reach what the lane keeps from one request to the next.
      requests: fc.array(
        fc.tuple(anyRequest, fc.constantFrom(1, 1, 1, 2, 3)).map(([text, times]) => text.repeat(times)),
        { minLength: 1, maxLength: 5 },
      ),
      changes: fc.oneof(
        fc.constant<readonly Change[]>([]),
        fc.constant<readonly Change[]>([]),
        fc.array(change, { minLength: 1, maxLength: 2 }) as fc.Arbitrary<readonly Change[]>,
      ),
      cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
    })
    .map(({ requests, changes, cuts }) => split(changes.reduce<string>(applyChange, requests.join('')), cuts));
}
