// Scenario `grpc-abuse`: what others notice of HTTP/2 abuse. Lists are asked for at a steady rate, first in peace, then while
// each kind of abuse goes on over eight connections that come back whenever they are closed.
import { setTimeout as sleep } from 'node:timers/promises';
import { HTTP2_ATTACKS, Http2AttackRun } from '../http2-attack.js';
import { encodeFullBeats, encodeLists } from '../instance-population.js';
import { runLoad } from '../load-generator.js';
import { runPacedLoad } from '../paced-load.js';
import { startRollcall } from '../rollcall-server.js';
import type { FigureRow } from '../round-table.js';
import type { Scenario } from '../scenario.js';
import { spreadOf } from '../spread.js';
import { isOk } from '../throughput-comparison.js';

const POPULATION = { prefix: 'bench.abuse', instances: 10 };
const LISTS_PER_SECOND = 500;
const CONNECTIONS = 8;
/** For what the abuse before has left to be done. */
const PAUSE_MS = 200;

/** Lists in spite of abuse. */
export const grpcAbuseScenario: Scenario = {
  name: 'grpc-abuse',
  title: 'Lists at 500 per second while each kind of HTTP/2 abuse goes on',
  defaults: { rounds: 3, seconds: 3 },
  run: async (setting) => {
    const server = await startRollcall();
    const p99 = new Map<string, number[]>();
    const closed = new Map<string, number[]>();
    const failures: string[] = [];
    const { endpoint } = server;
    const beats = encodeFullBeats(endpoint, POPULATION);
    try {
      for (let round = 0; round < setting.rounds; round++) {
        for (const attack of [undefined, ...HTTP2_ATTACKS]) {
          await runLoad({
            endpoint,
            connections: 1,
            requests: beats,
            stop: { afterRequests: beats.length },
            accepts: isOk,
          });
          const name = attack?.name ?? 'nothing';
          const run = attack === undefined ? undefined : new Http2AttackRun(endpoint, attack);
          const lists = await runPacedLoad({
            endpoint,
            connections: CONNECTIONS,
            requests: encodeLists(endpoint, POPULATION),
            ratePerSecond: LISTS_PER_SECOND,
            seconds: setting.seconds,
            accepts: isOk,
          });
          run?.stop();
          if (lists.failed > 0) failures.push(`${name}: ${lists.failed} lists failed, first: ${lists.firstFailure}`);
          p99.set(name, [...(p99.get(name) ?? []), lists.latency.quantileMs(0.99)]);
          if (run !== undefined) closed.set(name, [...(closed.get(name) ?? []), run.closed]);
          await sleep(PAUSE_MS);
        }
      }
    } finally {
      await server.stop();
    }
    const row = (figure: string, unit: string, values: readonly number[]): FigureRow => ({
      figure,
      contender: 'rollcall',
      unit,
      value: spreadOf(values),
    });
    return {
      rows: [
        ...[...p99].map(([name, values]) => row(`list p99 during ${name}`, 'ms', values)),
        ...[...closed].map(([name, values]) => row(`connections closed, ${name}`, '', values)),
      ],
      failures,
    };
  },
};
