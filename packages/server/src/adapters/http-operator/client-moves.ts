// Asks clients to go to another server. Source: Nacos 2.5.1 ConnectionManager.loadCount, loadSingle; gRPC contract 6.4. Python
// clients do not know the request and stay; nobody is cut off.

import type { MoveTarget } from '../operator/move-target.js';
import type { HttpOperatorOptions } from './http-operator-context.js';

/** Who is connected, how clients are asked, and where moves are told of. */
type ClientMoves = Pick<HttpOperatorOptions, 'connectedClients' | 'resetClient' | 'logger'>;

/** Asks as many clients to go as there are above a number. @param count - how many may stay, 0 or more @returns how many were asked */
export function moveSurplus(
  { connectedClients, resetClient, logger }: ClientMoves,
  count: number,
  target: MoveTarget | undefined,
): number {
  const known = [...connectedClients.all()];
  const surplus = known.slice(0, Math.max(0, known.length - count));
  const asked = surplus.filter(({ id }) => resetClient(id, target)).length;
  logger.log('info', 'clients-moved', { asked, before: known.length, target: shownTarget(target) });
  return asked;
}

/** Asks one client to go; one that is not there is no error. @returns how many were asked */
export function moveClient({ resetClient, logger }: ClientMoves, id: string, target: MoveTarget | undefined): number {
  const asked = resetClient(id, target) ? 1 : 0;
  logger.log('info', 'clients-moved', { asked, connection: id.slice(0, 200), target: shownTarget(target) });
  return asked;
}

function shownTarget(target: MoveTarget | undefined): string {
  return target === undefined ? 'any' : `${target.ip}:${target.port}`;
}
