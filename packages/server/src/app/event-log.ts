// One log line per change of state, from the events of the core. A push is no change of state: it is for `debug`.

import type { LogFields, Logger, LogLevel } from '@rollcall/runtime';
import type { RegistryEvent } from '../core/registry-event.js';
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
/** Events that happen at each push of each subscriber. */
const DETAILS = new Set<RegistryEvent['type']>([
  'push-queued',
  'pushes-merged',
  'push-sent',
  'push-resent',
  'push-acknowledged',
  'list-polled',
  'beat-missed',
  'beats-resumed',
  'beat-connection-ended',
  'beat-connection-reset',
  'beat-connection-open',
  'subscribers-awaited',
]);

/** Makes the listener that writes events to the log. */
export function eventLog(logger: Logger): (event: RegistryEvent) => void {
  const warnings = new LineBudget();
  return (event) => {
    const level = levelOf(event.type);
    if (!logger.isEnabled(level)) return;
    const unlogged = level === 'warn' ? warnings.take(event.type, event.at.mono) : 0;
    if (unlogged === undefined) return;
    logger.log(level, event.type, { ...fieldsOf(event), ...(unlogged > 0 && { unlogged }) });
  };
}

function levelOf(type: RegistryEvent['type']): LogLevel {
  if (DETAILS.has(type)) return 'debug';
  return WARNINGS.has(type) ? 'warn' : 'info';
}

function fieldsOf(event: RegistryEvent): LogFields {
  const { service, actor } = event;
  return {
    namespace: service.namespace,
    service: service.grouped,
    ...subjectOf(event),
    via: actor.via,
    peer: actor.address,
  };
}

function subjectOf(event: RegistryEvent): LogFields {
  if ('address' in event) {
    const { ip, port, cluster } = event.address;
    const { kind, publisher } = event;
    return { ip, port, cluster, kind, publisher, ...('cause' in event && { cause: event.cause }) };
  }
  if ('subscriber' in event) {
    const { subscriber, refTime, reason } = event;
    return { subscriber, refTime: refTime === 0 ? undefined : refTime, reason };
  }
  return {};
}
