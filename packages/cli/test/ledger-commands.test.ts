import { afterAll, beforeAll, expect, it } from 'vitest';
import { CommandFixture } from './rollcall-command.test-support.js';

const fixture = new CommandFixture();
let url: string;

const ask = (args: readonly string[]) => fixture.run([...args, '--server', url]);
const send = (method: string, parameters: Record<string, string>) =>
  fetch(`${url}/nacos/v1/ns/instance?${new URLSearchParams({ serviceName: 'orders', ...parameters })}`, { method });

beforeAll(async () => {
  ({ url } = await fixture.startServer('--grpc-port-offset', '0'));
  await send('POST', { ip: '10.0.0.1', port: '8080' });
  await fetch(`${url}/nacos/v1/ns/instance/list?serviceName=orders`);
  await send('DELETE', { ip: '10.0.0.1', port: '8080' });
  await fetch(`${url}/nacos/v1/ns/instance/list?serviceName=orders`);
}, 60_000);
afterAll(() => fixture.remove());

it('why: the verdict, stages and subscribers; in Chinese and as JSON when asked', { timeout: 60_000 }, async () => {
  const english = await ask(['why', 'orders', '10.0.0.1:8080']);
  expect(english).toMatchObject({ code: 0, stderr: '' });
  expect(english.stdout).toContain('Subscriber 127.0.0.1 takes no pushes and learned by polling');
  expect(english.stdout).toMatch(/^total +0\.\d{3} s$/m);
  expect((await ask(['why', 'orders', '10.0.0.1:8080', '--lang', 'zh'])).stdout).toContain(
    '订阅者 127.0.0.1 不接收推送',
  );
  const json = JSON.parse((await ask(['why', 'orders', '10.0.0.1:8080', '--json'])).stdout);
  expect(json).toMatchObject({ cause: 'poll-only', state: 'removed', subscribers: [{ subscriber: '127.0.0.1' }] });
});

it('as: the list that a subscriber held', { timeout: 60_000 }, async () => {
  const json = JSON.parse((await ask(['as', '127.0.0.1', 'orders', '--json'])).stdout);
  expect(json).toMatchObject({ how: 'polled', instances: [], complete: true });
  expect((await ask(['as', '10.9.9.9', 'orders'])).stdout).toContain('No list is known to have been told');
  const chinese = await ask(['as', '127.0.0.1', 'orders', '--lang', 'zh']);
  expect(chinese.stdout).toMatch(/^127\.0\.0\.1 在 .*：版本 \d+，.* 通过轮询得到$/m);
});

it('history: a line per fact, and what happens with --follow', { timeout: 60_000 }, async () => {
  const { stdout } = await ask(['history', 'orders', '10.0.0.1:8080']);
  expect(stdout).toMatch(/instance-registered +10\.0\.0\.1:8080 registered/);
  expect(stdout).toMatch(/instance-removed +10\.0\.0\.1:8080 deregistered/);
  const chinese = await ask(['history', 'orders', '10.0.0.1:8080', '--lang', 'zh']);
  expect(chinese.stdout).toMatch(/实例已移除 +10\.0\.0\.1:8080 注销 版本 \d+/);
  const follow = fixture.spawn(['history', 'orders', '--follow', '--server', url]);
  await follow.printed(/instance-removed/);
  await send('POST', { ip: '10.0.0.2', port: '8080' });
  await follow.printed(/instance-registered +10\.0\.0\.2:8080/);
  follow.signal('SIGINT');
  expect((await follow.ended()).code).toBe(0);
});

it('refuses times that it cannot read', { timeout: 60_000 }, async () => {
  const { code, stderr } = await ask(['why', 'orders', '10.0.0.1:8080', '--at', 'yesterday']);
  expect(code).toBe(2);
  expect(stderr).toContain('Cannot read the time "yesterday"');
});
