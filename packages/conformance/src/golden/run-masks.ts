// Takes out of an answer what differs from run to run: names of the run, times, loads, checksums, the server's own address.

import type { CaseNames } from './case-names.js';
import type { Json } from './exact-json.js';

const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const ISO_TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)/g;
const JAVA_TIME = /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d [A-Z+:0-9-]+ \d{4}/g;
const JAVA_HASH = /@[0-9a-f]{6,8}\b/g;

const TIMES = new Set([
  ...['lastRefTime', 'lastBeat', 'lastUpdatedTime', 'lastRefreshTime', 'lastHeartBeatTime'],
  ...['createTime', 'lastModifiedTime'],
]);
const NUMBERS = new Set([
  ...['cpu', 'load', 'mem', 'serviceCount', 'instanceCount', 'subscribeCount', 'raftNotifyTaskCount'],
  ...['responsibleServiceCount', 'responsibleInstanceCount', 'clientCount', 'connectionBasedClientCount'],
  ...['ephemeralIpPortClientCount', 'persistentIpPortClientCount', 'responsibleClientCount'],
]);
/** Members whose lists have no defined order; so has the document itself. */
const UNORDERED = new Set([
  ...['$', 'hosts', 'ips', 'updated', 'subscribers', 'services', 'doms', 'serviceList', 'clusters', 'instances'],
  ...['list', 'data', 'servers', 'pageItems', 'serviceNames'],
]);
/** Below this a number under the name of a time is a duration or a version. */
const FIRST_EPOCH_MS = 1.5e12;

/** Replaces names, times and addresses of this run by placeholders. @param self - `ip:port` that the server calls its own */
export function maskText(text: string, names: CaseNames, self: string | undefined): string {
  const named = text.replaceAll(names.svc, '{svc}').replaceAll(names.ns, '{ns}').replaceAll(`${names.net}.`, '{net}.');
  return (self === undefined ? named : maskSelf(named, self))
    .replace(UUID, '<uuid>')
    .replace(ISO_TIME, '<time>')
    .replace(JAVA_TIME, '<time>')
    .replace(JAVA_HASH, '@<hash>');
}

function maskSelf(text: string, self: string): string {
  const colon = self.lastIndexOf(':');
  const ip = self.slice(0, colon);
  const port = Number(self.slice(colon + 1));
  const raftPort = port - 1000;
  return text
    .replaceAll(`${ip}:${raftPort}`, '{selfRaft}')
    .replaceAll(self, '{self}')
    .replaceAll(`"ip":"${ip}","port":${port}`, '"ip":"{selfIp}","port":"{selfPort}"')
    .replaceAll(`local port:${port}`, 'local port:{selfPort}')
    .replaceAll(`"raftPort":"${raftPort}"`, '"raftPort":"{selfRaftPort}"')
    .replaceAll(`"server_port":"${port}"`, '"server_port":"{selfPort}"');
}

/**
 * Replaces times, loads and checksums by placeholders and sorts lists that have no order.
 *
 * @param keepOrder - `all` when the case is about order
 */
export function maskValue(value: Json, options: { readonly keepOrder: 'all' | 'defined' }, member = '$'): Json {
  if (Array.isArray(value)) {
    const masked = value.map((entry: Json) => maskValue(entry, options, member));
    const sorted = options.keepOrder === 'defined' && UNORDERED.has(member);
    return sorted ? masked.sort((a, b) => compareTexts(canonicalText(a), canonicalText(b))) : masked;
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskValue(inner, options, name)]));
  }
  return maskScalar(value as Exclude<Json, object>, member);
}

function maskScalar(value: Exclude<Json, object>, member: string): Json {
  if (typeof value === 'number') {
    if (NUMBERS.has(member)) return '<number>';
    return TIMES.has(member) && value > FIRST_EPOCH_MS ? '<ms>' : value;
  }
  if (typeof value !== 'string') return value;
  if (member === 'checksum' && /^[0-9a-f]{32}$/.test(value)) return '<md5>';
  if (member === 'accessToken' && value.length > 20) return '<token>';
  return TIMES.has(member) && /^\d{13}$/.test(value) ? '<ms>' : value;
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** JSON text that does not depend on the order of members. */
function canonicalText(value: Json): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort());
  });
}
