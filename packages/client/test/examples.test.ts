// The examples run, and the guides show them as they are.

import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { announcedServer } from '../examples/announced-server.js';
import { everyOption } from '../examples/every-option.js';
import { follow } from '../examples/follow.js';
import { RollcallServer } from './rollcall-server.test-support.js';

let server: RollcallServer;
let directory: string;

beforeAll(async () => {
  server = await RollcallServer.start();
  directory = await mkdtemp(path.join(tmpdir(), 'rollcall-examples-'));
}, 30_000);

afterAll(async () => {
  await server.dispose();
  await rm(directory, { recursive: true, force: true });
});

test('each example does what it says', async () => {
  expect(await follow(server.address)).toBe(1);
  expect(await announcedServer(server.address)).toMatchObject({ reason: 'stop', deregistrationError: undefined });
  const client = everyOption(server.address, directory);
  expect(await client.status()).toBe('UP');
  await client.close();
}, 30_000);

test.each(['client.md', 'client.zh-CN.md'])('docs/%s shows the examples as they are', (page) => {
  const text = readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8');
  const shown = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);
  const regions = ['follow', 'announced-server', 'every-option'].flatMap((name) => {
    const source = readFileSync(new URL(`../examples/${name}.ts`, import.meta.url), 'utf8');
    return [...source.matchAll(/^ +\/\/ #region .*\n([\s\S]*?)^ +\/\/ #endregion/gm)].map(([, code]) =>
      (code ?? '').replace(/^ {2}/gm, ''),
    );
  });
  expect(shown).toHaveLength(regions.length);
  for (const code of shown) expect(regions).toContain(code);
});
