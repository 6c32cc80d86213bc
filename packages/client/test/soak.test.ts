// A client in a rough world: instances come and go, the server is killed and comes back, answers are slow. Half a minute in
// a usual run, ten minutes with ROLLCALL_SOAK_MS=600000. At the end: the right list, and nothing that grew.

import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type RegistrationHandle, type RegistryClient } from '../src/index.js';
import { RollcallServer, until } from './rollcall-server.test-support.js';

const SOAK_MS = Number(process.env.ROLLCALL_SOAK_MS ?? 30_000);
const KILL_EVERY_MS = 8000;
const INSTANCES = 50;

let server: RollcallServer;
let publisher: RegistryClient;
let reader: RegistryClient;

beforeAll(async () => {
  server = await RollcallServer.start();
  publisher = connect({ servers: server.address });
  reader = connect({ servers: server.address });
}, 30_000);

afterAll(async () => {
  await Promise.all([publisher.close(), reader.close()]);
  await server.dispose();
});

test(
  'ends with the right list and without anything that grew',
  async () => {
    const view = reader.subscribe('soak');
    const held = new Map<number, RegistrationHandle>();
    const rejections: unknown[] = [];
    process.on('unhandledRejection', (error) => rejections.push(error));
    const endsAt = performance.now() + SOAK_MS;
    let killAt = performance.now() + KILL_EVERY_MS;
    let resourcesEarly = 0;
    for (let turn = 0; performance.now() < endsAt; turn++) {
      const port = 1 + ((turn * 7919) % INSTANCES);
      const registration = held.get(port);
      if (registration === undefined)
        held.set(port, await publisher.register('soak', { ip: '10.0.0.1', port }, { deadlineMs: 60_000 }));
      else if (turn % 3 === 0) await registration.update({ weight: 1 + (turn % 5) }, { deadlineMs: 60_000 });
      else {
        held.delete(port);
        await registration.close({ deadlineMs: 60_000 });
      }
      if (performance.now() > killAt) {
        await server.kill();
        await pause(300);
        await server.start();
        killAt = performance.now() + KILL_EVERY_MS;
        resourcesEarly ||= process.getActiveResourcesInfo().length;
      }
      await pause(5);
    }
    const portsOf = (list: readonly { readonly port: number }[]): string =>
      list
        .map(({ port }) => port)
        .sort()
        .join();
    const expected = portsOf([...held.keys()].map((port) => ({ port })));
    await until(async () => portsOf((await server.hosts('soak')) as { port: number }[]) === expected);
    await until(() => portsOf(view.instances) === expected);
    expect(view.instances.filter(({ healthy }) => !healthy)).toEqual([]);
    expect(rejections).toEqual([]);
    expect(process.getActiveResourcesInfo().length).toBeLessThan(resourcesEarly + 20);
  },
  SOAK_MS + 60_000,
);
