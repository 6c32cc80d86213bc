// Scenario `grpc-unary`: calls per second over gRPC on one connection with 32 under way and on 100 with one each:
// registrations that change something, registrations that are taken back, and queries of a service with ten hosts.
import { withContenders } from '../contender-group.js';
import type { Endpoint } from '../endpoint.js';
import { runGrpcLoad } from '../grpc-load.js';
import { grpcMessage } from '../grpc-message.js';
import { GrpcSubscriber, instanceMessage, serviceFields } from '../grpc-subscriber.js';
import { type FigureRow, figureRows, runRounds } from '../round-table.js';
import type { Scenario } from '../scenario.js';

const QUERIED = 'bench.grpc.queried';
const HOSTS = 10;
/** Services of each connection; a client has one instance of its own in a service. Even, so that lanes keep their kind. */
const SERVICES = 64;
/** Before the first round of each load: after fewer calls a cold server would be compared. */
const WARM_UP_CALLS = 30_000;
const SHAPES = [
  { connections: 1, inFlight: 32 },
  { connections: 100, inFlight: 1 },
];

const services = Array.from({ length: SERVICES }, (_, n) => n);
const instance = (connection: number, n: number, version: string) => ({
  serviceName: `bench.grpc.${connection}.${n}`,
  ip: '10.0.0.1',
  version,
});

const LOADS: readonly { readonly label: string; readonly messages: (connection: number) => readonly Buffer[] }[] = [
  {
    label: 'register',
    messages: (connection) =>
      ['a', 'b'].flatMap((version) =>
        services.map((n) => instanceMessage('registerInstance', instance(connection, n, version))),
      ),
  },
  {
    label: 'register and deregister',
    messages: (connection) =>
      (['registerInstance', 'deregisterInstance'] as const).flatMap((type) =>
        services.map((n) => instanceMessage(type, instance(connection, n, 'c'))),
      ),
  },
  {
    label: 'query',
    messages: () => [
      grpcMessage('ServiceQueryRequest', { ...serviceFields(QUERIED), cluster: '', healthyOnly: false }),
    ],
  },
];

/** Calls per second. */
export const grpcUnaryScenario: Scenario = {
  name: 'grpc-unary',
  title: 'Register, deregister and query over gRPC on 1 and on 100 connections',
  defaults: { rounds: 5, seconds: 3 },
  run: (setting) =>
    withContenders(setting, async ({ servers }) => {
      const rows: FigureRow[] = [];
      const failures: string[] = [];
      const publishers = (await Promise.all(servers.map(({ endpoint }) => publishHosts(endpoint)))).flat();
      for (const { label, messages } of LOADS) {
        for (const shape of SHAPES) {
          const connections = setting.scale === 'smoke' ? Math.min(shape.connections, 5) : shape.connections;
          const measure = async (
            endpoint: Endpoint,
            length: { readonly seconds: number; readonly callsMin?: number },
          ) => {
            const result = await runGrpcLoad({ ...shape, connections, endpoint, ...length, messages });
            if (result.failed > 0) failures.push(`${label}: ${result.failed} failures, first: ${result.firstFailure}`);
            return result;
          };
          const callsMin = setting.scale === 'smoke' ? 0 : WARM_UP_CALLS;
          for (const { endpoint } of servers)
            await measure(endpoint, { seconds: Math.min(setting.seconds, 1), callsMin });
          const table = await runRounds(
            servers,
            setting.rounds,
            ({ endpoint }) => measure(endpoint, { seconds: setting.seconds }),
            setting.log,
          );
          rows.push(...figureRows(`${label}, ${connections} connections`, table));
        }
      }
      for (const publisher of publishers) publisher.close();
      return { rows, failures };
    }),
};

/** Ten clients, each with a host in the queried service, for as long as they are open. */
async function publishHosts(endpoint: Endpoint): Promise<GrpcSubscriber[]> {
  return Promise.all(
    Array.from({ length: HOSTS }, async (_, n) => {
      const publisher = new GrpcSubscriber(endpoint);
      await publisher.setUp();
      await publisher.call(
        instanceMessage('registerInstance', { serviceName: QUERIED, ip: `10.1.0.${n}`, version: 'a' }),
      );
      return publisher;
    }),
  );
}
