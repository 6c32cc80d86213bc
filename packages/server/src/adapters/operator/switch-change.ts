// A switch set by an operator: made, and written to the log, in one way on every version of HTTP.

import type { Logger } from '@rollcall/runtime';
import type { Actor } from '../../core/actor.js';
import type { RouteParameter } from '../http/route.js';
import type { SwitchBoard, SwitchChange } from './switch-board.js';

/** Names and values are logged up to this length. */
const LOGGED_LENGTH = 200;

/** What a request to set a switch says. */
export const SWITCH_PARAMETERS: readonly RouteParameter[] = [
  { name: 'entry', description: 'Name of the switch; an unknown one is ignored', required: true },
  { name: 'value', description: 'Its new value; v1 takes an empty one', required: true },
  { name: 'debug', description: 'Only until the next change or restart', type: 'boolean', defaultValue: 'false' },
];

/** Makes a change and logs it. @throws RegistryError for a value that the entry cannot have, or `storage-failed` */
export async function setSwitch(
  board: SwitchBoard,
  change: SwitchChange,
  { actor, logger }: { readonly actor: Actor; readonly logger: Logger },
): Promise<void> {
  await board.change(change, actor);
  const { entry, value, scope } = change;
  const shown = { entry: entry.slice(0, LOGGED_LENGTH), value: value.slice(0, LOGGED_LENGTH) };
  const { address = '' } = actor;
  logger.log('info', 'switch-set', { ...shown, scope, address });
}
