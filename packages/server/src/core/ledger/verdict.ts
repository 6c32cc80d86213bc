// The verdict: one sentence that says where most of the time went, and one that says what to change.

import type { Account, AccountQuestion } from './account.js';
import type { Cause } from './cause.js';
import { secondsText } from './seconds-text.js';
import { CHINESE } from './verdict-chinese.js';
import { ENGLISH, type Sentences } from './verdict-english.js';
import type { VerdictFacts } from './verdict-facts.js';

/** Languages of verdicts. */
export type Language = 'en' | 'zh';

/** The sentences for these facts. */
export function sentencesOf(facts: VerdictFacts, language: Language): Sentences {
  const { verdict, advice } = (language === 'zh' ? CHINESE : ENGLISH)[facts.cause](facts);
  return { verdict: verdict + takeOverOf(facts, language) + holderOf(facts, language), advice };
}

/** Of a silence that began with the loss of a node. */
function takeOverOf({ cause, takeOver }: VerdictFacts, language: Language): string {
  if (takeOver === undefined || takeOver.ms === 0 || cause === 'take-over' || cause === 'partition') return '';
  const { from, to, ms } = takeOver;
  return language === 'zh'
    ? `在此之前，持有租约的节点 ${from} 没有应答，${secondsText(ms)} 后节点 ${to} 接管了租约，并重新给足时间。`
    : ` Before that, node ${from}, which held its lease, did not answer for ${secondsText(ms)} until node ${to} took the lease over, with its full time again.`;
}

function holderOf({ cause, holder }: VerdictFacts, language: Language): string {
  if (holder === undefined || cause === 'holder-lost') return '';
  return language === 'zh'
    ? `它的租约由节点 ${holder} 持有：心跳记录在那里。`
    : ` Node ${holder} held its lease: the beats are in the history there.`;
}

/** Everything that the sentences of a verdict need. */
export function verdictFacts(account: Account, question: AccountQuestion): VerdictFacts {
  const { incident, subscribers, causes, state } = account;
  const slowest = subscribers[0];
  const main = causes[0] ?? { cause: 'none' as const, ms: 0 };
  const own = question.facts.filter(
    (fact) => 'publisher' in fact && fact.ip === question.instance.ip && fact.port === question.instance.port,
  );
  const last = own.at(-1);
  const lease = last !== undefined && 'publisher' in last ? last : undefined;
  const protection = question.facts.findLast((fact) => fact.type === 'protection-on');
  const about = subscribers.find(({ told }) => told.stages.some(({ cause }) => cause === main.cause)) ?? slowest;
  return {
    cause: main.cause,
    ms: main.ms,
    instance: account.instance,
    totalMs: about?.told.totalMs ?? incident?.totalMs ?? 0,
    subscriber: about?.subscriber,
    transport: about?.transport,
    beatTimeoutMs: lease?.beatTimeoutMs ?? 0,
    deleteTimeoutMs: lease?.deleteTimeoutMs ?? 0,
    beatIntervalMs: lease?.beatIntervalMs ?? question.present?.beatIntervalMs ?? 0,
    actor: actorOf(main.cause, question),
    reason: reasonOf(about?.subscriber, question),
    protection: protection?.type === 'protection-on' ? protection : undefined,
    elsewhere: question.elsewhere ?? [],
    publishers: question.present?.publishers ?? [],
    silentMs: question.present?.silentMs ?? 0,
    state,
    takeOver: takeOverIn(account),
    holder: account.holder ?? undefined,
  };
}

function takeOverIn({ incident }: Account): VerdictFacts['takeOver'] {
  const [first] = incident?.stages ?? [];
  return first?.move === undefined ? undefined : { ...first.move, ms: first.ms };
}

function actorOf(cause: Cause, { facts, server, otherNodes }: AccountQuestion): string | undefined {
  if (cause === 'other-node') return otherNodes?.[0]?.node;
  if (cause === 'switch-off') return server.findLast(({ type }) => type === 'switches-changed')?.peer;
  const type = cause === 'beats-by-another' ? 'beats-from-elsewhere' : 'instance-edited';
  return facts.findLast((fact) => fact.type === type)?.peer;
}

function reasonOf(subscriber: string | undefined, { facts }: AccountQuestion): string | undefined {
  const fact = facts.findLast(
    (each) => 'subscriber' in each && each.subscriber === subscriber && each.reason !== undefined,
  );
  return fact !== undefined && 'reason' in fact ? fact.reason : undefined;
}
