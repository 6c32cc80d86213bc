// An instance and a service as our own routes show them: everything that is known, in plain JSON.

import type { InstanceContent, Metadata } from '@rollcall/protocol';
import type { EditOverlay } from '../../core/edit-overlay.js';
import { isProtecting } from '../../core/host-selection.js';
import type { InstanceRecord } from '../../core/instance-record.js';
import type { Service } from '../../core/service.js';
import type { ContentAnswer, InstanceAnswer, InstanceLine, ServiceLine } from './own-answers.js';

/** One instance with real health and the content in force. */
export function instanceLine(record: InstanceRecord): InstanceLine {
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
    ...contentAnswer(view.content),
    lastBeat: view.lastBeat,
    ...(kind === 'ephemeral' && { beatTimeoutMs, deleteTimeoutMs }),
    edited: editedFields(overlay),
    publishers: registrations.map(({ publisher }) => publisher),
  };
}

/** One instance with its three layers: what the client registered, what an operator edited, what is in force. */
export function instanceAnswer(record: InstanceRecord): InstanceAnswer {
  const { overlay, current } = record;
  return {
    ...instanceLine(record),
    registered: contentAnswer(current.registered),
    underEdits: contentAnswer(current.base),
    edits: overlay === undefined ? null : overlayAnswer(overlay),
    inForce: contentAnswer(record.inForce),
    registrations: record.registrations.map(({ publisher, healthy, lastBeatWall, orphaned }) => ({
      publisher,
      healthy,
      lastBeat: lastBeatWall,
      orphaned,
    })),
  };
}

/** One line of the list of services. */
export function serviceLine(service: Service): ServiceLine {
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

function contentAnswer({ weight, enabled, metadata, app }: InstanceContent): ContentAnswer {
  return { enabled, weight, metadata: metadataObject(metadata), app: app ?? null };
}

function overlayAnswer({ metadata, ...fields }: EditOverlay): InstanceAnswer['edits'] {
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
function metadataObject(metadata: Metadata): Readonly<Record<string, string>> {
  return Object.fromEntries(metadata);
}
