// The commands that talk to a server, from outside.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandFixture, type CommandResult, type RunningCommand } from './rollcall-command.test-support.js';

const PATIENCE = { timeout: 60_000 };

let fixture: CommandFixture;
let url: string;
beforeAll(async () => {
  fixture = new CommandFixture();
  ({ url } = await fixture.startServer());
}, PATIENCE.timeout);
afterAll(() => fixture.remove());

const rollcall = (...args: string[]): Promise<CommandResult> => fixture.run(args, { ROLLCALL_SERVER: url });
const running = (...args: string[]): RunningCommand => fixture.spawn(args, { ROLLCALL_SERVER: url });

async function registered(service: string, ...more: string[]): Promise<void> {
  expect(await rollcall('register', service, '10.0.0.1:8080', '--once', ...more)).toMatchObject({
    code: 0,
    stderr: '',
  });
}

describe('tables and JSON', PATIENCE, () => {
  it('show services and instances', async () => {
    await registered('shown', '--metadata', 'version=2', '--weight', '0.5');
    const services = await rollcall('services');
    expect(services.stdout.split('\n')[0]).toMatch(/^NAMESPACE +GROUP +SERVICE +INSTANCES +HEALTHY/);
    expect(services.stdout).toMatch(/^public +DEFAULT_GROUP +shown +1 +1 /m);
    const instances = await rollcall('instances', 'shown');
    expect(instances.stdout).toMatch(/^10\.0\.0\.1:8080 +DEFAULT +ephemeral +healthy +yes +0\.5 .* version=2$/m);
    const { instances: parsed } = JSON.parse((await rollcall('instances', 'shown', '--json')).stdout);
    expect(parsed).toMatchObject([{ ip: '10.0.0.1', port: 8080, weight: 0.5, metadata: { version: '2' } }]);
  });

  it('have no colours where no terminal is', async () => {
    await registered('plain');
    expect((await rollcall('instances', 'plain')).stdout).not.toContain('\u001b');
  });

  it('show the status', async () => {
    expect((await rollcall('status')).stdout).toMatch(/^version +Rollcall \d/m);
    expect(JSON.parse((await rollcall('status', '--json')).stdout)).toMatchObject({ product: 'rollcall', urls: [url] });
  });

  it('show the configuration and where it comes from', async () => {
    const environment = { ROLLCALL_PORT: '9001' };
    const { stdout, code } = await fixture.run(['config', '--log-level', 'warn'], environment);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^port +9001 +environment variable ROLLCALL_PORT$/m);
    expect(stdout).toMatch(/^logLevel +warn +flag --log-level$/m);
    expect(stdout).toMatch(/^dataDir +\/.*\.rollcall\/9001 +default$/m);
    const rows = JSON.parse((await fixture.run(['config', '--json'], environment)).stdout);
    expect(rows).toContainEqual({ option: 'port', value: 9001, source: 'environment variable ROLLCALL_PORT' });
  });

  it('use namespace, group and cluster', async () => {
    const where = ['--namespace', 'dev', '--group', 'shop'];
    await registered('placed', ...where, '--cluster', 'C1');
    expect((await rollcall('instances', 'placed', ...where)).stdout).toContain('C1');
    expect((await rollcall('instances', 'shop@@placed', '-n', 'dev')).stdout).toContain('C1');
    expect((await rollcall('services', '-n', '*')).stdout).toMatch(/^dev +shop +placed/m);
    expect((await rollcall('instances', 'placed')).code).toBe(4);
  });
});

describe('edit', PATIENCE, () => {
  it('lays weight, enabled and single metadata keys over what was registered, and takes them back', async () => {
    await registered('edited', '-m', 'color=red', '-m', 'keep=1');
    const edit = (...args: string[]) => rollcall('edit', 'edited', '10.0.0.1:8080', ...args);
    const { stdout } = await edit('--weight', '5', '--enabled', 'false', '-m', 'color=blue');
    expect(stdout).toMatch(/^weight +1 +5 +5$/m);
    expect(stdout).toMatch(/^enabled +true +false +false$/m);
    expect(stdout).toMatch(/^metadata\.color +red +blue +blue$/m);
    expect(stdout).toMatch(/^metadata\.keep +1 +1$/m);
    expect((await edit('--remove-metadata', 'keep')).stdout).toMatch(/^metadata\.keep +1$/m);
    const after = JSON.parse((await edit('--reset', '--json')).stdout);
    expect(after).toMatchObject({
      edited: [],
      inForce: { weight: 1, enabled: true, metadata: { color: 'red', keep: '1' } },
    });
  });

  it('asks for something to edit, and for an instance that is there', async () => {
    expect(await rollcall('edit', 'nobody', '10.0.0.1:1')).toMatchObject({ code: 2 });
    expect(await rollcall('edit', 'nobody', '10.0.0.1:1', '--weight', '1')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('No instance "10.0.0.1:1"'),
    });
  });
});

describe('register and deregister', PATIENCE, () => {
  it('keep an instance until Ctrl-C', async () => {
    const command = running('register', 'kept', '10.0.0.1:8080');
    await command.printed(/beating until Ctrl-C/);
    expect((await rollcall('instances', 'kept')).stdout).toContain('10.0.0.1:8080');
    command.signal('SIGINT');
    expect(await command.ended()).toMatchObject({ code: 0, stdout: expect.stringMatching(/Deregistered.*\n$/) });
    expect((await rollcall('instances', 'kept')).stderr).toContain('has no instances');
  });

  it('register again when the server has forgotten the instance', async () => {
    const command = running('register', 'forgotten', '10.0.0.1:8080', '-m', 'preserved.heart.beat.interval=100');
    await command.printed(/beating until Ctrl-C/);
    await rollcall('deregister', 'forgotten', '10.0.0.1:8080');
    await expect.poll(() => command.stderr, { timeout: 10_000 }).toContain('registered again');
    command.signal('SIGTERM');
    expect((await command.ended()).code).toBe(0);
  });

  it('end a persistent instance', async () => {
    const where = ['persistent', '10.0.0.1:8080', '--persistent'];
    expect((await rollcall('register', ...where)).code).toBe(0);
    expect((await rollcall('deregister', ...where)).stdout).toBe('Deregistered 10.0.0.1:8080 of persistent\n');
  });

  it('say that there is nothing to end', async () => {
    expect(await rollcall('deregister', 'nobody', '10.0.0.1:1')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('No ephemeral instance "10.0.0.1:1"'),
    });
  });
});

describe('watch', PATIENCE, () => {
  it('prints each change until Ctrl-C', async () => {
    const command = running('watch', 'watched');
    await command.printed(/DEFAULT_GROUP@@watched: no such service/);
    await registered('watched');
    await command.printed(/DEFAULT_GROUP@@watched: 1 of 1 healthy/);
    await rollcall('deregister', 'watched', '10.0.0.1:8080');
    await command.printed(/DEFAULT_GROUP@@watched: 0 of 0 healthy/);
    command.signal('SIGINT');
    expect(await command.ended()).toMatchObject({ code: 0, stderr: '' });
  });

  it('prints one JSON object per change', async () => {
    const command = running('watch', 'watched-json', '--json');
    await command.printed(/\n/);
    await registered('watched-json');
    await command.printed(/\n.*\n/);
    command.signal('SIGINT');
    const lines = (await command.ended()).stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).instances.length)).toEqual([0, 1]);
  });
});

describe('usage', PATIENCE, () => {
  it('prints version and help', async () => {
    expect(await rollcall('--version')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
    expect(await rollcall('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('$ rollcall start') });
    expect(await rollcall('start', '--help')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('--limit-metadata-bytes'),
    });
  });

  it.each([
    [['instnces', 'x'], 'Did you mean instances?'],
    [['instances'], "missing required argument 'service'"],
    [['status', '--nope'], "unknown option '--nope'"],
    [['register', 'x', '10.0.0.1'], 'Cannot read the address "10.0.0.1"'],
    [['register', 'x', '10.0.0.1:1', '--weight', 'x'], 'Cannot use the weight "x"'],
    [['register', 'x', '10.0.0.1:1', '--metadata', 'x'], 'Cannot read the metadata "x"'],
    [['status', '--server', 'ftp://x'], 'Cannot use the server "ftp://x"'],
  ])('refuses %j with code 2', async (args, message) => {
    expect(await rollcall(...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  });

  it('says that no server answers', async () => {
    expect(await rollcall('status', '--server', '127.0.0.1:1')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /^rollcall: Cannot reach a server at http:\/\/127\.0\.0\.1:1: .*ECONNREFUSED.*--server.*\n$/,
      ),
    });
  });

  it('ends quietly when its output is closed', async () => {
    const program = fileURLToPath(new URL('../bin/rollcall.js', import.meta.url));
    // Variables of whoever runs the tests would be pointed out as unknown options.
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ROLLCALL_')));
    const child = spawn(process.execPath, [program, 'config'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.stdout.destroy();
    const [code] = await once(child, 'close');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('drain', PATIENCE, () => {
  it('is over at once without gRPC clients, lasts until it is cancelled, and says what it cannot use', async () => {
    const drained = await rollcall('drain');
    expect(drained).toMatchObject({ code: 0, stderr: '' });
    expect(drained.stdout).toBe('draining: new gRPC clients are sent away; 0 gRPC clients connected\n');
    const cancelled = await rollcall('drain', '--cancel', '--json');
    expect(JSON.parse(cancelled.stdout)).toEqual({ draining: false, startedAt: null, asked: 0, left: 0, clients: [] });
    expect(await rollcall('drain', '--target', 'nowhere')).toMatchObject({ code: 4 });
    expect((await rollcall('drain', '--timeout', 'soon')).stderr).toContain('"soon"');
  });
});

describe('store check', PATIENCE, () => {
  it('says which store does not answer', async () => {
    const result = await rollcall('store', 'check', '--store', 'etcd://127.0.0.1:1');
    expect(result).toMatchObject({ code: 3, stdout: expect.stringContaining('no answer') });
    expect(result.stderr).toMatch(
      /^rollcall: The store "etcd:\/\/127\.0\.0\.1:1" has problems:\n {2}"127\.0\.0\.1:1" does not answer: connect ECONNREFUSED/,
    );
  });

  it('refuses a store that is not shared, and an address that is none', async () => {
    expect(await rollcall('store', 'check')).toMatchObject({
      code: 2,
      stderr: 'rollcall: Nothing to check: found store "embedded", allowed is --store etcd://host:port,...\n',
    });
    expect(await rollcall('store', 'check', '--store', 'redis://a')).toMatchObject({ code: 10 });
  });

  it('prints JSON for scripts', async () => {
    const { stdout } = await rollcall('store', 'check', '--store', 'etcd://127.0.0.1:1', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      members: [{ endpoint: '127.0.0.1:1' }],
      problems: [expect.any(String)],
    });
  });
});
