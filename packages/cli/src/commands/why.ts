// `rollcall why <service> <ip:port>`

import type { WhyAnswer } from '@rollcall/server';
import { apiOf, type ServiceOptions, serviceParameters } from '../client-options.js';
import { parseAddress } from '../instance-address.js';
import { type Language, localeLanguage } from '../language.js';
import { accountText } from '../shown-account.js';
import type { Terminal } from '../terminal.js';

/** Options of the command as commander gives them. */
export interface WhyOptions extends ServiceOptions {
  readonly cluster?: string;
  readonly subscriber?: string;
  readonly at?: string;
  readonly since?: string;
  readonly lang?: Language;
}

/** Prints where the time went until subscribers knew that an instance is gone. */
export async function why(service: string, address: string, options: WhyOptions, terminal: Terminal): Promise<void> {
  const { cluster: clusterName, subscriber, at, since, lang = localeLanguage() } = options;
  const answer = await apiOf(options).json<WhyAnswer>('GET', '/rollcall/v1/why', {
    ...serviceParameters(service, options),
    ...parseAddress(address),
    ...{ clusterName, subscriber, at, since, lang },
  });
  terminal.print(options.json ? JSON.stringify(answer) : accountText(answer, lang, terminal));
}
