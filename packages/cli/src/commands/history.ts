// `rollcall history <service> [ip:port]`

import type { HistoryAnswer } from '@rollcall/server';
import { apiOf, type ServiceOptions, serviceParameters } from '../client-options.js';
import { parseAddress } from '../instance-address.js';
import { interruption } from '../interruption.js';
import { type Language, localeLanguage } from '../language.js';
import { factText, type ShownFact } from '../shown-facts.js';
import type { Terminal } from '../terminal.js';

/** Options of the command as commander gives them. */
export interface HistoryOptions extends ServiceOptions {
  readonly cluster?: string;
  readonly follow?: true;
  readonly lang?: Language;
}

/** Prints what happened to a service or to one instance, and with `--follow` what happens, until Ctrl-C. */
export async function history(
  service: string,
  address: string | undefined,
  options: HistoryOptions,
  terminal: Terminal,
): Promise<void> {
  const api = apiOf(options);
  const instance = address === undefined ? {} : parseAddress(address);
  const parameters = { ...serviceParameters(service, options), ...instance, clusterName: options.cluster };
  const answer = await api.json<HistoryAnswer>('GET', '/rollcall/v1/history', parameters);
  if (options.json && !options.follow) terminal.print(JSON.stringify(answer));
  else for (const fact of answer.facts) show(fact, options, terminal);
  if (!options.follow) return;
  const signal = interruption();
  try {
    // What happens between the two answers is not lost.
    const following = { ...parameters, after: answer.facts.at(-1)?.at ?? answer.askedAt };
    for await (const data of api.events('/rollcall/v1/history/follow', following, signal)) {
      show(JSON.parse(data) as ShownFact, options, terminal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function show(fact: ShownFact, { json, lang }: HistoryOptions, terminal: Terminal): void {
  terminal.print(json ? JSON.stringify(fact) : factText(fact, lang ?? localeLanguage(), terminal));
}
