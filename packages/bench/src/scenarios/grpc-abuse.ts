// Scenario `grpc-abuse`: what others notice of HTTP/2 abuse. Lists are asked for at a steady rate, in peace before each kind
// of abuse and while it goes on over eight connections that come back whenever they are closed.
import { setTimeout as sleep } from 'node:timers/promises';
import { AttackerProcess } from '../attacker-process.js';
import type { Endpoint } from '../endpoint.js';
import { HTTP2_ATTACKS } from '../http2-attack.js';
import { encodeFullBeats, encodeLists } from '../instance-population.js';
import { runLoad } from '../load-generator.js';
import { OwnLoad } from '../own-load.js';
import { type PacedResult, runPacedLoad } from '../paced-load.js';
import { startRollcall } from '../rollcall-server.js';
import type { FigureRow } from '../round-table.js';
import type { BenchSetting, Scenario } from '../scenario.js';
import { spreadOf } from '../spread.js';
import { isOk } from '../throughput-comparison.js';

const POPULATION = { prefix: 'bench.abuse', instances: 10 };
const LISTS_PER_SECOND = 500;
const CONNECTIONS = 8;
/** For what the abuse before has left to be done. */
const PAUSE_MS = 200;
const PEACE = 'nothing';

/** Lists in spite of abuse. */
export const grpcAbuseScenario: Scenario = {
  name: 'grpc-abuse',
  title: 'Lists at 500 per second while each kind of HTTP/2 abuse goes on',
  defaults: { rounds: 3, seconds: 3 },
  run: async (setting) => {
    const server = await startRollcall();
    const attacker = await AttackerProcess.start();
    const figures = new Figures();
    const ownLoad = new OwnLoad();
    try {
      await runLists(server.endpoint, setting.seconds);
      for (let round = 0; round < setting.rounds; round++)
        for (const { name } of HTTP2_ATTACKS) await oneKind(server.endpoint, attacker, { name, setting, figures });
    } finally {
      await attacker.stop();
      await server.stop();
    }
    return { rows: [...figures.rows(), ...ownLoad.rows('rollcall')], failures: figures.failures };
  },
};

async function oneKind(
  endpoint: Endpoint,
  attacker: AttackerProcess,
  { name, setting, figures }: { readonly name: string; readonly setting: BenchSetting; readonly figures: Figures },
): Promise<void> {
  figures.take(PEACE, await runLists(endpoint, setting.seconds));
  attacker.attack(endpoint, name);
  const lists = await runLists(endpoint, setting.seconds);
  figures.take(name, lists, await attacker.cease());
  await sleep(PAUSE_MS);
}

async function runLists(endpoint: Endpoint, seconds: number): Promise<PacedResult> {
  const beats = encodeFullBeats(endpoint, POPULATION);
  const stop = { afterRequests: beats.length };
  await runLoad({ endpoint, connections: 1, requests: beats, stop, accepts: isOk });
  return runPacedLoad({
    endpoint,
    connections: CONNECTIONS,
    requests: encodeLists(endpoint, POPULATION),
    ratePerSecond: LISTS_PER_SECOND,
    seconds,
    accepts: isOk,
  });
}

/** What was measured, by kind of abuse. */
class Figures {
  readonly failures: string[] = [];
  readonly #values = new Map<string, { readonly unit: string; readonly values: number[] }>();

  take(name: string, lists: PacedResult, closed?: number): void {
    if (lists.failed > 0) this.failures.push(`${name}: ${lists.failed} lists failed, first: ${lists.firstFailure}`);
    this.#add(`list p99 during ${name}`, 'ms', lists.latency.quantileMs(0.99));
    this.#add(`list p50 during ${name}`, 'ms', lists.latency.quantileMs(0.5));
    if (closed !== undefined) this.#add(`connections closed, ${name}`, '', closed);
  }

  rows(): FigureRow[] {
    return [...this.#values].map(([figure, { unit, values }]) => ({
      figure,
      contender: 'rollcall',
      unit,
      value: spreadOf(values),
    }));
  }

  #add(figure: string, unit: string, value: number): void {
    const known = this.#values.get(figure);
    if (known === undefined) this.#values.set(figure, { unit, values: [value] });
    else known.values.push(value);
  }
}
