// Reports about the connection itself: what may come before its setup, and the setups of clients of all ages.

import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  connectTo,
  messageOf,
  openStream,
  type Received,
} from '../../src/adapters/grpc/grpc-client.test-support.js';
import { ServerFixture, type StartedServer } from '../app/started-server.test-support.js';

const fixture = new ServerFixture();
const sessions: ReturnType<typeof connectTo>[] = [];
let server: StartedServer;

beforeAll(async () => {
  server = await fixture.start();
});
afterEach(() => {
  for (const session of sessions.splice(0)) session.destroy();
});
afterAll(() => fixture.remove());

function connected() {
  const session = connectTo(server.server.address.port);
  sessions.push(session);
  return session;
}

const named = { namespace: 'public', serviceName: 's', groupName: 'DEFAULT_GROUP' };
const registration = messageOf('InstanceRequest', {
  ...named,
  type: 'registerInstance',
  instance: { ip: '10.0.0.1', port: 1 },
});
const setupOf = (members: object) => messageOf('ConnectionSetupRequest', members);
const usualSetup = setupOf({
  clientVersion: 'Nacos-Java-Client:v2.5.1',
  labels: { module: 'naming' },
  abilityTable: {},
});
const unregistered = { type: 'ErrorResponse', body: { resultCode: 500, errorCode: 301, success: false } };

describe('BR-073 a connection that is not set up', () => {
  it('takes a request right behind its setup', async () => {
    const session = connected();
    const { stream, messages } = openStream(session);
    stream.write(usualSetup);
    expect(await call(session, registration)).toMatchObject({ body: { resultCode: 200 } });
    await expect.poll(() => messages.map(({ type }) => type)).toEqual(['SetupAckRequest']);
  });

  it('is told so by 301 on a connection that lives, and can be set up then', async () => {
    const session = connected();
    expect(await call(session, registration)).toMatchObject(unregistered);
    openStream(session).stream.write(usualSetup);
    expect(await call(session, registration)).toMatchObject({ body: { resultCode: 200 } });
  });

  // The connection is the client, as on 2.5.1, not its stream.
  it('is none after its stream ended: calls go on, and another stream is set up', async () => {
    const session = connected();
    const { stream } = openStream(session);
    stream.write(usualSetup);
    expect(await call(session, registration)).toMatchObject({ body: { resultCode: 200 } });
    const closed = once(stream, 'close');
    stream.end();
    await closed;
    expect(await call(session, registration)).toMatchObject({ body: { resultCode: 200 } });
    const second = openStream(session);
    second.stream.write(usualSetup);
    await expect.poll(() => second.messages.map(({ type }) => type)).toEqual(['SetupAckRequest']);
  });
});

describe('BR-075 the client', () => {
  const abilities = { remoteAbility: {}, configAbility: {}, namingAbility: {} };
  const labels = { source: 'sdk', module: 'naming' };

  it.each([
    ['Java 2.0', { clientVersion: 'Nacos-Java-Client:v2.0.4', tenant: '', labels, abilities }],
    ['Java 2.2', { clientVersion: 'Nacos-Java-Client:v2.2.4', labels: { ...labels, AppName: 'unknown' }, abilities }],
    ['Java 2.5', { clientVersion: 'Nacos-Java-Client:v2.5.1', labels, abilityTable: {} }],
    ['Java 3.0', { clientVersion: 'Nacos-Java-Client:v3.0.3', labels, abilityTable: { fuzzyWatch: true, lock: true } }],
    ['Go', { clientVersion: 'Nacos-Go-Client:v2.2.2', tenant: '', labels, clientAbilities: {} }],
    ['Python', { clientVersion: 'Nacos-Python-Client:v3.2.0', tenant: 'public', labels, abilityTable: { mcp: true } }],
    ['Rust and Node', { clientVersion: 'Nacos-Rust-Client:v0.4.0', tenant: '', labels, abilities: {} }],
  ])('%s registers, queries and subscribes, and reads each answer', async (_, members) => {
    const session = connected();
    const { stream, messages } = openStream(session);
    stream.write(setupOf({ headers: {}, requestId: '', module: 'internal', ...members }));
    const answers = [
      await call(session, registration),
      await call(session, messageOf('ServiceQueryRequest', { ...named, cluster: '', healthyOnly: false, udpPort: 0 })),
      await call(session, messageOf('SubscribeServiceRequest', { ...named, subscribe: true, clusters: '' })),
    ] as Received[];
    const members200 = { resultCode: 200, errorCode: 0, success: true };
    expect(answers.map(({ type }) => type)).toEqual([
      'InstanceResponse',
      'QueryServiceResponse',
      'SubscribeServiceResponse',
    ]);
    for (const { body } of answers) expect(body).toMatchObject(members200);
    for (const { body } of answers.slice(1)) expect(body.serviceInfo.hosts).toHaveLength(1);
    // Only who announced abilities knows the acknowledgement.
    expect(messages.map(({ type }) => type)).toEqual('abilityTable' in members ? ['SetupAckRequest'] : []);
  });
});
