// One log line per change of state, from the events of the core. A push is no change of state: it is for `debug`.

import type { LogFields, Logger, LogLevel } from '@rollcall/runtime';
import type { RegistryEvent, ServerEvent } from '../core/registry-event.js';
import { LineBudget } from './line-budget.js';

/** Events that say that something is wrong with a peer; there can be thousands at once. */
const WARNINGS = new Set<RegistryEvent['type']>([
  'subscriber-refused',
  'push-refused',
  'push-given-up',
  'push-failed',
  'beats-from-elsewhere',
  'protection-on',
]);
/** Events that happen at each push of each subscriber, or to thousands of instances at once when a node is lost. */
const DETAILS = new Set<RegistryEvent['type']>([
  'lease-moved',
  'push-queued',
  'pushes-merged',
  'push-sent',
  'push-resent',
  'push-acknowledged',
  'list-polled',
  'beat-missed',
  'beats-resumed',
  'probe-failed',
  'probe-passed',
  'beat-connection-ended',
  'beat-connection-reset',
  'beat-connection-open',
  'subscribers-awaited',
]);

/** Makes the listener that writes events to the log. */
export function eventLog(logger: Logger): (event: RegistryEvent) => void {
  const warnings = new LineBudget();
  return (event) => {
    const level = levelOf(event);
    if (!logger.isEnabled(level)) return;
    const unlogged = level === 'warn' ? warnings.take(event.type, event.at.mono) : 0;
    if (unlogged === undefined) return;
    const fields = fieldsOf(event);
    logger.log(level, event.type, unlogged > 0 ? { ...fields, unlogged } : fields);
  };
}

/** Makes the listener that writes what concerns the whole server, as far as nothing else writes it. */
export function serverEventLog(logger: Logger): (event: ServerEvent) => void {
  const lines = new LineBudget();
  return ({ type, at }) => {
    if (type !== 'many-beats-late') return;
    const unlogged = lines.take(type, at.mono);
    if (unlogged !== undefined) logger.log('warn', type, unlogged > 0 ? { unlogged } : {});
  };
}

// What came from another node is in the log of that one: a node that starts copies thousands of instances.
function levelOf({ type, actor }: RegistryEvent): LogLevel {
  if (DETAILS.has(type) || actor.via === 'peer') return 'debug';
  return WARNINGS.has(type) ? 'warn' : 'info';
}

// Each kind written out whole: putting objects together would cost more than making the line.
function fieldsOf(event: RegistryEvent): LogFields {
  const { namespace, grouped: service } = event.service;
  const { via, address: peer } = event.actor;
  if ('address' in event) {
    const { ip, port, cluster } = event.address;
    const { kind, publisher, cause } = event;
    return { namespace, service, ip, port, cluster, kind, publisher, cause, via, peer };
  }
  if ('subscriber' in event) {
    const { subscriber, reason } = event;
    const refTime = event.refTime === 0 ? undefined : event.refTime;
    return { namespace, service, subscriber, refTime, reason, via, peer };
  }
  return { namespace, service, via, peer };
}
