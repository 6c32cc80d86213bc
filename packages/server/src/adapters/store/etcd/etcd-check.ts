// Looks at an etcd as an operator would: each member by itself, then a write, a watch and a listing through all of them.
// What is wrong is said in words, with what to do.

import { randomUUID } from 'node:crypto';
import type { Clock } from '@rollcall/runtime';
import type { Listing } from '../shared/key-value-store.js';
import { isMark, readChange } from '../shared/shared-record.js';
import type { EtcdAccess } from './etcd-access.js';
import { readEtcdAddress } from './etcd-address.js';
import { EtcdCalls, reasonOf } from './etcd-calls.js';
import { EtcdKeyValueStore } from './etcd-key-value-store.js';

/** One member as it answered for itself. */
export interface CheckedMember {
  readonly endpoint: string;
  /** Undefined when it did not answer. */
  readonly version?: string;
  readonly revision?: number;
  readonly databaseBytes?: number;
  readonly leads?: boolean;
  readonly tookMs: number;
}

/** What a check found. */
export interface StoreCheck {
  readonly store: string;
  readonly members: readonly CheckedMember[];
  /** How long a write took until the watch told it, ms; undefined when one of the two failed. */
  readonly writeMs: number | undefined;
  /** Records by type of change; undefined when they could not be read. */
  readonly records: Readonly<Record<string, number>> | undefined;
  /** One sentence each; empty when all is well. */
  readonly problems: readonly string[];
}

/** Oldest version whose API has all that is used. */
const MINOR_MIN = 4;
const WATCH_MS_MAX = 3000;
/** Under this a test value is written, which every node passes over. */
const CHECK_PREFIX = 'check/';

/** Checks an etcd. Takes some seconds when it is away. @param address - `etcd://host:port,.../root`. @throws TypeError when it is none */
export async function checkEtcd(address: string, clock: Clock, access: EtcdAccess = {}): Promise<StoreCheck> {
  const read = readEtcdAddress(address);
  if (read === undefined) throw new TypeError(`"${address}" is no address of an etcd`);
  const calls = new EtcdCalls(read.endpoints, access);
  const store = new EtcdKeyValueStore({ name: address, root: read.root, calls });
  const problems: string[] = [];
  try {
    const members = await checkMembers(read.endpoints, calls, { clock, problems });
    if (members.every(({ version }) => version === undefined)) {
      return { store: address, members, writeMs: undefined, records: undefined, problems };
    }
    const writeMs = await checkWrite(store, { clock, problems });
    const records = await checkRecords(store, problems);
    return { store: address, members, writeMs, records, problems };
  } finally {
    store.close();
  }
}

interface Findings {
  readonly clock: Clock;
  readonly problems: string[];
}

async function checkMembers(
  endpoints: readonly string[],
  calls: EtcdCalls,
  { clock, problems }: Findings,
): Promise<readonly CheckedMember[]> {
  const clusters = new Map<string, string>();
  return Promise.all(
    endpoints.map(async (endpoint, place): Promise<CheckedMember> => {
      const startedAt = clock.now().mono;
      const tookMs = () => Math.round(clock.now().mono - startedAt);
      try {
        const { header, version, dbSize, leader, errors } = await calls.askMember(place, 'status', {});
        problems.push(...problemsOf(endpoint, { version, leader, errors }));
        clusters.set(header.clusterId, endpoint);
        if (clusters.size === 2) {
          problems.push(`"${endpoint}" is of another etcd than "${[...clusters.values()][0]}": name members of one`);
        }
        const leads = leader === header.memberId;
        const [revision, databaseBytes] = [Number(header.revision), Number(dbSize)];
        return { endpoint, version, revision, databaseBytes, leads, tookMs: tookMs() };
      } catch (error) {
        problems.push(
          `"${endpoint}" does not answer: ${reasonOf(error)}; is etcd running there, and does it listen for clients on that address?`,
        );
        return { endpoint, tookMs: tookMs() };
      }
    }),
  );
}

function problemsOf(
  endpoint: string,
  { version, leader, errors }: { version: string; leader: string; errors: readonly string[] },
): string[] {
  const problems: string[] = [];
  const [major, minor] = version.split('.').map(Number);
  if (major !== 3 || (minor ?? 0) < MINOR_MIN) {
    problems.push(`"${endpoint}" is etcd ${version}, allowed is 3.${MINOR_MIN} or a newer 3`);
  }
  if (Number(leader) === 0) {
    problems.push(
      `"${endpoint}" knows no leader: fewer than half of the members reach one another; start those that are down`,
    );
  }
  for (const error of errors) problems.push(`"${endpoint}" reports ${error}${remedyOf(error)}`);
  return problems;
}

function remedyOf(error: string): string {
  if (!error.includes('NOSPACE')) return '';
  return '; it takes no writes: compact and defragment it, or raise --quota-backend-bytes, then "etcdctl alarm disarm"';
}

/** Writes a value, waits until a watch tells it, and takes it away. */
async function checkWrite(store: EtcdKeyValueStore, { clock, problems }: Findings): Promise<number | undefined> {
  const key = `${CHECK_PREFIX}${randomUUID()}`;
  const startedAt = clock.now().mono;
  const made = await store.transact({ compares: [], writes: [{ key, value: '' }] });
  if (!('revision' in made)) {
    problems.push(`A write fails: ${made.reason}`);
    return undefined;
  }
  const told = await toldOf(store, made.revision);
  const tookMs = Math.round(clock.now().mono - startedAt);
  await store.transact({ compares: [], writes: [{ key, value: undefined }] });
  if (told) return tookMs;
  problems.push(`A write was made, but a watch does not tell it within ${WATCH_MS_MAX} ms`);
  return undefined;
}

function toldOf(store: EtcdKeyValueStore, revision: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => end(false), WATCH_MS_MAX);
    const close = store.watch(revision, {
      onStarted: () => undefined,
      onEvents: () => end(true),
      onEnded: () => end(false),
    });
    function end(told: boolean): void {
      clearTimeout(timer);
      close();
      resolve(told);
    }
  });
}

async function checkRecords(
  store: EtcdKeyValueStore,
  problems: string[],
): Promise<Readonly<Record<string, number>> | undefined> {
  let listing: Listing;
  try {
    listing = await store.list();
  } catch (error) {
    problems.push(`The records cannot be read: ${(error as Error).message}`);
    return undefined;
  }
  const records: Record<string, number> = {};
  const unreadable: string[] = [];
  for (const { key, value } of listing.entries) {
    if (isMark(key) || key.startsWith(CHECK_PREFIX)) continue;
    const type = readChange(value)?.type;
    if (type === undefined) unreadable.push(key);
    else records[type] = (records[type] ?? 0) + 1;
  }
  if (unreadable.length > 0) {
    const names = unreadable.slice(0, 3).join('", "');
    problems.push(`${unreadable.length} records cannot be read and are passed over by all nodes: "${names}"`);
  }
  return records;
}
