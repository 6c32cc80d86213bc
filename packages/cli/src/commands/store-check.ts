// `rollcall store check`

import { checkStore, EMBEDDED_STORE, type StoreCheck } from '@rollcall/server';
import { CommandError } from '../command-error.js';
import { type ConfigFlags, configOf } from '../config-flags.js';
import { type Column, safeText, tableText } from '../table.js';
import type { Terminal } from '../terminal.js';

type Member = StoreCheck['members'][number];

const COLUMNS: readonly Column<Member>[] = [
  { title: 'MEMBER', text: ({ endpoint }) => endpoint },
  {
    title: 'STATE',
    text: ({ version, leads }, colors) =>
      version === undefined ? colors.red('no answer') : leads ? colors.green('leader') : colors.green('follower'),
  },
  { title: 'VERSION', text: ({ version }) => safeText(version ?? '-') },
  { title: 'REVISION', text: ({ revision }) => String(revision ?? '-') },
  { title: 'SIZE', text: ({ databaseBytes }) => (databaseBytes === undefined ? '-' : `${databaseBytes} bytes`) },
  { title: 'ANSWERED AFTER', text: ({ version, tookMs }) => (version === undefined ? '-' : `${tookMs} ms`) },
];

/**
 * Looks at the store that nodes share and says what is wrong.
 *
 * @throws CommandError `unreachable` when no member answers, `failed` when something else is wrong
 */
export async function storeCheck({ json, ...flags }: ConfigFlags & { readonly json?: true }, terminal: Terminal) {
  const { config } = configOf(flags);
  const { store } = config;
  if (store === EMBEDDED_STORE) {
    throw new CommandError(
      'usage',
      'Nothing to check: found store "embedded", allowed is --store etcd://host:port,...',
    );
  }
  const check = await checkStore(config);
  if (json) terminal.print(JSON.stringify(check));
  else print(check, terminal);
  const { problems, members } = check;
  if (problems.length === 0) return;
  const exit = members.every(({ version }) => version === undefined) ? 'unreachable' : 'failed';
  throw new CommandError(exit, [`The store "${store}" has problems:`, ...problems].map(safeText).join('\n  '));
}

function print({ members, writeMs, records }: StoreCheck, terminal: Terminal): void {
  terminal.print(tableText(COLUMNS, members, terminal.colors));
  if (writeMs !== undefined) terminal.print(`a write was taken and told after ${writeMs} ms`);
  if (records === undefined) return;
  const counts = Object.entries(records).map(([type, count]) => `${count} ${type}`);
  terminal.print(`records: ${counts.length === 0 ? 'none' : counts.join(', ')}`);
}
