// From what counts for a key to the one list that readers see: a lease held here is a claim with a deadline, one held
// elsewhere a claim without (R5, R14).

import { RegistryError } from '@rollcall/protocol';
import type { Instant } from '@rollcall/runtime/time';
import type { DurableRecords } from '../durable-records.js';
import type { EditOverlay } from '../edit-overlay.js';
import type { Registration } from '../instance-record.js';
import type { InstanceTable } from '../instance-table.js';
import type { LeaseMove } from '../lease-move.js';
import type { InstanceCause } from '../registry-event.js';
import type { StoreChange } from '../store-change.js';
import { type ClusterState, sameSet, type Weighed } from './cluster-state.js';
import type { NodeId, SetId } from './peer-message.js';
import { isPresent, type LeaseCandidate } from './record-choice.js';
import { isConnectionKey, OPERATOR_PUBLISHER, PROBE_PUBLISHER, type RecordKey } from './record-key.js';
import { type ClaimValue, sameVersion, type Version } from './replicated-record.js';

/** Puts choices into the table. */
export class Projection {
  readonly #cluster: ClusterState;
  readonly #instances: InstanceTable;
  readonly #durable: DurableRecords;

  constructor(cluster: ClusterState, parts: { readonly instances: InstanceTable; readonly durable: DurableRecords }) {
    this.#cluster = cluster;
    this.#instances = parts.instances;
    this.#durable = parts.durable;
  }

  /** Makes the table say what counts for a key. @param beatAt - when a beat came for which this node took the lease */
  show(key: RecordKey, weighed: Weighed, beatAt?: Instant): void {
    const { registry } = this.#cluster;
    registry.following = true;
    try {
      if (key.publisher === OPERATOR_PUBLISHER) this.#showEdit(key, weighed);
      else if (key.publisher === PROBE_PUBLISHER) this.#showHealth(key, weighed);
      else this.#showClaim(key, weighed, beatAt);
    } catch (error) {
      // A peer has what does not fit here: its limits are others. What is here stays as it is.
      if (!(error instanceof RegistryError)) throw error;
      this.#cluster.alarm('limit', error.message);
    } finally {
      registry.following = false;
      registry.origin = undefined;
    }
  }

  #showClaim(key: RecordKey, weighed: Weighed, beatAt: Instant | undefined): void {
    const { registry } = this.#cluster;
    const registration = this.#cluster.registrationOf(key);
    const { lease, content } = weighed;
    const record = content?.record;
    if (!isPresent(weighed) || lease === undefined || !hasClaim(record) || this.#isReplaced(key, weighed)) {
      if (registration !== undefined) this.#showEnd(key, weighed, registration);
      return;
    }
    const { id } = lease.set;
    const isHere = lease.set === this.#cluster.sets.own;
    // What an earlier run of this node held did not come to this process, which may never take it.
    const isEarlierRun = !isHere && id.node === this.#cluster.self;
    registry.origin = this.#otherNode(isHere ? content?.set.id.node : id.node);
    this.#instances.followed.follow({
      key: key.service,
      address: key.address,
      publisher: key.publisher,
      claim: record.claim,
      version: { cv: record.cv, op: record.op },
      healthy: lease.record.healthy,
      heldBy: isHere ? undefined : { node: id.node, set: id, id: lease.record.id },
      orphaned: isOrphan(key, lease),
      move:
        registration === undefined || isEarlierRun ? undefined : this.#moveOf(registration, lease, { weighed, beatAt }),
    });
  }

  #showEnd(key: RecordKey, weighed: Weighed, registration: Registration): void {
    const { registry } = this.#cluster;
    const service = registry.services.get(key.service.id);
    if (service === undefined) return;
    const cause = causeOfEnd(key, weighed);
    const { heldBy } = registration;
    const holder = heldBy === undefined ? undefined : (enderOf(weighed, heldBy.node) ?? heldBy.node);
    registry.origin = this.#otherNode(cause === 'deregistered' ? weighed.content?.set.id.node : holder);
    this.#instances.remove(service, registration, cause);
  }

  /** How a lease comes to be held by another node than before; undefined when it stays. */
  #moveOf(
    { heldBy, lastBeat }: Registration,
    lease: LeaseCandidate,
    { weighed, beatAt }: { readonly weighed: Weighed; readonly beatAt: Instant | undefined },
  ): LeaseMove | undefined {
    const { sets, self, members, now } = this.#cluster;
    if ((heldBy?.node ?? self) === lease.set.id.node) return undefined;
    if (beatAt !== undefined) return { why: 'beat', lastSign: beatAt };
    const isLost = heldBy !== undefined && sets.get(heldBy.set)?.vouched !== true;
    if (heldBy === undefined || !(isLost || isTakenOver(heldBy.set, lease, weighed)))
      return { why: 'elsewhere', lastSign: now.mono };
    const holder = members.get(heldBy.node);
    const heardAt = holder?.run === heldBy.set.run ? holder.heardAt : undefined;
    const lastSign = heardAt === undefined ? now.mono : heardAt > lastBeat ? heardAt : lastBeat;
    return { why: 'holder-lost', lastSign };
  }

  /** A connection whose node is gone counts no more once its client published the address elsewhere. */
  #isReplaced(key: RecordKey, { lease, content }: Weighed): boolean {
    if (lease === undefined || content === undefined || !isOrphan(key, lease)) return false;
    const service = this.#cluster.registry.services.get(key.service.id);
    const record = service?.ephemeral.get(key.address.key);
    const { cv } = content.record;
    return (
      record?.registrations.some(
        (other) => other.publisher !== key.publisher && !other.orphaned && (other.version?.cv ?? 0) > cv,
      ) ?? false
    );
  }

  /** An edit that no set has any more is one from before a restart that is too old to be believed. */
  #showEdit(key: RecordKey, { content }: Weighed): void {
    const { registry } = this.#cluster;
    const wanted = content?.record.state === 'edit' ? content.record.edit : undefined;
    const known = registry.services.get(key.service.id)?.edits.get(`ephemeral/${key.address.key}`)?.overlay;
    if (sameOverlay(wanted, known)) return;
    registry.origin = this.#otherNode(content?.set.id.node);
    const { service, address } = key;
    const version = content && { cv: content.record.cv, op: content.record.op };
    const edit = { type: 'edit', service, kind: 'ephemeral', address, value: wanted } as const;
    const change: StoreChange = version === undefined ? edit : { ...edit, version };
    this.#durable.apply(change);
    registry.emit({ type: 'keep', change });
  }

  #showHealth(key: RecordKey, { content }: Weighed): void {
    const { registry } = this.#cluster;
    if (content?.record.state !== 'health') return;
    const service = registry.services.get(key.service.id);
    const registration = service?.persistent.get(key.address.key)?.current;
    if (service === undefined || registration === undefined) return;
    registry.origin = content.set.id.node;
    this.#instances.setHealth(service, registration, content.record.healthy, 'probe');
  }

  /** A node as it is named in events; undefined for this one. */
  #otherNode(node: NodeId | undefined): NodeId | undefined {
    return node === this.#cluster.self ? undefined : node;
  }
}

/**
 * Whether a lease was taken from a holder that still says that it has it: another node cannot rely on that one, which this node
 * does not know yet. A client that registered elsewhere made a new content; a holder that gave the lease up has it no longer.
 */
function isTakenOver(holder: SetId, lease: LeaseCandidate, { candidates }: Weighed): boolean {
  return candidates.some(
    ({ set, record, droppedFor }) =>
      sameSet(set.id, holder) &&
      record.state === 'live' &&
      droppedFor === undefined &&
      sameVersion(record, lease.record),
  );
}

/** Whether it is the record of a connection whose node is not there. */
function isOrphan(key: RecordKey, lease: LeaseCandidate): boolean {
  return !lease.vouched && isConnectionKey(key);
}

function hasClaim(
  record: { readonly state: string } | undefined,
): record is Version & { claim: ClaimValue; state: string } {
  return record?.state === 'live' || record?.state === 'ended';
}

function causeOfEnd(key: RecordKey, { content, endedTen, lease }: Weighed): InstanceCause {
  if (content?.record.state === 'removed') return 'deregistered';
  if (endedTen >= 0) return 'delete-timeout';
  if (isConnectionKey(key) && lease === undefined) return 'connection-closed';
  return 'holder-lost';
}

/**
 * Who saw a lease end that was held elsewhere; undefined when nobody did. It need not be the holder that is known here: that
 * may be one that was lost, or an earlier run of this node.
 */
function enderOf({ candidates, endedTen }: Weighed, holder: NodeId): NodeId | undefined {
  const ends = candidates.flatMap(({ record, set }) =>
    record.state === 'ended' && record.ten > 0 ? [{ node: set.id.node, ten: record.ten }] : [],
  );
  return (ends.find(({ node }) => node === holder) ?? ends.find(({ ten }) => ten === endedTen))?.node;
}

function sameOverlay(a: EditOverlay | undefined, b: EditOverlay | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  const pairs = (overlay: EditOverlay) => JSON.stringify([...(overlay.metadata ?? [])]);
  return a.weight === b.weight && a.enabled === b.enabled && pairs(a) === pairs(b);
}
