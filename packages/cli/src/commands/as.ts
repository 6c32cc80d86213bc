// `rollcall as <subscriber> <service>`

import type { AsAnswer } from '@rollcall/server';
import { apiOf, type ServiceOptions, serviceParameters } from '../client-options.js';
import { heldWords } from '../held-words.js';
import { addressText } from '../instance-address.js';
import { type Language, localeLanguage } from '../language.js';
import { clockText } from '../shown-account.js';
import { type Column, safeText, tableText } from '../table.js';
import type { Terminal } from '../terminal.js';

/** Options of the command as commander gives them. */
export interface AsOptions extends ServiceOptions {
  readonly at?: string;
  readonly lang?: Language;
}

type Held = AsAnswer['instances'][number];

/** Prints the list that a subscriber holds, or held. */
export async function as(subscriber: string, service: string, options: AsOptions, terminal: Terminal): Promise<void> {
  const parameters = { ...serviceParameters(service, options), subscriber, at: options.at };
  const answer = await apiOf(options).json<AsAnswer>('GET', '/rollcall/v1/as', parameters);
  terminal.print(options.json ? JSON.stringify(answer) : heldText(answer, options.lang ?? localeLanguage(), terminal));
}

function heldText(answer: AsAnswer, language: Language, { colors }: Terminal): string {
  const words = heldWords(language);
  const { version, how, since, instances, complete } = answer;
  const [subscriber, clusters] = [safeText(answer.subscriber), safeText(answer.clusters)];
  if (version === 0) return words.unknown(subscriber);
  const told = since === null ? words.toldBefore : words.told(how, clockText(since));
  const head = words.head({ subscriber, at: clockText(answer.at), version, clusters, told });
  const rest = complete ? [] : ['', words.incomplete];
  return [head, '', tableText(columnsOf(language), instances, colors), ...rest].join('\n');
}

function columnsOf(language: Language): readonly Column<Held>[] {
  const { titles, healthy, unhealthy } = heldWords(language);
  return [
    { title: titles.address, text: (line) => safeText(addressText(line)) },
    { title: titles.cluster, text: ({ cluster }) => safeText(cluster) },
    { title: titles.health, text: (line, colors) => (line.healthy ? colors.green(healthy) : colors.red(unhealthy)) },
    { title: titles.weight, align: 'right', text: ({ weight }) => String(weight) },
  ];
}
