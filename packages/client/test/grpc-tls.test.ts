import { afterEach, expect, test } from 'vitest';
import { ScriptedGrpcServer } from '../src/adapters/scripted-grpc-server.test-support.js';
import { TEST_CA, TEST_CLIENT, TEST_SERVER } from '../src/adapters/test-certificates.test-support.js';
import { connect, type RegistryClient, type TlsOptions } from '../src/index.js';

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A server that wants a certificate of its clients, and a client that has these. */
async function connected(tls: TlsOptions): Promise<{ server: ScriptedGrpcServer; client: RegistryClient }> {
  const server = await ScriptedGrpcServer.start({
    tls: { ...TEST_SERVER, ca: TEST_CA, requestCert: true, rejectUnauthorized: true },
  });
  const client = connect({ servers: server.address, protocol: 'grpc', grpcPortOffset: 0, tls, connectTimeoutMs: 2000 });
  ends.push(
    () => server.close(),
    () => client.close({ deadlineMs: 500 }),
  );
  return { server, client };
}

test('over TLS with an authority of its own and a certificate of the client', async () => {
  const { server, client } = await connected({ ca: TEST_CA, ...TEST_CLIENT });
  await client.register('s', { ip: '10.0.0.1', port: 1 });
  expect(server.types).toEqual(['InstanceRequest']);
});

test('a server of an unknown authority is none, and the error says why', async () => {
  const { client } = await connected({ ...TEST_CLIENT });
  await expect(client.instances('s')).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringMatching(/certificate|issuer/i),
  });
});

test('without the certificate that the server wants there is no connection', async () => {
  const { server, client } = await connected({ ca: TEST_CA });
  await expect(client.instances('s')).rejects.toMatchObject({ code: 'unreachable' });
  expect(server.setups).toBe(0);
});
