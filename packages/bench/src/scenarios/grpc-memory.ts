// Scenario `grpc-memory`: how much resident memory grows per gRPC connection that is set up and subscribes to one service,
// when there are 10,000 of them. Garbage that the server has not yet collected counts as well.
import { setTimeout as sleep } from 'node:timers/promises';
import { withContenders } from '../contender-group.js';
import { GrpcSubscriber, openSubscribers } from '../grpc-subscriber.js';
import { readResidentBytes } from '../process-figures.js';
import type { Scenario } from '../scenario.js';
import { spreadOf } from '../spread.js';

const SERVICES = 5;

/** Resident bytes per connection; `--seconds` is the pause before reading, below the 20 s after which silence is noticed. */
export const grpcMemoryScenario: Scenario = {
  name: 'grpc-memory',
  title: 'Growth of resident memory per gRPC connection at 10,000 connections',
  defaults: { rounds: 3, seconds: 3 },
  run: async (setting) => {
    const connections = setting.scale === 'smoke' ? 50 : 10_000;
    const values = new Map<string, number[]>();
    for (let round = 0; round < setting.rounds; round++) {
      await withContenders(setting, async ({ servers }) => {
        for (const { name, endpoint, pid } of servers) {
          const before = pid === undefined ? undefined : readResidentBytes(pid);
          const subscribers = await openSubscribers(
            connections,
            () => new GrpcSubscriber(endpoint),
            (subscriber, n) => subscriber.subscribe(`bench.grpc.memory.${n % SERVICES}`),
          );
          await sleep(setting.seconds * 1000);
          const after = pid === undefined ? undefined : readResidentBytes(pid);
          for (const subscriber of subscribers) subscriber.close();
          if (before === undefined || after === undefined) continue;
          values.set(name, [...(values.get(name) ?? []), (after - before) / connections / 1024]);
        }
      });
    }
    const rows = [...values].map(([contender, kibibytes]) => ({
      figure: 'resident memory per gRPC connection',
      contender,
      unit: 'KiB',
      value: spreadOf(kibibytes),
    }));
    return { rows, failures: [] };
  },
};
