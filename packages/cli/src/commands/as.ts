// `rollcall as <subscriber> <service>`

import type { AsAnswer } from '@rollcall/server';
import { apiOf, type ServiceOptions, serviceParameters } from '../client-options.js';
import { addressText } from '../instance-address.js';
import { clockText } from '../shown-account.js';
import { type Column, safeText, tableText } from '../table.js';
import type { Terminal } from '../terminal.js';

/** Options of the command as commander gives them. */
export interface AsOptions extends ServiceOptions {
  readonly at?: string;
}

type Held = AsAnswer['instances'][number];

const COLUMNS: readonly Column<Held>[] = [
  { title: 'ADDRESS', text: (line) => safeText(addressText(line)) },
  { title: 'CLUSTER', text: ({ cluster }) => safeText(cluster) },
  { title: 'HEALTH', text: ({ healthy }, colors) => (healthy ? colors.green('healthy') : colors.red('unhealthy')) },
  { title: 'WEIGHT', align: 'right', text: ({ weight }) => String(weight) },
];

/** Prints the list that a subscriber holds, or held. */
export async function as(subscriber: string, service: string, options: AsOptions, terminal: Terminal): Promise<void> {
  const parameters = { ...serviceParameters(service, options), subscriber, at: options.at };
  const answer = await apiOf(options).json<AsAnswer>('GET', '/rollcall/v1/as', parameters);
  terminal.print(options.json ? JSON.stringify(answer) : heldText(answer, terminal));
}

function heldText(answer: AsAnswer, { colors }: Terminal): string {
  const { version, how, since, instances, complete, clusters } = answer;
  if (version === 0) return `No list is known to have been told to ${safeText(answer.subscriber)} by then.`;
  const told = since === null ? 'before the history begins' : `${how} at ${clockText(since)}`;
  const of = clusters === '' ? '' : ` of clusters ${safeText(clusters)}`;
  const head = `${safeText(answer.subscriber)} at ${clockText(answer.at)}: version ${version}${of}, ${told}`;
  const rest = complete ? [] : ['', 'Facts from before that version were dropped: the list may be incomplete.'];
  return [head, '', tableText(COLUMNS, instances, colors), ...rest].join('\n');
}
