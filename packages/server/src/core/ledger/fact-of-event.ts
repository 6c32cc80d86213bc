// Facts from the events of the core: the same words, on the time line of the ledger, without what only listeners need.

import type { RegistryEvent, ServerEvent } from '../registry-event.js';
import type { Fact, InstanceFact, ServerFact, SubscriberFact } from './fact.js';
import type { TimeLine } from './time-line.js';

/** The fact that an event is. */
export function factOfEvent(event: RegistryEvent, line: TimeLine): Fact {
  if ('address' in event) return instanceFact(event, line);
  const { at, actor } = event;
  const base = { at: line.at(at.mono), wall: at.wall, via: actor.via, peer: actor.address };
  if ('subscriber' in event) return subscriberFact(event, base);
  switch (event.type) {
    case 'protection-on':
    case 'protection-off': {
      const { type, dialect, healthy, all, threshold } = event;
      return { ...base, type, dialect, healthy, all, threshold };
    }
    case 'pushes-merged':
      return { ...base, type: event.type, version: event.refTime, waitMs: Math.round(event.waitMs) };
    case 'subscribers-awaited': {
      const { type, refTime: version, waitedMs, acknowledged, pending } = event;
      return { ...base, type, version, waitedMs: Math.round(waitedMs), acknowledged, pending };
    }
    default:
      return { ...base, type: event.type };
  }
}

/** The fact that an event of the server is. */
export function factOfServerEvent(event: ServerEvent, line: TimeLine): ServerFact {
  const { at, actor } = event;
  const base = { at: line.at(at.mono), wall: at.wall, via: actor.via, peer: actor.address };
  switch (event.type) {
    case 'paused':
      return { ...base, type: event.type, ms: Math.round(event.ms) };
    case 'switches-changed':
      return { ...base, type: event.type, changed: event.changed };
    case 'many-beats-late':
      return { ...base, type: event.type };
  }
}

function instanceFact(event: Extract<RegistryEvent, { address: object }>, line: TimeLine): InstanceFact {
  const { at, actor, address, leaseTimes } = event;
  return {
    at: line.at(at.mono),
    wall: at.wall,
    via: actor.via,
    peer: actor.address,
    type: event.type,
    kind: event.kind,
    ip: address.ip,
    port: address.port,
    cluster: address.cluster,
    publisher: event.publisher,
    cause: event.cause,
    version: event.refTime,
    lastBeatAt: line.at(event.lastBeat),
    beatIntervalMs: leaseTimes.beatIntervalMs,
    beatTimeoutMs: leaseTimes.beatTimeoutMs,
    deleteTimeoutMs: leaseTimes.deleteTimeoutMs,
    healthy: event.healthy,
    enabled: event.enabled,
    weight: event.weight,
    edits: event.edits.length > 0 ? event.edits : undefined,
    node: event.node,
    ageMs: event.ageMs,
    ...(event.type === 'lease-moved' && { move: { from: event.from, to: event.to, why: event.why } }),
  };
}

function subscriberFact(
  event: Extract<RegistryEvent, { subscriber: string }>,
  { at, wall, via, peer }: Pick<SubscriberFact, 'at' | 'wall' | 'via' | 'peer'>,
): SubscriberFact {
  const { type, subscriber, transport, ip, clusters, refTime: version, reason } = event;
  return { at, wall, via, peer, type, subscriber, transport, ip, clusters, version, reason };
}
