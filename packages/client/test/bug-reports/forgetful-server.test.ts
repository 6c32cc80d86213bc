// A server that comes back without anything that it knew.

import { expect, test } from 'vitest';
import { connect } from '../../src/index.js';
import { RollcallServer, until } from '../rollcall-server.test-support.js';

test.each(['http', 'grpc'] as const)(
  'BR-116 a server that comes back empty has what is wanted within 15 s, and nothing else: %s',
  async (protocol) => {
    const server = await RollcallServer.start();
    const own = connect({ servers: server.address, protocol });
    const view = own.subscribe('s');
    await own.register('s', { ip: '10.0.0.1', port: 1 });
    const leaving = await own.register('s', { ip: '10.0.0.2', port: 1 });
    await until(() => view.instances.length === 2);
    await server.kill();
    // Over HTTP the call has nobody to go to; over gRPC the server's end has ended the registration already.
    const left = leaving.close().catch((error: unknown) => error);
    if (protocol === 'http') expect(await left).toMatchObject({ code: 'unreachable' });
    else expect(await left).toBeUndefined();
    await server.forget();
    await server.start();
    const startedAt = performance.now();
    const other = connect({ servers: server.address, protocol });
    await other.register('s', { ip: '10.0.0.3', port: 1 });
    const ips = (hosts: readonly { ip?: unknown }[]) => hosts.map(({ ip }) => ip).sort();
    await until(() => ips(view.instances).join() === '10.0.0.1,10.0.0.3');
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    expect(ips(await server.hosts('s'))).toEqual(['10.0.0.1', '10.0.0.3']);
    await Promise.all([own.close(), other.close()]);
    await server.dispose();
  },
  60_000,
);
