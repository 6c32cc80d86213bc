// Switches of a whole server: those that were set survive a restart, those for this process alone do not.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { ServerFixture, type StartedServer } from './started-server.test-support.js';

let fixture: ServerFixture;
let server: StartedServer;

beforeEach(async () => {
  fixture = new ServerFixture();
  server = await fixture.start();
});
afterEach(() => fixture.remove());

const SWITCHES = '/nacos/v1/ns/operator/switches';
const set = (entry: string, value: string, more: Record<string, string> = {}) =>
  server.text('PUT', SWITCHES, { entry, value, ...more });

async function restart(): Promise<void> {
  await server.server.close();
  server = await fixture.start();
}

it('what was set is in force after a restart, and what was set for debugging is not', async () => {
  await set('clientBeatInterval', '6000');
  await set('limitedUrlMap', '/nacos/v1/ns/catalog:418');
  await set('pushVersion', 'java:1.0.0');
  await set('defaultCacheMillis', '4000', { debug: 'true' });
  expect(await server.json('GET', SWITCHES)).toMatchObject({ clientBeatInterval: 6000, defaultCacheMillis: 4000 });
  await restart();
  expect(await server.json('GET', SWITCHES)).toMatchObject({
    clientBeatInterval: 6000,
    defaultCacheMillis: 3000,
    limitedUrlMap: { '/nacos/v1/ns/catalog': 418 },
    pushJavaVersion: '1.0.0',
  });
  expect((await server.fetch('GET', '/nacos/v1/ns/catalog/services')).status).toBe(418);
});

it('a server that was taken out stays out after a restart, and can be brought back', async () => {
  await set('overriddenServerStatus', 'DOWN');
  await restart();
  const listed = await server.fetch('GET', '/nacos/v1/ns/service/list', { pageNo: '1', pageSize: '1' });
  expect([listed.status, await listed.text()]).toEqual([503, 'server is DOWNnow, please try again later!']);
  expect(await set('overriddenServerStatus', 'null')).toBe('ok');
  expect((await server.fetch('GET', '/nacos/v1/ns/service/list', { pageNo: '1', pageSize: '1' })).status).toBe(200);
});
