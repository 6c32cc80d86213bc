// Many registrations of one process at once: all succeed over few sockets, all beat in time, and a redo that fails here and
// there is repeated until everything is back.

import { afterEach, expect, test } from 'vitest';
import { ScriptedGrpcServer, usualGrpcAnswer } from '../src/adapters/scripted-grpc-server.test-support.js';
import { ScriptedServer, usualAnswer } from '../src/adapters/scripted-server.test-support.js';
import { RegistryClient } from '../src/app/registry-client.js';
import { until } from './rollcall-server.test-support.js';

const ends: (() => Promise<unknown> | unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Remembers when each key was seen. */
class Sightings {
  readonly timesMs = new Map<string, number[]>();

  note(key: string): void {
    const times = this.timesMs.get(key) ?? [];
    this.timesMs.set(key, [...times, performance.now()]);
  }

  /** Time between two sightings of the same key, of all keys. */
  get gapsMs(): number[] {
    return [...this.timesMs.values()].flatMap((times) => times.slice(1).map((time, i) => time - (times[i] as number)));
  }
}

test('BR-132 over HTTP 1,000 registrations at once all succeed over 8 sockets, and all beat in time', async () => {
  const intervalMs = 4000;
  const server = await ScriptedServer.start();
  const beats = new Sightings();
  server.answer = (request) => {
    if (!request.path.endsWith('/beat')) return usualAnswer(request);
    beats.note(request.query.get('port') ?? '');
    return `{"clientBeatInterval":${intervalMs},"code":10200,"lightBeatEnabled":true}`;
  };
  const own = new RegistryClient({ servers: server.address, protocol: 'http', push: 'off' });
  ends.push(() => server.close());
  const metadata = { 'preserved.heart.beat.interval': String(intervalMs) };
  await Promise.all(
    Array.from({ length: 1000 }, (_, i) =>
      own.register('s', { ip: '10.0.0.1', port: i + 1, metadata }, { deadlineMs: 60_000 }),
    ),
  );
  expect(server.to('/instance', 'POST')).toHaveLength(1000);
  await until(() => beats.timesMs.size === 1000 && [...beats.timesMs.values()].every((times) => times.length >= 2));
  expect(Math.max(...beats.gapsMs)).toBeLessThan(2 * intervalMs);
  expect(server.connectionsMax).toBe(8);
  await own.close();
  expect(server.to('/instance', 'DELETE')).toHaveLength(1000);
}, 120_000);

test('BR-115 over gRPC a redo of 2,000 services of which a tenth of the calls fails brings all back, each with growing waits', async () => {
  const server = await ScriptedGrpcServer.start();
  ends.push(() => server.close());
  const own = new RegistryClient({ servers: server.address, protocol: 'grpc', grpcPortOffset: 0 }, { random: () => 0 });
  ends.push(() => own.close({ deadlineMs: 5000 }));
  const handles = await Promise.all(
    Array.from({ length: 2000 }, (_, i) => own.register(`s${i}`, { ip: '10.0.0.1', port: 1 }, { deadlineMs: 60_000 })),
  );
  const tries = new Sightings();
  let calls = 0;
  server.answer = (message) => {
    if (message.type !== 'InstanceRequest') return usualGrpcAnswer(message);
    tries.note(String(message.body.serviceName));
    if (calls++ % 10 !== 0) return usualGrpcAnswer(message);
    return ['ErrorResponse', { resultCode: 500, errorCode: 500, message: 'busy' }];
  };
  server.cut();
  await until(() => server.setups === 2 && handles.every(({ isHeld }) => isHeld));
  expect([server.setups, tries.timesMs.size]).toEqual([2, 2000]);
  expect(tries.gapsMs.length).toBeGreaterThan(200);
  // Half a second after the first failure, without jitter; timers of Node may be early by a millisecond.
  expect(Math.min(...tries.gapsMs)).toBeGreaterThan(498);
}, 120_000);
