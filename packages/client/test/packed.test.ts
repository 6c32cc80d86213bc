// What users get: the packed tarballs, installed into an empty project, used as ES module, as CommonJS, and by the compiler.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ScriptedServer } from '../src/adapters/scripted-server.test-support.js';
import { RollcallServer } from './rollcall-server.test-support.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PACKED = ['packages/protocol', 'packages/runtime', 'packages/client', 'node_modules/undici'];

let project: string;
let server: ScriptedServer;

beforeAll(async () => {
  project = await mkdtemp(path.join(tmpdir(), 'rollcall-client-packed-'));
  server = await ScriptedServer.start();
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', project];
  const { stdout } = await run('npm', [...pack, ...PACKED.map((name) => path.join(ROOT, name))], { cwd: project });
  const tarballs = stdout
    .trim()
    .split('\n')
    .map((name) => `./${name}`);
  await writeFile(path.join(project, 'package.json'), '{"name":"empty","version":"1.0.0","private":true}');
  await run('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', ...tarballs], {
    cwd: project,
  });
}, 300_000);

afterAll(async () => {
  await server.close();
  await rm(project, { recursive: true, force: true });
});

const USE = `
  const client = connect({ servers: process.argv[2] });
  const registration = await client.register('orders', { ip: '10.0.0.1', port: 80 });
  const view = client.subscribe('orders');
  await view.ready;
  const other = new NacosNamingClient({ serverList: process.argv[2] });
  console.log(registration.instance.port, view.instances.length, await other.getServerStatus());`;

test.each([
  [
    'esm.mjs',
    `import { connect } from '@rollcall/client';\nimport { NacosNamingClient } from '@rollcall/client/nacos';${USE}`,
  ],
  [
    'cjs.cjs',
    `const { connect } = require('@rollcall/client');\nconst { NacosNamingClient } = require('@rollcall/client/nacos');\n(async () => {${USE}\n})();`,
  ],
])(
  '%s works, without a warning, and ends by itself although nothing was closed',
  async (name, text) => {
    await writeFile(path.join(project, name), text);
    const { stdout, stderr } = await run(process.execPath, [name, server.address], { cwd: project, timeout: 20_000 });
    expect(stdout).toBe('80 0 UP\n');
    expect(stderr).toBe('');
  },
  30_000,
);

test.each(['client.md', 'client.zh-CN.md'])(
  'the first program of docs/%s runs as it is written',
  async (page) => {
    const text = await readFile(path.join(ROOT, 'docs', page), 'utf8');
    const program = /```js\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
    const registry = await RollcallServer.start();
    try {
      await writeFile(path.join(project, 'app.mjs'), program.replace('127.0.0.1:8848', registry.address));
      const { stdout, stderr } = await run(process.execPath, ['app.mjs'], { cwd: project, timeout: 30_000 });
      expect([stdout, stderr]).toEqual(['http://127.0.0.1:8080\n', '']);
    } finally {
      await registry.dispose();
    }
  },
  120_000,
);

test('a bundler makes one file of it that runs alone', async () => {
  await writeFile(
    path.join(project, 'app.mjs'),
    `import { connect } from '@rollcall/client';\nconst client = connect({ servers: process.argv[2] });\nconsole.log(await client.status());\nawait client.close();`,
  );
  const bundler = path.join(ROOT, 'node_modules', 'rolldown', 'bin', 'cli.mjs');
  await run(process.execPath, [bundler, 'app.mjs', '--file', 'out/app.mjs', '--platform', 'node'], { cwd: project });
  const alone = await mkdtemp(path.join(tmpdir(), 'rollcall-client-bundle-'));
  try {
    await writeFile(path.join(alone, 'app.mjs'), await readFile(path.join(project, 'out', 'app.mjs')));
    const { stdout } = await run(process.execPath, ['app.mjs', server.address], { cwd: alone, timeout: 20_000 });
    expect(stdout).toBe('UP\n');
  } finally {
    await rm(alone, { recursive: true, force: true });
  }
}, 60_000);

test('the types work for both kinds of modules, strictly', async () => {
  await mkdir(path.join(project, 'types'));
  const body = `
    const client: RegistryClient = connect({ servers: ['a:1'], push: 'off' });
    const view = client.subscribe({ name: 's', group: 'g' }, { clusters: ['c'], strategy: roundRobin() });
    const chosen: Instance | undefined = view.select({ key: 'k' });
    export const ip: string | undefined = chosen?.ip;
    export async function changes(): Promise<void> {
      for await (const { added, removed } of view) console.log(added[0]?.metadata['zone'], removed.length);
    }
    export function isGone(error: unknown): boolean {
      return error instanceof ClientError && error.code === 'no-instance';
    }
    // @ts-expect-error a port is a number
    void client.register('s', { ip: 'a', port: '80' });
    // @ts-expect-error no such code
    export const wrong: ClientError = new ClientError('no-such-code', '');
    // @ts-expect-error instances are not changed
    if (chosen !== undefined) chosen.port = 1;`;
  const imports = `import { ClientError, connect, type Instance, type RegistryClient, roundRobin } from '@rollcall/client';`;
  await writeFile(path.join(project, 'types', 'esm.mts'), imports + body);
  await writeFile(path.join(project, 'types', 'cjs.cts'), imports + body);
  const options = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2023',
    skipLibCheck: false,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    types: ['node'],
    typeRoots: [path.join(ROOT, 'node_modules', '@types')],
  };
  await writeFile(
    path.join(project, 'types', 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['esm.mts', 'cjs.cts'] }),
  );
  const compiler = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout } = await run(process.execPath, [compiler, '-p', path.join(project, 'types')]).catch((error) => error);
  expect(stdout).toBe('');
}, 60_000);

test('the tarball has the compiled client and nothing that belongs to its tests', async () => {
  const { files } = JSON.parse(
    await readFile(path.join(project, 'node_modules/@rollcall/client/package.json'), 'utf8'),
  ) as { files: string[] };
  expect(files).toEqual(['dist']);
  const { stdout } = await run('npm', [
    'pack',
    '--dry-run',
    '--json',
    '--ignore-scripts',
    path.join(ROOT, 'packages/client'),
  ]);
  const names = (JSON.parse(stdout) as [{ files: { path: string }[] }])[0].files.map((file) => file.path);
  expect(names).toContain('dist/index.js');
  expect(names).toContain('dist/nacos.d.ts');
  expect(names.filter((name) => /test|\.ts$/.test(name) && !name.endsWith('.d.ts'))).toEqual([]);
});
