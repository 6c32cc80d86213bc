// Records on their way to peers and back, and the hash by which two copies of a set are compared.

import { type InstanceContent, NO_METADATA } from '@rollcall/protocol';
import type { EditOverlay } from '../edit-overlay.js';
import type { WireClaim, WireContent, WireEdit, WireRecord } from './peer-message.js';
import type { ClaimValue, ReplicatedRecord } from './replicated-record.js';
import { textHash } from './text-hash.js';

/** The record as it is sent. */
export function wireRecordOf(record: ReplicatedRecord): WireRecord {
  const { cv, op } = record;
  switch (record.state) {
    case 'live': {
      const { state, ten, healthy, id } = record;
      return { state, cv, op, claim: wireClaimOf(record.claim), ten, healthy, id };
    }
    case 'ended':
      return { state: record.state, cv, op, claim: wireClaimOf(record.claim), ten: record.ten };
    case 'removed':
      return { state: record.state, cv, op };
    case 'edit':
      return { state: record.state, cv, op, edit: wireEditOf(record.edit) };
    case 'health':
      return { state: record.state, cv, op, healthy: record.healthy };
  }
}

/** The record that was sent. Fields that this version does not know are left out. */
export function replicatedRecordOf(wire: WireRecord): ReplicatedRecord {
  const { cv, op } = wire;
  switch (wire.state) {
    case 'live':
      return { state: 'live', cv, op, claim: claimOf(wire.claim), ten: wire.ten, healthy: wire.healthy, id: wire.id };
    case 'ended':
      return { state: 'ended', cv, op, claim: claimOf(wire.claim), ten: wire.ten };
    case 'removed':
      return { state: 'removed', cv, op };
    case 'edit':
      return { state: 'edit', cv, op, edit: editOf(wire.edit) };
    case 'health':
      return { state: 'health', cv, op, healthy: wire.healthy };
  }
}

/** Hash of a record under its key, 0 to 2^32 - 1: equal on all nodes for equal records. */
export function recordHash(keyText: string, record: ReplicatedRecord): number {
  return textHash(JSON.stringify(wireRecordOf(record)), textHash(keyText));
}

/** Estimate of the characters that a record takes in a message. */
export function wireSizeOf(keyText: string, record: ReplicatedRecord | undefined): number {
  const base = keyText.length + 160;
  if (record === undefined) return base;
  if (record.state === 'edit') return base + metadataSize(record.edit.metadata ?? NO_METADATA);
  if (record.state !== 'live' && record.state !== 'ended') return base;
  const { registered, base: under } = record.claim;
  return base + contentSize(registered) + (under === registered ? 0 : contentSize(under));
}

function contentSize({ metadata, app, instanceId }: InstanceContent): number {
  return metadataSize(metadata) + (app?.length ?? 0) + (instanceId?.length ?? 0) + 100;
}

/** Escapes can make a text several times as long; control characters, the worst, are rare. */
function metadataSize(metadata: ReadonlyMap<string, string>): number {
  let size = 0;
  for (const [key, value] of metadata) size += 2 * (key.length + value.length) + 8;
  return size;
}

function wireClaimOf({ registered, base, numericId }: ClaimValue): WireClaim {
  return {
    registered: wireContentOf(registered),
    ...(base !== registered && { base: wireContentOf(base) }),
    ...(numericId !== undefined && { numericId }),
  };
}

function claimOf({ registered: wire, base, numericId }: WireClaim): ClaimValue {
  const registered = contentOf(wire);
  return { registered, base: base === undefined ? registered : contentOf(base), numericId };
}

function wireContentOf({ weight, enabled, healthy, metadata, app, instanceId }: InstanceContent): WireContent {
  return {
    weight,
    enabled,
    healthy,
    metadata: [...metadata],
    ...(app !== undefined && { app }),
    ...(instanceId !== undefined && { instanceId }),
  };
}

function contentOf({ weight, enabled, healthy, metadata, app, instanceId }: WireContent): InstanceContent {
  return {
    weight,
    enabled,
    healthy,
    metadata: metadata.length === 0 ? NO_METADATA : new Map(metadata),
    app,
    ...(instanceId !== undefined && { instanceId }),
  };
}

function wireEditOf({ weight, enabled, metadata }: EditOverlay): WireEdit {
  return {
    ...(weight !== undefined && { weight }),
    ...(enabled !== undefined && { enabled }),
    ...(metadata !== undefined && { metadata: [...metadata] }),
  };
}

function editOf({ weight, enabled, metadata }: WireEdit): EditOverlay {
  return {
    ...(weight !== undefined && { weight }),
    ...(enabled !== undefined && { enabled }),
    ...(metadata !== undefined && { metadata: new Map(metadata) }),
  };
}
