// An instance and a service as our own routes show them: everything that is known, in plain JSON.

import { type InstanceContent, leaseTimesOf, type Metadata } from '@rollcall/protocol';
import type { EditOverlay } from '../../core/edit-overlay.js';
import { isProtecting } from '../../core/host-selection.js';
import type { InstanceRecord } from '../../core/instance-record.js';
import type { Service } from '../../core/service.js';

/** One instance with real health and the content in force. */
export function instanceJson(record: InstanceRecord): object {
  const { address, kind, registrations, overlay } = record;
  const view = record.view();
  const { beatTimeoutMs, deleteTimeoutMs } = view.leaseTimes;
  return {
    ip: address.ip,
    port: address.port,
    cluster: address.cluster,
    kind,
    instanceId: view.instanceId,
    healthy: view.healthy,
    ...contentJson(view.content),
    lastBeat: view.lastBeat,
    ...(kind === 'ephemeral' && { beatTimeoutMs, deleteTimeoutMs }),
    edited: editedFields(overlay),
    publishers: registrations.map(({ publisher }) => publisher),
  };
}

/** One instance with its three layers: what the client registered, what an operator edited, what is in force. */
export function instanceLayersJson(record: InstanceRecord): object {
  const { overlay, current } = record;
  return {
    ...instanceJson(record),
    registered: contentJson(current.registered),
    underEdits: contentJson(current.base),
    edits: overlay === undefined ? null : overlayJson(overlay),
    inForce: contentJson(record.inForce),
    registrations: record.registrations.map(({ publisher, healthy, lastBeatWall, orphaned, base }) => ({
      publisher,
      healthy,
      lastBeat: lastBeatWall,
      orphaned,
      beatTimeoutMs: leaseTimesOf(base.metadata).beatTimeoutMs,
      deleteTimeoutMs: leaseTimesOf(base.metadata).deleteTimeoutMs,
    })),
  };
}

/** One line of the list of services. */
export function serviceJson(service: Service): object {
  const { key, defined, definition, instanceCount, healthyCount, clusters, subscribers } = service;
  return {
    namespaceId: key.namespace,
    groupName: key.group,
    serviceName: key.name,
    clusters: clusters.size,
    instances: instanceCount,
    healthyInstances: healthyCount,
    subscribers: subscribers.size,
    created: defined,
    protectThreshold: definition.protectThreshold,
    protecting: isProtecting(healthyCount, instanceCount, definition.protectThreshold),
  };
}

function contentJson({ weight, enabled, metadata, app }: InstanceContent): object {
  return { enabled, weight, metadata: metadataObject(metadata), app: app ?? null };
}

function overlayJson({ metadata, ...fields }: EditOverlay): object {
  return { ...fields, ...(metadata !== undefined && { metadata: metadataObject(metadata) }) };
}

function editedFields(overlay: EditOverlay | undefined): string[] {
  if (overlay === undefined) return [];
  const keys = [...(overlay.metadata?.keys() ?? [])].map((key) => `metadata.${key}`);
  return [
    ...(overlay.weight === undefined ? [] : ['weight']),
    ...(overlay.enabled === undefined ? [] : ['enabled']),
    ...keys,
  ];
}

// `fromEntries` defines members, so a key `__proto__` becomes a member like any other.
function metadataObject(metadata: Metadata): object {
  return Object.fromEntries(metadata);
}
