// The common shape of the throughput scenarios: prepare each real server, give the baseline the bytes that ours answers,
// then measure all of them with the same kind of requests in alternating rounds.
import { captureAnswer } from './baseline-server.js';
import type { ContenderName } from './contender.js';
import type { ContenderGroup } from './contender-group.js';
import type { Endpoint } from './endpoint.js';
import type { Answer } from './http-response-reader.js';
import { type LoadPlan, runLoad } from './load-generator.js';
import { figureRows, runRounds } from './round-table.js';
import type { BenchSetting, ScenarioReport } from './scenario.js';

/** One kind of request to compare. */
export interface ThroughputPlan {
  /** Goes in front of each figure's name. */
  readonly label: string;
  /** Sent once to each real server before its every round, not measured: registrations, or beats that keep them healthy. */
  readonly preparation: (endpoint: Endpoint) => readonly Buffer[];
  /** The load, sent in turn and from the start again. */
  readonly load: (endpoint: Endpoint) => readonly Buffer[];
  /** Whether an answer to the load is the right one. */
  readonly accepts: (answer: Answer) => boolean;
}

/** Connections of the load generator, each with one request in flight. */
export const CONNECTIONS = 64;

const WARM_UP_SECONDS_MAX = 2;

/** Measures one kind of request on all contenders. */
export async function compareThroughput(
  group: ContenderGroup,
  plan: ThroughputPlan,
  setting: BenchSetting,
): Promise<ScenarioReport> {
  const failures: string[] = [];
  const encoded = new Map(
    group.all.map(({ name, endpoint }) => [
      name,
      { load: plan.load(endpoint), preparation: name === 'bare-tcp' ? [] : plan.preparation(endpoint) },
    ]),
  );
  const requestsOf = (name: ContenderName, kind: 'load' | 'preparation'): readonly Buffer[] =>
    encoded.get(name)?.[kind] ?? [];
  const run = async (name: ContenderName, step: Omit<LoadPlan, 'connections'>) => {
    const result = await runLoad({ connections: CONNECTIONS, ...step });
    if (result.failed > 0)
      failures.push(`${plan.label}: ${name}: ${result.failed} failures, first: ${result.firstFailure}`);
    return result;
  };
  const prepare = async (name: ContenderName, endpoint: Endpoint): Promise<void> => {
    const requests = requestsOf(name, 'preparation');
    if (requests.length === 0) return;
    await run(name, { endpoint, requests, stop: { afterRequests: requests.length }, accepts: isOk });
  };

  const { rollcall, baseline } = group;
  await prepare(rollcall.name, rollcall.endpoint);
  const sample = requestsOf(rollcall.name, 'load')[0] ?? Buffer.alloc(0);
  await baseline.prepare(await captureAnswer(rollcall.endpoint, sample));

  const measure = async (name: ContenderName, endpoint: Endpoint, seconds: number) => {
    await prepare(name, endpoint);
    return run(name, {
      endpoint,
      requests: requestsOf(name, 'load'),
      stop: { afterSeconds: seconds },
      accepts: plan.accepts,
    });
  };
  for (const { name, endpoint } of group.all) {
    await measure(name, endpoint, Math.min(setting.seconds, WARM_UP_SECONDS_MAX));
  }
  const table = await runRounds(
    group.all,
    setting.rounds,
    ({ name, endpoint }) => measure(name, endpoint, setting.seconds),
    setting.log,
  );
  return { rows: figureRows(plan.label, table), failures };
}

/** Whether the HTTP status is 200. */
export const isOk = ({ status }: Answer): boolean => status === 200;
