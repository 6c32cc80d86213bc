// Changes at a steady rate, one service after another, each followed until the last subscriber of its service has it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Endpoint } from './endpoint.js';
import { instanceAddress, type Population } from './instance-population.js';
import { LatencyHistogram } from './latency-histogram.js';
import type { MixedArrival, MixedAudience } from './mixed-audience.js';

/** What to change, and how often. */
export interface ChangePlan {
  readonly endpoint: Endpoint;
  readonly population: Population & { readonly perService: number };
  readonly services: number;
  readonly perSecond: number;
  readonly seconds: number;
  /** Goes in front of the numbers of versions, so that those of two runs differ. */
  readonly versions: string;
}

/** How the changes arrived. */
export interface ChangeResult {
  /** From the start of a change's request to its last subscriber, over both transports and over each. */
  readonly all: LatencyHistogram;
  readonly udp: LatencyHistogram;
  readonly grpc: LatencyHistogram;
  readonly changes: number;
  /** Changes that took longer than 5 s, those among them that never arrived included. */
  readonly late: number;
  /** Of the late ones: what never arrived over each transport. */
  readonly missingUdp: number;
  readonly missingGrpc: number;
}

const LATE_MS = 5000;

/** The first instance of one service after another gets new metadata. Resolves when every change has arrived or is given up. */
export async function runChangeLoad(audience: MixedAudience, plan: ChangePlan): Promise<ChangeResult> {
  const counts = { changes: Math.floor(plan.perSecond * plan.seconds), late: 0, missingUdp: 0, missingGrpc: 0 };
  const latency = { all: new LatencyHistogram(), udp: new LatencyHistogram(), grpc: new LatencyHistogram() };
  const take = ({ udpMs, grpcMs }: MixedArrival): void => {
    if (udpMs === undefined) counts.missingUdp += 1;
    else latency.udp.record(udpMs);
    if (grpcMs === undefined) counts.missingGrpc += 1;
    else latency.grpc.record(grpcMs);
    const lastMs = Math.max(udpMs ?? Number.POSITIVE_INFINITY, grpcMs ?? Number.POSITIVE_INFINITY);
    if (lastMs > LATE_MS) counts.late += 1;
    if (Number.isFinite(lastMs)) latency.all.record(lastMs);
  };
  const pending: Promise<void>[] = [];
  const startedAtMs = performance.now();
  for (let n = 0; n < counts.changes; n++) {
    await sleep(Math.max(0, startedAtMs + (n / plan.perSecond) * 1000 - performance.now()));
    pending.push(change(audience, plan, n).then(take));
  }
  await Promise.all(pending);
  return { ...latency, ...counts };
}

async function change(audience: MixedAudience, plan: ChangePlan, n: number): Promise<MixedArrival> {
  const { endpoint, population, services } = plan;
  const service = n % services;
  const version = `${plan.versions}${n + 1}`;
  const { serviceName, ip } = instanceAddress(population, service * population.perService);
  const metadata = JSON.stringify({ version });
  const query = new URLSearchParams({ serviceName, ip, port: '8080', ephemeral: 'true', metadata });
  const url = `http://${endpoint.host}:${endpoint.port}${endpoint.contextPath}/v1/ns/instance?${query}`;
  const arriving = audience.arrival(service, version, performance.now());
  const answer = await fetch(url, { method: 'POST' });
  await answer.text();
  return arriving;
}
