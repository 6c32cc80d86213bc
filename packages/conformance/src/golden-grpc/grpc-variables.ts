// What stands for the placeholders of a case, and the way back: values of this run in answers become placeholders.

import type { CaseNames } from '../golden/case-names.js';
import { fillTemplate } from '../golden/case-names.js';
import type { Json } from '../golden/exact-json.js';
import { maskText } from '../golden/run-masks.js';

/** Id and local port of a connection, as far as known. */
export interface ConnectionFacts {
  readonly id: string | undefined;
  readonly port: number | undefined;
}

const UNORDERED = new Set(['hosts', 'serviceNames', 'contexts', 'subscribers']);
/** Below this a number is a duration or a version, not a time. */
const FIRST_EPOCH_MS = 1.5e12;

/** Values of one case in one run. */
export class GrpcVariables {
  readonly names: CaseNames;
  readonly connections = new Map<string, ConnectionFacts>();

  constructor(names: CaseNames) {
    this.names = names;
  }

  /** Puts values into all texts of a value, names of members included. */
  fill<T>(value: T): T {
    if (typeof value === 'string') return this.#fillText(value) as T;
    if (Array.isArray(value)) return value.map((entry: unknown) => this.fill(entry)) as T;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [this.#fillText(name), this.fill(inner as unknown)]),
    ) as T;
  }

  /** Puts placeholders into an answer: what differs from run to run is the same then, and lists without order are sorted. */
  mask(answer: Json): Json {
    let text = JSON.stringify(answer);
    for (const [name, { id, port }] of this.connections) {
      if (id !== undefined) text = text.replaceAll(id, `{${name}.id}`);
      if (port === undefined) continue;
      text = text.replaceAll(`127.0.0.1:${port}`, `{${name}.addr}`);
      text = text.replace(new RegExp(`("(?:client)?port":)"?${port}"?(?=[,}])`, 'gi'), `$1"{${name}.port}"`);
    }
    return maskMembers(JSON.parse(maskText(text, this.names, undefined)) as Json, '');
  }

  #fillText(text: string): string {
    const withConnections = text.replace(/\{([a-z])\.(id|port|addr)\}/g, (whole, name: string, what: string) => {
      const { id, port } = this.connections.get(name) ?? {};
      if (what === 'addr') return `127.0.0.1:${port}`;
      return String((what === 'id' ? id : port) ?? whole);
    });
    return fillTemplate(withConnections, this.names);
  }
}

function maskMembers(value: Json, member: string): Json {
  if (Array.isArray(value)) {
    const masked = value.map((entry: Json) => maskMembers(entry, member));
    return UNORDERED.has(member) ? masked.sort(compareEntries) : masked;
  }
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskMembers(inner, name)]));
  if (member === 'lastRefTime' && typeof value === 'number' && value > FIRST_EPOCH_MS) return '<ms>';
  if (member === 'requestId' && typeof value === 'string' && /^\d+$/.test(value)) return '<id>';
  return value;
}

/** Hosts by address, cluster and metadata, everything else by its text: as the recorded answers are sorted. */
function compareEntries(a: Json, b: Json): number {
  const [x, y] = [rankOf(a), rankOf(b)];
  return x === y ? 0 : x < y ? -1 : 1;
}

function rankOf(value: Json): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !('ip' in value)) return sortedText(value);
  const { ip, port, clusterName, metadata, weight, healthy } = value as Readonly<Record<string, Json>>;
  return [ip, String(port).padStart(6), clusterName, sortedText(metadata), weight, healthy].join(' ');
}

function sortedText(value: Json | undefined): string {
  const sorted = (_: string, inner: unknown): unknown =>
    typeof inner !== 'object' || inner === null || Array.isArray(inner)
      ? inner
      : Object.fromEntries(Object.entries(inner).sort());
  return String(JSON.stringify(value, sorted));
}
