// Scenario `subscription-load`: whether 10,000 subscriptions that are only there slow lists and beats down. The same load
// runs in alternating rounds on two servers of ours, one of which has the subscriptions.
import type { Contender } from '../contender.js';
import type { Endpoint } from '../endpoint.js';
import {
  encodeFullBeats,
  encodeLightBeats,
  encodeList,
  encodeLists,
  encodeRegistrations,
} from '../instance-population.js';
import { runLoad } from '../load-generator.js';
import { startRollcall } from '../rollcall-server.js';
import type { FigureRow } from '../round-table.js';
import type { BenchSetting, Scenario } from '../scenario.js';
import { ratiosOf, spreadOf } from '../spread.js';
import { CONNECTIONS, isOk } from '../throughput-comparison.js';

const LISTED = { prefix: 'bench.quiet.list', instances: 10 };
const BEATING = { prefix: 'bench.quiet.beat', instances: 1000 };
const KINDS = ['list', 'beat'] as const;
type Kind = (typeof KINDS)[number];

/** Lists and beats beside subscriptions. */
export const subscriptionLoadScenario: Scenario = {
  name: 'subscription-load',
  title: 'Lists and beats with 10,000 UDP subscriptions present, compared with none',
  defaults: { rounds: 5, seconds: 3 },
  run: async (setting) => {
    const failures: string[] = [];
    const empty = await startRollcall();
    try {
      const subscribed = await startRollcall();
      try {
        return { rows: await compare(empty, subscribed, setting, failures), failures };
      } finally {
        await subscribed.stop();
      }
    } finally {
      await empty.stop();
    }
  },
};

async function compare(
  empty: Contender,
  subscribed: Contender,
  setting: BenchSetting,
  failures: string[],
): Promise<FigureRow[]> {
  const subscriptions = encodeSubscriptions(subscribed.endpoint, setting.scale === 'smoke' ? 50 : 10_000);
  const rates = new Map<string, number[]>();
  for (const server of [empty, subscribed]) await send(server, encodeRegistrations(server.endpoint, BEATING), failures);
  for (let round = 0; round <= setting.rounds; round++) {
    for (const kind of KINDS) {
      for (const server of round % 2 === 0 ? [empty, subscribed] : [subscribed, empty]) {
        await send(subscribed, subscriptions, failures);
        await send(server, encodeFullBeats(server.endpoint, LISTED), failures);
        const rate = await measure(server, kind, setting.seconds, failures);
        const key = `${kind} ${server === empty ? 'none' : 'many'}`;
        // The first round warms up.
        if (round > 0) rates.set(key, [...(rates.get(key) ?? []), rate]);
      }
    }
  }
  return KINDS.flatMap((kind) => rowsOf(kind, rates.get(`${kind} none`) ?? [], rates.get(`${kind} many`) ?? []));
}

function rowsOf(kind: Kind, none: readonly number[], many: readonly number[]): readonly FigureRow[] {
  const row = (figure: string, unit: string, values: readonly number[]): FigureRow => ({
    figure: `${kind} ${figure}`,
    contender: 'rollcall',
    unit,
    value: spreadOf(values),
  });
  return [
    row('rate without subscriptions', '/s', none),
    row('rate with subscriptions', '/s', many),
    row('rate, with / without', 'x', ratiosOf(many, none)),
  ];
}

function encodeSubscriptions(endpoint: Endpoint, count: number): readonly Buffer[] {
  return Array.from({ length: count }, (_, n) => encodeList(endpoint, `bench.quiet.${n % 100}`, n + 1024));
}

async function send({ name, endpoint }: Contender, requests: readonly Buffer[], failures: string[]): Promise<void> {
  const stop = { afterRequests: requests.length };
  const { failed, firstFailure } = await runLoad({ endpoint, connections: CONNECTIONS, requests, stop, accepts: isOk });
  if (failed > 0) failures.push(`${name}: ${failed} failures, first: ${firstFailure}`);
}

async function measure(
  { name, endpoint }: Contender,
  kind: Kind,
  seconds: number,
  failures: string[],
): Promise<number> {
  const requests = kind === 'list' ? encodeLists(endpoint, LISTED) : encodeLightBeats(endpoint, BEATING);
  const stop = { afterSeconds: seconds };
  const result = await runLoad({ endpoint, connections: CONNECTIONS, requests, stop, accepts: isOk });
  if (result.failed > 0) failures.push(`${name}: ${result.failed} failures, first: ${result.firstFailure}`);
  return result.ratePerSecond;
}
