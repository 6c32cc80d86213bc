// How many clients each server of a cluster has, and which servers should hand some over. Source: Nacos 2.5.1
// ServerLoaderController (loaderMetrics, smartReload).

import { jsonDouble, jsonText } from '@rollcall/protocol';

/** A server counts as overloaded when it has a tenth more than the average. */
const OVERLOAD = 1.1;

/** The load of one server. */
export interface ServerLoad {
  /** As in the list of members. */
  readonly address: string;
  /** gRPC clients. */
  readonly connections: number;
  /** Load average of one minute of its machine. */
  readonly load: number;
  /** Share of all processors that its process uses, 0 to 1. */
  readonly cpu: number;
}

/** Clients of one server that are to go to another. */
export interface LoadShift {
  readonly from: string;
  readonly to: string;
  /** How many may stay. */
  readonly left: number;
}

/** The overview that operators ask for. @param loads - of the servers that answered, at least one @param memberCount - servers that there are */
export function loadsJson(loads: readonly ServerLoad[], memberCount: number): string {
  const counts = loads.map(({ connections }) => connections);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const avg = Math.floor(total / loads.length);
  const detail = loads.map(
    ({ address, connections, load, cpu }) =>
      `{"address":${jsonText(address)},"sdkConCount":${connections},"conCount":${connections},"load":${jsonDouble(load)},"cpu":${jsonDouble(cpu)}}`,
  );
  return `{"memberCount":${memberCount},"metricsCount":${loads.length},"completed":${loads.length === memberCount},"max":${Math.max(...counts)},"min":${Math.min(...counts)},"avg":${avg},"threshold":${jsonDouble(avg * OVERLOAD)},"total":${total},"detail":[${detail.join()}]}`;
}

/**
 * What evens the connections out: the fullest server hands over to the emptiest, the next to the next, each down to the upper
 * bound. Servers near the average take no part.
 *
 * @param factor - how far from the average is still near, as a share of it; 0 to 1
 */
export function loadShifts(loads: readonly ServerLoad[], factor: number): readonly LoadShift[] {
  if (loads.length === 0) return [];
  const average = loads.reduce((sum, { connections }) => sum + connections, 0) / loads.length;
  const [lower, upper] = [Math.floor(average * (1 - factor)), Math.ceil(average * (1 + factor))];
  const full = loads.filter(({ connections }) => connections > upper).sort((a, b) => b.connections - a.connections);
  const empty = loads.filter(({ connections }) => connections < lower).sort((a, b) => a.connections - b.connections);
  return full.slice(0, empty.length).map(({ address }, rank) => ({
    from: address,
    to: (empty[rank] as ServerLoad).address,
    left: upper,
  }));
}
