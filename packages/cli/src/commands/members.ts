// `rollcall members`

import type { MemberLine, MembersAnswer } from '@rollcall/server';
import { apiOf, type ClientOptions } from '../client-options.js';
import { durationText } from '../duration-text.js';
import { type Language, localeLanguage } from '../language.js';
import { memberWords } from '../member-words.js';
import { type Column, safeText, tableText } from '../table.js';
import type { Terminal } from '../terminal.js';

/** Options of the command as commander gives them. */
export interface MembersOptions extends ClientOptions {
  readonly lang?: Language;
}

/** Prints the members of the cluster as the asked node sees them. */
export async function members(options: MembersOptions, terminal: Terminal): Promise<void> {
  const answer = await apiOf(options).json<MembersAnswer>('GET', '/rollcall/v1/members');
  terminal.print(
    options.json ? JSON.stringify(answer) : membersText(answer, options.lang ?? localeLanguage(), terminal),
  );
}

function membersText(
  { mode, cluster, state, members }: MembersAnswer,
  language: Language,
  { colors }: Terminal,
): string {
  const words = memberWords(language);
  const up = members.filter((member) => member.state === 'UP').length;
  const head = mode === 'cluster' ? words.head(safeText(cluster ?? ''), up, members.length) : words.alone;
  const rest = state === 'STARTING' ? ['', words.starting] : [];
  return [head, '', tableText(columnsOf(language), members, colors), ...rest].join('\n');
}

function columnsOf(language: Language): readonly Column<MemberLine>[] {
  const { titles, states, self, records, unknown, connected, cut, rejected } = memberWords(language);
  const ofOther = (line: MemberLine, text: string): string => (line.self ? '' : text);
  return [
    { title: titles.address, text: ({ address, self: own }) => `${safeText(address)}${own ? ` (${self})` : ''}` },
    {
      title: titles.state,
      text: ({ state }, { green, yellow, red }) =>
        (state === 'UP' ? green : state === 'DOWN' ? red : yellow)(states[state] ?? safeText(state)),
    },
    {
      title: titles.silent,
      align: 'right',
      text: (line) => ofOther(line, line.silentMs === null ? unknown : durationText(line.silentMs)),
    },
    {
      title: titles.link,
      text: (line, { red }) =>
        ofOther(
          line,
          line.connected ? connected : line.rejection === null ? cut : red(rejected(safeText(line.rejection))),
        ),
    },
    { title: titles.lag, align: 'right', text: (line) => ofOther(line, String(line.lag)) },
    {
      title: titles.records,
      text: (line, { red }) =>
        ofOther(line, line.records === 'different' ? red(records.different) : records[line.records]),
    },
    { title: titles.run, align: 'right', text: ({ epoch }) => (epoch === 0 ? unknown : String(epoch)) },
    { title: titles.version, text: ({ version }) => safeText(version ?? unknown) },
  ];
}
