// `rollcall start` from outside: what it prints, how it ends, and why it does not begin.

import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandFixture } from './rollcall-command.test-support.js';

const PATIENCE = { timeout: 60_000 };

let fixture: CommandFixture;
beforeEach(() => {
  fixture = new CommandFixture();
});
afterEach(() => fixture.remove());

describe('a start', PATIENCE, () => {
  it('prints JSON lines where no terminal is: address, data, a line to try, the words that scripts wait for', async () => {
    const { command, url } = await fixture.startServer();
    const line = JSON.parse(command.stdout.split('\n')[0] ?? '');
    expect(line).toMatchObject({
      level: 'info',
      event: 'server-started',
      url,
      dataDirectory: join(fixture.directory, 'data'),
    });
    expect(line.message).toContain('Nacos started successfully in');
    expect(line.try).toBe(`curl '${url}/nacos/v1/ns/instance/list?serviceName=demo'`);
    expect(command.stderr).toBe('');
  });

  it('prints a banner in pretty form', async () => {
    const args = ['start', '--port', '0', '--log-format', 'pretty', '--data-dir', join(fixture.directory, 'data')];
    const command = fixture.spawn(args);
    await command.printed(/stop {7}Ctrl-C/);
    expect(command.stdout).toMatch(/listening {2}http:\/\/127\.0\.0\.1:\d+/);
    expect(command.stdout).not.toContain('\u001b');
  });

  it('warns loudly when everybody can reach it', async () => {
    const { command } = await fixture.startServer('--host', '0.0.0.0');
    const [line = ''] = await command.printed(/^.*"open-to-network".*$/m);
    expect(JSON.parse(line)).toMatchObject({ level: 'warn', message: expect.stringContaining('no authentication') });
  });
});

describe('a stop', PATIENCE, () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('by %s is clean, and the next start has everything', async (signal) => {
    const first = await fixture.startServer();
    const server = { ROLLCALL_SERVER: first.url };
    expect(await fixture.run(['register', 'orders', '10.0.0.1:8080', '--once'], server)).toMatchObject({ code: 0 });
    first.command.signal(signal);
    const end = await first.command.ended();
    expect(end.code).toBe(0);
    expect(end.stdout.trimEnd().split('\n').at(-1)).toContain('"server-stopped"');
    const second = await fixture.startServer();
    const list = await fixture.run(['instances', 'orders', '--json', '--server', second.url]);
    expect(JSON.parse(list.stdout).instances).toHaveLength(1);
  });

  it('ends at once with the second signal, although an answer is still being sent', async () => {
    const { command, url } = await fixture.startServer('--stop-timeout-ms', '30000');
    const socket = await leaveAnswersUnread(url);
    command.signal('SIGTERM');
    await command.printed(/"server-stopping"/);
    command.signal('SIGTERM');
    expect((await command.ended()).code).toBe(130);
    socket.destroy();
  });

  it('cuts what is still being sent when its time is over', async () => {
    const { command, url } = await fixture.startServer('--stop-timeout-ms', '200');
    const socket = await leaveAnswersUnread(url);
    command.signal('SIGTERM');
    expect(await command.ended()).toMatchObject({ code: 0, stdout: expect.stringContaining('"server-stopped"') });
    socket.destroy();
  });
});

/** A connection that asks for some 60 MB and reads nothing. */
async function leaveAnswersUnread(url: string): Promise<Socket> {
  const metadata = `k=${'x'.repeat(60_000)}`;
  for (let port = 1; port <= 10; port++) {
    const query = new URLSearchParams({ serviceName: 'big', ip: '10.0.0.1', port: String(port) });
    await fetch(`${url}/nacos/v1/ns/instance?${query}`, { method: 'POST', body: new URLSearchParams({ metadata }) });
  }
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  const request = 'GET /nacos/v1/ns/instance/list?serviceName=big HTTP/1.1\r\nHost: x\r\n\r\n';
  await new Promise((resolve) => socket.write(request.repeat(100), resolve));
  // Answered after the server has begun with the connection above.
  await fetch(`${url}/rollcall/v1/status`);
  return socket;
}

describe('no start', PATIENCE, () => {
  const startOn = (...args: string[]) =>
    fixture.run(['start', '--data-dir', join(fixture.directory, 'other'), ...args]);

  it('on a port that is taken', async () => {
    const { url } = await fixture.startServer();
    const { port } = new URL(url);
    expect(await startOn('--port', port, '--grpc-port-offset', '0')).toMatchObject({
      code: 11,
      stderr: expect.stringMatching(new RegExp(`^rollcall: Cannot listen on 127\\.0\\.0\\.1:${port}: .*--port.*\n$`)),
    });
  });

  it('on a directory that another server uses, whose process id it names', async () => {
    const { command } = await fixture.startServer();
    const { pid } = JSON.parse(command.stdout.split('\n')[0] ?? '');
    const second = await fixture.run(['start', '--port', '0', '--data-dir', join(fixture.directory, 'data')]);
    expect(second).toMatchObject({ code: 13, stderr: expect.stringContaining(`process ${pid} uses it`) });
    expect(second.stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('on a directory that is none', async () => {
    const file = join(fixture.directory, 'file');
    writeFileSync(file, '');
    const end = await fixture.run(['start', '--port', '0', '--data-dir', file]);
    expect(end).toMatchObject({ code: 14, stderr: expect.stringContaining(`"${file}"`) });
    expect(end.stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it.each([
    [
      ['--port', 'x'],
      {},
      'Cannot use option "port" from flag --port: found "x", allowed is a whole number from 0 to 65535',
    ],
    [[], { ROLLCALL_LOG_LEVEL: 'loud' }, 'from environment variable ROLLCALL_LOG_LEVEL: found "loud"'],
    [['--config', '/no/such/file'], {}, 'Cannot read configuration file "/no/such/file" (flag --config): ENOENT'],
  ])('with %j %j', async (args, environment, message) => {
    const end = await fixture.run(['start', ...args], environment as Record<string, string>);
    expect(end).toMatchObject({ code: 10, stdout: '', stderr: expect.stringContaining(message) });
    expect(end.stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});
