// The account as text: verdict, stages that add up, and when each subscriber knew.

import type { WhyAnswer } from '@rollcall/server';
import { moveText } from './history-words.js';
import type { Language } from './language.js';
import { ledgerWords } from './ledger-words.js';
import { type Column, safeText, tableText } from './table.js';
import type { Terminal } from './terminal.js';

type Subscriber = WhyAnswer['subscribers'][number];
type Stage = Subscriber['told']['stages'][number];

/** A line of the stages: one stage, or their sum. */
interface StageLine {
  readonly name: string;
  readonly began: string;
  readonly ms: number;
  readonly cause: string;
}

/** The whole text. */
export function accountText(answer: WhyAnswer, language: Language, terminal: Terminal): string {
  const { colors } = terminal;
  const words = ledgerWords(language);
  const { incident, subscribers, dropped } = answer;
  const slowest = subscribers[0];
  const stages = slowest?.told.stages ?? incident?.stages ?? [];
  const totalMs = slowest?.told.totalMs ?? incident?.totalMs ?? 0;
  const parts = [colors.bold(safeText(answer.verdict)), `${words.advice}${safeText(answer.advice)}`];
  if (stages.length > 0) {
    parts.push('', slowest === undefined ? words.nobody : words.slowest(safeText(slowest.subscriber)));
    parts.push(stagesText(stages, totalMs, language, terminal));
  }
  if (incident?.awaited) parts.push('', words.waited(incident.awaited));
  if (subscribers.length > 0) parts.push('', subscribersText(subscribers, language, terminal));
  if (dropped > 0) parts.push('', words.dropped(dropped));
  return parts.join('\n');
}

/** Seconds with three digits: a sum of them can be checked by eye. */
function exactSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(3)} s`;
}

/** Time of day of a moment, in the zone of this machine, with milliseconds. */
export function clockText(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  return `${time}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

function stagesText(stages: readonly Stage[], totalMs: number, language: Language, { colors }: Terminal): string {
  const { titles, total, colon, stages: names } = ledgerWords(language);
  const columns: readonly Column<StageLine>[] = [
    { title: titles.stage, text: ({ name }) => name },
    { title: titles.began, text: ({ began }) => began },
    { title: titles.time, align: 'right', text: ({ ms }) => exactSeconds(ms) },
    { title: titles.cause, text: ({ cause }) => colors.yellow(cause) },
  ];
  const lines = stages.map(({ name, from, ms, cause, move }) => ({
    name: move === undefined ? names[name] : safeText(`${names[name]}${colon}${moveText(move, language)}`),
    began: clockText(from),
    ms,
    cause: cause === 'none' ? '' : cause,
  }));
  return tableText(columns, [...lines, { name: colors.bold(total), began: '', ms: totalMs, cause: '' }], colors);
}

function subscribersText(subscribers: readonly Subscriber[], language: Language, { colors }: Terminal): string {
  const { titles, ends, ways } = ledgerWords(language);
  const columns: readonly Column<Subscriber>[] = [
    { title: titles.subscriber, text: ({ subscriber }) => safeText(subscriber) },
    {
      title: titles.told,
      text: ({ told }) => (told.end === 'told' ? colors.green : colors.yellow)(ends[told.end]),
    },
    { title: titles.by, text: ({ told }) => (told.by === null ? '' : ways[told.by]) },
    { title: titles.after, align: 'right', text: ({ told }) => exactSeconds(told.totalMs) },
    {
      title: titles.removal,
      align: 'right',
      text: ({ removal }) => (removal?.end === 'told' ? exactSeconds(removal.totalMs) : ''),
    },
  ];
  return tableText(columns, subscribers, colors);
}
