import { expect, it } from 'vitest';
import { CoreFixture, contentOf, hostOf, serviceOf } from '../../testing/core-fixture.js';
import { clientMembersJson } from './operator-figures.js';

it('an instance that a connection publishes is no client of its own', () => {
  const registry = new CoreFixture();
  const orders = serviceOf('orders');
  registry.register(orders, hostOf(1));
  registry.step({
    type: 'publish',
    means: 'list',
    service: orders,
    connection: 'c1',
    instances: [1, 2, 3].map((n) => ({ address: hostOf(n), content: contentOf() })),
    actor: { via: 'grpc' },
  });
  expect(JSON.parse(`{${clientMembersJson(registry.core)}}`)).toMatchObject({
    clientCount: 2,
    connectionBasedClientCount: 1,
    ephemeralIpPortClientCount: 1,
    persistentIpPortClientCount: 0,
  });
});
