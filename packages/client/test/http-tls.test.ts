import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { TEST_CA, TEST_CLIENT, TEST_SERVER } from '../src/adapters/test-certificates.test-support.js';
import { connect, type TlsOptions } from '../src/index.js';

const ends: (() => Promise<unknown> | unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Asks a server that wants a certificate of its clients whether it is up, and for the instances of a service. */
async function asked(tls: TlsOptions): Promise<{ paths: string[]; instances: Promise<unknown> }> {
  const paths: string[] = [];
  const wanted = { requestCert: true, rejectUnauthorized: true } as const;
  const server = createServer({ ...TEST_SERVER, ...wanted, ca: TEST_CA }, (request, response) => {
    paths.push(request.url?.split('?')[0] ?? '');
    response.end(
      '{"name":"DEFAULT_GROUP@@s","hosts":[{"ip":"10.0.0.1","port":80}],"cacheMillis":10000,"lastRefTime":1}',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const servers = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = connect({
    servers,
    protocol: 'http',
    tls,
    push: 'off',
    connectTimeoutMs: 2000,
    attemptsForOneServer: 1,
  });
  ends.push(
    () => server.close(),
    () => client.close(),
  );
  return { paths, instances: client.instances('s') };
}

test('HTTP over TLS with an authority of its own and a certificate of the client', async () => {
  const { paths, instances } = await asked({ ca: TEST_CA, ...TEST_CLIENT });
  expect(await instances).toMatchObject([{ ip: '10.0.0.1', port: 80 }]);
  expect(paths).toEqual(['/nacos/v1/ns/instance/list']);
});

test.each([
  ['a server of an unknown authority', { ...TEST_CLIENT }],
  ['a server that wants a certificate of the client and gets none', { ca: TEST_CA }],
])('%s is not spoken to over HTTP', async (_what, tls) => {
  const { paths, instances } = await asked(tls);
  await expect(instances).rejects.toMatchObject({ code: 'unreachable' });
  expect(paths).toEqual([]);
});
