// `/operator/metrics` and `/operator/servers`: what clients ask before they trust a server, and what suites count.
// Source: Nacos 1.4.8 OperatorController (also mapped on `/ops`); contract 10.3, ops contract 3.3; 2.x counters beside.

import { jsonDouble, jsonText } from '@rollcall/protocol';
import type { ServerStatus } from '../../core/switches.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { Route } from '../http/route.js';
import type { HttpV1Context } from './http-v1-context.js';
import { ProcessFigures } from './process-figures.js';

const PREFIXES = ['/v1/ns/operator', '/v1/ns/ops'];

/** What a server says of itself. */
export interface ServerIdentity {
  /** Address that clients reach it by. */
  readonly ip: string;
  readonly port: number;
  /** Of the program. */
  readonly version: string;
}

/** What these routes need beside the registry. */
export interface OperatorOptions {
  /** The status now, an operator's override included. */
  readonly serverStatus: () => ServerStatus;
  /** Called once the server listens. */
  readonly identity: () => ServerIdentity;
}

/** The routes. */
export function operatorRoutes(context: HttpV1Context, options: OperatorOptions): readonly Route[] {
  const figures = new ProcessFigures(context.registry.now());
  return PREFIXES.flatMap((prefix): Route[] => [
    {
      method: 'GET',
      path: `${prefix}/metrics`,
      summary: 'Status and counters of the server',
      handle: () => metrics(context, options, figures),
    },
    {
      method: 'GET',
      path: `${prefix}/servers`,
      summary: 'The servers of the cluster',
      handle: () => jsonAnswer(200, `{"servers":[${memberJson(context, options)}]}`),
    },
  ]);
}

function metrics({ registry }: HttpV1Context, { serverStatus }: OperatorOptions, figures: ProcessFigures): HttpAnswer {
  const { core } = registry;
  const { instances, subscribers, connections, ephemeralInstances, persistentInstances } = core.counts;
  let services = 0;
  for (const _ of core.services()) services++;
  const { cpu, load, mem } = figures.read(registry.now());
  // One node is responsible for everything; it has no queue of consensus tasks.
  const of14 = `"status":"${serverStatus()}","serviceCount":${services},"instanceCount":${instances},"raftNotifyTaskCount":0,"responsibleServiceCount":${services},"responsibleInstanceCount":${instances},"cpu":${jsonDouble(cpu)},"load":${jsonDouble(load)},"mem":${jsonDouble(mem)}`;
  const clients = connections + ephemeralInstances + persistentInstances;
  const of2x = `"subscribeCount":${subscribers},"clientCount":${clients},"connectionBasedClientCount":${connections},"ephemeralIpPortClientCount":${ephemeralInstances},"persistentIpPortClientCount":${persistentInstances},"responsibleClientCount":${clients}`;
  return jsonAnswer(200, `{${of14},${of2x}}`);
}

function memberJson({ registry }: HttpV1Context, { serverStatus, identity }: OperatorOptions): string {
  const { ip, port, version } = identity();
  const state = serverStatus() === 'UP' ? 'UP' : 'DOWN';
  const extendInfo = `{"lastRefreshTime":${registry.now().wall},"version":${jsonText(version)}}`;
  return `{"ip":${jsonText(ip)},"port":${port},"state":"${state}","extendInfo":${extendInfo},"address":${jsonText(`${ip}:${port}`)},"failAccessCnt":0}`;
}
