import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Endpoint } from './endpoint.js';
import { runLoad } from './load-generator.js';
import { runPacedLoad } from './paced-load.js';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Answers the n-th request of each connection with `answerOf(n)`; undefined closes the connection instead. */
async function startServer(answerOf: (request: number) => string | undefined): Promise<Endpoint> {
  const server = createServer((socket) => {
    let requests = 0;
    socket.on('data', () => {
      const answer = answerOf(++requests);
      if (answer === undefined) socket.destroy();
      else socket.write(answer);
    });
    socket.on('error', () => socket.destroy());
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const address = server.address();
  return { host: '127.0.0.1', port: typeof address === 'object' ? (address?.port ?? 0) : 0, contextPath: '/nacos' };
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const requests = [Buffer.from('GET /a HTTP/1.1\r\n\r\n'), Buffer.from('GET /b HTTP/1.1\r\n\r\n')];
const accepts = ({ status }: { readonly status: number }): boolean => status === 200;

describe('runLoad', () => {
  it('sends the number of requests asked for and counts right answers', async () => {
    const endpoint = await startServer(() => OK);
    const result = await runLoad({ endpoint, connections: 3, requests, stop: { afterRequests: 20 }, accepts });
    expect(result).toMatchObject({ answered: 20, failed: 0, firstFailure: undefined });
    expect(result.latency.count).toBe(20);
  });

  it('opens a connection again that the server closes as announced', async () => {
    const closing = 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
    const endpoint = await startServer((request) => (request === 4 ? closing : OK));
    const result = await runLoad({ endpoint, connections: 2, requests, stop: { afterRequests: 20 }, accepts });
    expect(result).toMatchObject({ answered: 20, failed: 0 });
  });

  it('counts refusals and lost connections as failures', async () => {
    const refusal = 'HTTP/1.1 500 X\r\nContent-Length: 3\r\n\r\nbad';
    const endpoint = await startServer((request) => [OK, refusal, undefined][request - 1]);
    const result = await runLoad({ endpoint, connections: 1, requests, stop: { afterRequests: 6 }, accepts });
    expect(result).toMatchObject({ answered: 2, failed: 4, firstFailure: '500 "bad"' });
  });
});

describe('runPacedLoad', () => {
  it('sends at the rate asked for, and no faster', async () => {
    const endpoint = await startServer(() => OK);
    const startedAtMs = performance.now();
    const result = await runPacedLoad({
      endpoint,
      connections: 4,
      requests,
      ratePerSecond: 200,
      seconds: 0.2,
      accepts,
    });
    expect(result).toMatchObject({ answered: 40, failed: 0 });
    expect(performance.now() - startedAtMs).toBeGreaterThan(190);
  });
});
