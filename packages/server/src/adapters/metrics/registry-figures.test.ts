// Counting by walking through a registry that may change meanwhile.

import { expect, it } from 'vitest';
import { CoreFixture, contentOf, hostOf, serviceOf, TESTER } from '../../testing/core-fixture.js';
import { RegistryFigures } from './registry-figures.js';

const NO_PAUSE = () => Promise.resolve();

it('counts what is there', async () => {
  const fixture = new CoreFixture();
  const [a, b, empty] = [serviceOf('a'), serviceOf('b'), serviceOf('empty')];
  const settings = { metadata: new Map(), selector: { type: 'none' }, clusters: new Map() } as const;
  const defined = (service: typeof a, protectThreshold: number) =>
    ({ type: 'service', service, value: { ...settings, protectThreshold } }) as const;
  const persistent = { registered: contentOf(), base: contentOf() };
  fixture.step({
    type: 'store',
    changes: [
      defined(a, 0.5),
      defined(empty, 0.5),
      { type: 'persistent-instance', service: b, address: hostOf(9), value: persistent },
    ],
    actor: TESTER,
  });
  fixture.register(a, hostOf(1));
  fixture.register(a, hostOf(2), { healthy: false });
  fixture.register(b, hostOf(1), { enabled: false });
  fixture.step({
    type: 'publish',
    means: 'list',
    service: b,
    connection: 'c1',
    instances: [{ address: hostOf(3), content: contentOf() }],
    actor: TESTER,
  });
  fixture.step({
    type: 'subscribe-udp',
    service: a,
    query: { ip: '10.0.0.9', port: 5000, clusters: '', agent: '', app: '' },
    answerEmpty: false,
    actor: TESTER,
  });
  const stream = { connection: 'c1', clusters: '', agent: '', app: '', ip: '10.0.0.9' };
  fixture.step({ type: 'subscribe-stream', service: a, ...stream });
  fixture.step({ type: 'subscribe-stream', service: serviceOf('only-subscribed'), ...stream });
  const figures = await RegistryFigures.take(fixture.core, NO_PAUSE);
  expect({ ...figures, instanceCount: figures.instanceCount }).toEqual({
    services: 3,
    emptyServices: 1,
    protectedServices: 1,
    instances: { ephemeral: { healthy: 3, unhealthy: 1 }, persistent: { healthy: 1, unhealthy: 0 } },
    disabledInstances: 1,
    published: { http: 4, connection: 1 },
    subscribers: { udp: 1, stream: 2 },
    instanceCount: 5,
  });
});

it('lets others have their turn, and bears that services come and go meanwhile', async () => {
  const fixture = new CoreFixture();
  for (let n = 0; n < 2000; n++) fixture.register(serviceOf(`s${n}`), hostOf(1));
  let pauses = 0;
  const figures = await RegistryFigures.take(fixture.core, async () => {
    pauses += 1;
    fixture.deregister(serviceOf(`s${pauses}`), hostOf(1));
    fixture.register(serviceOf(`new${pauses}`), hostOf(1));
  });
  expect(pauses).toBe(4);
  expect(figures.services).toBe(2000 + pauses);
});
