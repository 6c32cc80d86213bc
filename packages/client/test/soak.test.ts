// Clients that come, go and lose their servers for a time, over both protocols against real servers: at the end the list is
// right and no socket was left behind. 30 s, or as many as ROLLCALL_SOAK_SECONDS says (600 in the nightly run).

import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { connect, type RegistrationHandle, type RegistryClient } from '../src/index.js';
import { RollcallServer, until } from './rollcall-server.test-support.js';

const SOAK_MS = Number(process.env.ROLLCALL_SOAK_SECONDS ?? 30) * 1000;
/** The server is killed this often. */
const KILL_MS = 10_000;
const PROTOCOLS = ['grpc', 'http', 'auto'] as const;

interface Party {
  readonly client: RegistryClient;
  readonly registrations: Map<number, RegistrationHandle>;
}

/** One random step of one client; what an outage rejects is no fault. */
async function step({ client, registrations }: Party, base: number): Promise<void> {
  const port = base + Math.floor(Math.random() * 20);
  const bounds = { deadlineMs: 5000 };
  try {
    const known = registrations.get(port);
    if (known === undefined) registrations.set(port, await client.register('soak', { ip: '10.0.0.1', port }, bounds));
    else if (Math.random() < 0.5) await known.update({ weight: 1 + Math.floor(Math.random() * 9) }, bounds);
    else {
      registrations.delete(port);
      await known.close(bounds);
    }
  } catch (error) {
    // An update that came too late has taken the instance out.
    registrations.delete(port);
    expect((error as { code: string }).code).toMatch(/unreachable|deadline-exceeded|unavailable|closed/);
  }
}

const resources = () => process.getActiveResourcesInfo().filter((name) => /TCP|UDP/.test(name)).length;

test(
  'after a soak the list is what is registered, and no socket is left behind',
  async () => {
    const server = await RollcallServer.start();
    const before = resources();
    const parties: Party[] = PROTOCOLS.map((protocol) => ({
      client: connect({ servers: server.address, protocol }),
      registrations: new Map(),
    }));
    const views = parties.map(({ client }) => client.subscribe('soak'));
    const endsAt = Date.now() + SOAK_MS;
    let killAt = Date.now() + KILL_MS / 2;
    while (Date.now() < endsAt) {
      await Promise.all(parties.map((party, index) => step(party, (index + 1) * 100)));
      if (Date.now() > killAt && endsAt - Date.now() > KILL_MS) {
        killAt = Date.now() + KILL_MS;
        await server.kill();
        await server.start();
      }
      await pause(5);
    }
    const wanted = async (): Promise<string> =>
      (await server.hosts('soak'))
        .map(({ port }) => port)
        .sort()
        .join();
    const held = parties
      .flatMap(({ registrations }) => [...registrations.keys()])
      .sort()
      .join();
    await until(async () => (await wanted()) === held);
    for (const view of views)
      await until(
        () =>
          view.instances
            .map(({ port }) => port)
            .sort()
            .join() === held,
      );
    await Promise.all(parties.map(({ client }) => client.close()));
    await until(async () => (await wanted()) === '' && resources() <= before);
    await server.dispose();
  },
  SOAK_MS + 90_000,
);
