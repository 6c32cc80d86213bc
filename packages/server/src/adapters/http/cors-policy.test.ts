// Calls from browser pages of other origins, through both lanes.

import { afterEach, describe, expect, it } from 'vitest';
import { exchange, startPort, type TestPort } from './lanes.test-support.js';

let port: TestPort;
afterEach(() => port.close());

const ALLOWED = 'https://console.example';
const get = (origin: string): string => `GET /now HTTP/1.1\r\nHost: x\r\nOrigin: ${origin}\r\n\r\n`;
const preflight = (origin: string, wanted = 'x-a, content-type'): string =>
  `OPTIONS /v1/ns/echo HTTP/1.1\r\nHost: x\r\nOrigin: ${origin}\r\nAccess-Control-Request-Method: PUT\r\n` +
  `Access-Control-Request-Headers: ${wanted}\r\n\r\n`;

describe('with a list of origins', () => {
  it('lets a page of an allowed origin read the answer', async () => {
    port = await startPort({ settings: { allowedOrigins: [ALLOWED] } });
    const answer = await exchange(port.port, [get(ALLOWED)]);
    expect(answer).toContain(`Access-Control-Allow-Origin: ${ALLOWED}\r\nAccess-Control-Allow-Credentials: true\r\n`);
    expect(answer).toContain('Vary: Origin\r\n');
  });

  it('leaves the headers out for any other origin', async () => {
    port = await startPort({ settings: { allowedOrigins: [ALLOWED] } });
    for (const origin of ['http://console.example', 'https://console.example.evil', 'null']) {
      const answer = await exchange(port.port, [get(origin)]);
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(answer).not.toContain('Access-Control');
      expect(answer).toContain('Vary: Origin\r\n');
    }
  });

  it('answers a preflight by the methods of the path', async () => {
    port = await startPort({ settings: { allowedOrigins: [ALLOWED] } });
    const answer = await exchange(port.port, [preflight(ALLOWED)]);
    expect(answer).toMatch(/^HTTP\/1\.1 204 No Content\r\n/);
    expect(answer).toContain('Access-Control-Allow-Methods: GET, POST, PUT, DELETE, PATCH\r\n');
    expect(answer).toContain('Access-Control-Allow-Headers: x-a, content-type\r\n');
    expect(answer).toContain(`Access-Control-Allow-Origin: ${ALLOWED}\r\n`);
    expect(await exchange(port.port, [preflight('https://other.example')])).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('echoes nothing but header names', async () => {
    port = await startPort({ settings: { allowedOrigins: [ALLOWED] } });
    expect(await exchange(port.port, [preflight(ALLOWED, 'a;b"<c>')])).not.toContain('Allow-Headers');
  });

  it('sends requests without origin through the fast lane all the same', async () => {
    port = await startPort({ settings: { allowedOrigins: [ALLOWED] } });
    expect(await exchange(port.port, ['GET /now HTTP/1.1\r\nHost: x\r\n\r\n'])).toContain('Vary: Origin\r\n');
    expect(port.lanes.counters.fastRequests).toBe(1);
  });
});

it('allows every origin without credentials for a star', async () => {
  port = await startPort({ settings: { allowedOrigins: ['*'] } });
  const answer = await exchange(port.port, [get('http://any.example')]);
  expect(answer).toContain('Access-Control-Allow-Origin: *\r\n');
  expect(answer).not.toContain('Credentials');
});

it('says nothing of origins when it is off', async () => {
  port = await startPort();
  expect(await exchange(port.port, [get(ALLOWED)])).not.toMatch(/Vary|Access-Control/);
  expect(await exchange(port.port, [preflight(ALLOWED)])).toMatch(/^HTTP\/1\.1 403 [\s\S]*Invalid CORS request$/);
});
