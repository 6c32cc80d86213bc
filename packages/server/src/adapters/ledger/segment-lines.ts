// Facts on disk: a segment is a file of checked lines, each with the facts of one service (or of the server) in order. Facts of
// instances, by far the most, are rows of values without names; of others, members that a fact does not have are left out.

import { type ServiceKey, serviceKey } from '@rollcall/protocol';
import { type Fact, type InstanceFact, isInstanceFact, type ServerFact } from '../../core/ledger/fact.js';
import { checkedLine, checkedText } from '../store/checked-line.js';

/** Facts that belong together. */
export interface FactGroup {
  /** Undefined for facts of the whole server. */
  readonly service: ServiceKey | undefined;
  readonly facts: readonly (Fact | ServerFact)[];
}

/** Values of the fact of an instance in the order of {@link COLUMNS}; `null` for what it does not have, nothing after the last. */
type InstanceRow = readonly unknown[];

type LineValue = readonly [names: readonly [string, string, string] | null, ...(Fact | ServerFact | InstanceRow)[]];

/** New ones go to the end: rows of earlier versions are shorter. */
const COLUMNS = [
  'at',
  'wall',
  'via',
  'peer',
  'type',
  'kind',
  'ip',
  'port',
  'cluster',
  'publisher',
  'cause',
  'version',
  'lastBeatAt',
  'beatIntervalMs',
  'beatTimeoutMs',
  'deleteTimeoutMs',
  'healthy',
  'enabled',
  'weight',
  'node',
  'edits',
] as const satisfies readonly (keyof InstanceFact)[];

/** The line of a group. */
export function groupLine({ service, facts }: FactGroup): Buffer {
  const names = service === undefined ? null : [service.namespace, service.group, service.name];
  return checkedLine(JSON.stringify([names, ...facts.map((fact) => (isInstanceFact(fact) ? rowOf(fact) : fact))]));
}

// Written out: a loop over the columns would take three times as long, for each registration.
function rowOf(fact: InstanceFact): InstanceRow {
  const { at, wall, via, peer, type, kind, ip, port, cluster, publisher, cause, version, lastBeatAt } = fact;
  const { beatIntervalMs, beatTimeoutMs, deleteTimeoutMs, healthy, enabled, weight, node, edits } = fact;
  const row: unknown[] = [at, wall, via, peer, type, kind, ip, port, cluster, publisher, cause, version, lastBeatAt];
  row.push(beatIntervalMs, beatTimeoutMs, deleteTimeoutMs, healthy, enabled, weight);
  if (node !== undefined || edits !== undefined) row.push(node, edits);
  return row;
}

function factOfRow(row: InstanceRow): InstanceFact {
  const members = row.flatMap((value, i) => (value === null ? [] : [[COLUMNS[i] as string, value]]));
  return Object.fromEntries(members) as unknown as InstanceFact;
}

/** What a segment holds. */
export interface SegmentContent {
  readonly groups: readonly FactGroup[];
  /** Where the last sound line ends. */
  readonly soundBytes: number;
  /** Bytes of damaged lines that sound lines follow. */
  readonly damagedBytes: number;
}

const LINE_FEED = 0x0a;

/** Reads a segment as far as it can be read. @param pause - lets others have their turn */
export async function readSegment(bytes: Buffer, pause: () => Promise<void>): Promise<SegmentContent> {
  const groups: FactGroup[] = [];
  let soundBytes = 0;
  let damagedBytes = 0;
  let damagedFrom = 0;
  for (let from = 0, lines = 0; from < bytes.length; lines += 1) {
    const end = bytes.indexOf(LINE_FEED, from) + 1;
    if (end === 0) break;
    const group = groupOf(bytes.subarray(from, end));
    if (group !== undefined) {
      groups.push(group);
      damagedBytes += from - damagedFrom;
      damagedFrom = end;
      soundBytes = end;
    }
    from = end;
    if (lines % LINES_PER_TURN === 0) await pause();
  }
  return { groups, soundBytes, damagedBytes };
}

/** Lines read in one turn: about a millisecond. */
const LINES_PER_TURN = 20;

function groupOf(line: Buffer): FactGroup | undefined {
  const text = checkedText(line);
  if (text === undefined) return undefined;
  const [names, ...items] = JSON.parse(text) as LineValue;
  const facts = items.map((item) => (isRow(item) ? factOfRow(item) : item));
  return { service: names === null ? undefined : serviceKey(...names), facts };
}

function isRow(item: Fact | ServerFact | InstanceRow): item is InstanceRow {
  return Array.isArray(item);
}
