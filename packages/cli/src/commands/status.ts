// `rollcall status`

import type { StatusAnswer } from '@rollcall/server';
import { apiOf, type ClientOptions } from '../client-options.js';
import { durationText } from '../duration-text.js';
import { pairsText, safeText } from '../table.js';
import type { Terminal } from '../terminal.js';

/** Prints what runs and what it holds. */
export async function status(options: ClientOptions, terminal: Terminal): Promise<void> {
  const answer = await apiOf(options).json<StatusAnswer>('GET', '/rollcall/v1/status');
  if (options.json) {
    terminal.print(JSON.stringify(answer));
    return;
  }
  const { counts } = answer;
  const pairs: [string, string][] = [
    ['version', `Rollcall ${safeText(answer.version)}`],
    ['status', safeText(answer.status)],
    ['mode', safeText(answer.mode)],
    ['up for', durationText(answer.uptimeMs)],
    ['address', answer.urls.map(safeText).join('  ')],
    ['data', safeText(answer.dataDirectory)],
    ['namespaces', String(counts.namespaces)],
    ['services', String(counts.services)],
    [
      'instances',
      `${counts.instances} (${counts.ephemeralInstances} ephemeral, ${counts.persistentInstances} persistent)`,
    ],
    ['subscribers', String(counts.subscribers)],
    ['connections', String(counts.connections)],
  ];
  terminal.print(pairsText(pairs, terminal.colors));
}
