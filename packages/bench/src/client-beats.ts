// Program of the scenario `client-beats`: one process that keeps 1,000 instances registered, with our client or with npm
// `nacos`, and says when all are. Its CPU time is read from outside. Arguments: which client, port of the server, instances.
import { connect } from '@rollcall/client';
import { NacosNamingClient } from 'nacos';

const AT_ONCE = 50;
const SILENT = { info() {}, warn() {}, error() {}, debug() {}, log() {} };

type Register = (port: number) => Promise<unknown>;

async function registerWith(which: string | undefined, servers: string): Promise<Register> {
  const service = `bench.${which}`;
  if (which === 'rollcall') {
    const client = connect({ servers, protocol: 'http', keepsProcessAlive: true });
    return (port) => client.register(service, { ip: '10.0.0.1', port }, { deadlineMs: 60_000 });
  }
  const client = new NacosNamingClient({
    logger: SILENT as unknown as typeof console,
    serverList: servers,
    namespace: 'public',
  });
  await client.ready();
  const instance = { instanceId: '', ip: '10.0.0.1', healthy: true, enabled: true };
  return (port) => client.registerInstance(service, { ...instance, port });
}

const [which, port, count] = process.argv.slice(2);
const register = await registerWith(which, `127.0.0.1:${port}`);
for (let first = 0; first < Number(count); first += AT_ONCE) {
  await Promise.all(
    Array.from({ length: Math.min(AT_ONCE, Number(count) - first) }, (_, i) => register(first + i + 1)),
  );
}
process.send?.('registered');
