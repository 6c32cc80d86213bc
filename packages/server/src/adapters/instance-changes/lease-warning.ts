// Tells the operator of a registration whose own times cannot work: it is accepted, because the client works today, but
// the instance will be unhealthy or removed between any two beats. Source: golden case register-beat-timeout-small; 2.x refuses it.

import { leaseTimesOf, type RegisterForm } from '@rollcall/protocol';
import type { Logger } from '@rollcall/runtime';

/** Writes one line when the instance beats less often than its lease lasts. */
export function warnOfShortLease(logger: Logger, { service, address, content }: RegisterForm): void {
  const { beatIntervalMs, beatTimeoutMs, deleteTimeoutMs } = leaseTimesOf(content.metadata);
  if (beatIntervalMs === undefined || beatIntervalMs <= Math.min(beatTimeoutMs, deleteTimeoutMs)) return;
  logger.log('warn', 'beat-interval-above-timeout', {
    service: service.id,
    instance: `${address.ip}:${address.port}`,
    cluster: address.cluster,
    beatIntervalMs,
    beatTimeoutMs,
    deleteTimeoutMs,
  });
}
