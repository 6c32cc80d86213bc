// Closed-loop load over gRPC: connections with a fixed number of calls in flight each, for a time.
import type { Endpoint } from './endpoint.js';
import { GrpcSubscriber } from './grpc-subscriber.js';
import { LatencyHistogram } from './latency-histogram.js';
import type { LoadResult } from './load-generator.js';

/** What to call, and for how long. */
export interface GrpcLoadPlan {
  readonly endpoint: Endpoint;
  readonly connections: number;
  /** Calls under way on each connection. */
  readonly inFlight: number;
  readonly seconds: number;
  /** Calls that are made at least, however long that takes: a runtime is warm after so many, not after a time. Default none. */
  readonly callsMin?: number;
  /** The calls of one connection, made in turn and from the start again; not empty. */
  readonly messages: (connection: number) => readonly Buffer[];
}

/** Runs the load. Failed calls are counted; the first one ends its connection's part of it. */
export async function runGrpcLoad(plan: GrpcLoadPlan): Promise<LoadResult> {
  const { callsMin = 0 } = plan;
  const latency = new LatencyHistogram();
  const clients = await Promise.all(
    Array.from({ length: plan.connections }, async () => {
      const client = new GrpcSubscriber(plan.endpoint);
      await client.setUp();
      return client;
    }),
  );
  let firstFailure: string | undefined;
  let failed = 0;
  const startedAtMs = performance.now();
  const endsAtMs = startedAtMs + plan.seconds * 1000;
  const lane = async (client: GrpcSubscriber, messages: readonly Buffer[], first: number): Promise<void> => {
    for (let n = first; ; n += plan.inFlight) {
      const sentAtMs = performance.now();
      if (sentAtMs >= endsAtMs && latency.count >= callsMin) return;
      try {
        await client.call(messages[n % messages.length] as Buffer);
      } catch (error) {
        failed++;
        firstFailure ??= String(error);
        return;
      }
      latency.record(performance.now() - sentAtMs);
    }
  };
  await Promise.all(
    clients.flatMap((client, index) => {
      const messages = plan.messages(index);
      return Array.from({ length: plan.inFlight }, (_, first) => lane(client, messages, first));
    }),
  );
  for (const client of clients) client.close();
  const seconds = (performance.now() - startedAtMs) / 1000;
  const { count } = latency;
  return { answered: count, failed, firstFailure, seconds, ratePerSecond: count / seconds, latency };
}
