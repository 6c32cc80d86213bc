// `/rollcall/v1/why`, `/rollcall/v1/as`, `/rollcall/v1/history`: where the time went, what a subscriber held, what happened.

import { type Parameters, portOf, RegistryError, type ServiceKey } from '@rollcall/protocol';
import { type AccountQuestion, accountOf } from '../../core/ledger/account.js';
import { heldList } from '../../core/ledger/held-list.js';
import type { Ledger } from '../../core/ledger/ledger.js';
import { presentInstance, presentReaders, registeredElsewhere } from '../../core/ledger/present-instance.js';
import { type Language, sentencesOf, verdictFacts } from '../../core/ledger/verdict.js';
import { knows, subscriberName } from '../../core/subscriber.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { Route, RouteParameter } from '../http/route.js';
import { type HttpOwnContext, namedService, SERVICE_PARAMETERS } from './http-own-context.js';
import { requireKnown } from './known-parameters.js';
import { AS_BODY, HISTORY_BODY, WHY_BODY } from './ledger-answer-schemas.js';
import type { AsAnswer, HistoryAnswer, LedgerAnswer, WhyAnswer } from './ledger-answers.js';
import { mentions } from './mentioned-facts.js';

/** Newest facts of an answer; older ones are left out. */
const FACTS_MAX = 10_000;

const AT_PARAMETER: RouteParameter = {
  name: 'at',
  description: 'The moment that is asked about: epoch ms, or a time such as 2026-01-31T10:00:00Z; now without it',
};

/** What `history` is asked with: a service, or one of its instances. */
export const HISTORY_PARAMETERS: readonly RouteParameter[] = [
  ...SERVICE_PARAMETERS,
  { name: 'ip', description: 'IP literal or host name of the instance' },
  { name: 'port', description: 'Its port, 0 to 65535', type: 'integer' },
  { name: 'clusterName', description: 'Its cluster; any without it' },
];

const WHY_PARAMETERS: readonly RouteParameter[] = [
  ...HISTORY_PARAMETERS,
  { name: 'subscriber', description: 'Name or address of one subscriber; all without it' },
  AT_PARAMETER,
  { name: 'since', description: 'The first incident from this time on is meant, in the form of at' },
  { name: 'lang', description: 'Language of the sentences: en or zh', defaultValue: 'en' },
];

const AS_PARAMETERS: readonly RouteParameter[] = [
  ...SERVICE_PARAMETERS,
  { name: 'subscriber', description: 'Name or address of the subscriber', required: true },
  AT_PARAMETER,
];

/** The routes. @param ledger - undefined when no history is kept: the routes then say so */
export function ledgerRoutes(context: HttpOwnContext, ledger: Ledger | undefined): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/rollcall/v1/why',
      summary: 'Where the time went between the last sign of life of an instance and the moment subscribers knew',
      parameters: WHY_PARAMETERS,
      produces: WHY_BODY,
      handle: ({ parameters }) => why(context, kept(ledger), parameters),
    },
    {
      method: 'GET',
      path: '/rollcall/v1/as',
      summary: 'The list that a subscriber holds or held, and how it got it',
      parameters: AS_PARAMETERS,
      produces: AS_BODY,
      handle: ({ parameters }) => as(context, kept(ledger), parameters),
    },
    {
      method: 'GET',
      path: '/rollcall/v1/history',
      summary: 'What happened to a service or to one of its instances, oldest first',
      parameters: HISTORY_PARAMETERS,
      produces: HISTORY_BODY,
      handle: ({ parameters }) => history(context, kept(ledger), parameters),
    },
  ];
}

/** The ledger. @throws RegistryError when none is kept */
export function kept(ledger: Ledger | undefined): Ledger {
  if (ledger !== undefined) return ledger;
  throw new RegistryError('not-found', 'No history is kept: the server runs with the option "ledger" at "off"');
}

/** The instance that a request names; undefined when it names none. @throws RegistryError when it names half of one */
export function namedAddress(parameters: Parameters): AccountQuestion['instance'] | undefined {
  if (parameters.present('ip') === undefined && parameters.present('port') === undefined) return undefined;
  const cluster = parameters.present('clusterName');
  const ip = parameters.required('ip');
  return { ip, port: portOf(parameters.required('port')), ...(cluster !== undefined && { cluster }) };
}

function why(context: HttpOwnContext, ledger: Ledger, parameters: Parameters): HttpAnswer {
  requireKnown(parameters, WHY_PARAMETERS);
  const { core } = context.registry;
  const service = namedService(parameters, context);
  const instance = namedAddress(parameters) ?? {
    ip: parameters.required('ip'),
    port: portOf(parameters.required('port')),
  };
  const known = core.service(service.id);
  const now = context.registry.now();
  const question: AccountQuestion = {
    instance,
    facts: ledger.history(service.id)?.facts ?? [],
    server: ledger.serverFacts,
    subscriber: parameters.present('subscriber'),
    at: timeOf(parameters, 'at', context, ledger),
    since: timeOf(parameters, 'since', context, ledger),
    now: ledger.at(now),
    present: presentInstance(core, known, instance, now),
    subscribers: presentReaders(known),
    elsewhere: registeredElsewhere(core, service.id, instance),
  };
  const account = accountOf(question);
  const facts = verdictFacts(account, question);
  const answer: WhyAnswer = {
    ...ledgerAnswer(context, ledger, service),
    ...account,
    cause: facts.cause,
    ...sentencesOf(facts, languageOf(parameters)),
  };
  return jsonAnswer(200, JSON.stringify(answer));
}

function as(context: HttpOwnContext, ledger: Ledger, parameters: Parameters): HttpAnswer {
  requireKnown(parameters, AS_PARAMETERS);
  const service = namedService(parameters, context);
  const subscriber = parameters.required('subscriber');
  const now = ledger.at(context.registry.now());
  const at = timeOf(parameters, 'at', context, ledger) ?? now;
  const known = context.registry.core.service(service.id);
  const own = [...(known?.subscribers.values() ?? [])].find(
    (each) => subscriberName(each) === subscriber || each.ip === subscriber,
  );
  const history = ledger.history(service.id);
  const list = heldList({
    subscriber,
    facts: history?.facts ?? [],
    at,
    droppedUntil: history?.droppedUntil ?? 0,
    present: (known?.records ?? []).map(({ address: { ip, port, cluster }, kind, healthy, inForce }) => ({
      ...{ ip, port, cluster, kind, healthy },
      ...{ enabled: inForce.enabled, weight: inForce.weight },
    })),
    known: own && {
      version: knows(own, known?.refTime ?? 0) ? (known?.refTime ?? 0) : own.lastQueriedRefTime,
      clusters: own.clusters,
    },
  });
  const answer: AsAnswer = { ...ledgerAnswer(context, ledger, service), ...list, subscriber, at };
  return jsonAnswer(200, JSON.stringify(answer));
}

function history(context: HttpOwnContext, ledger: Ledger, parameters: Parameters): HttpAnswer {
  requireKnown(parameters, HISTORY_PARAMETERS);
  const service = namedService(parameters, context);
  const address = namedAddress(parameters);
  const own = (ledger.history(service.id)?.facts ?? []).filter((fact) => mentions(fact, address));
  const facts = [...own, ...ledger.serverFacts].sort((a, b) => a.at - b.at).slice(-FACTS_MAX);
  const answer: HistoryAnswer = { ...ledgerAnswer(context, ledger, service), facts };
  return jsonAnswer(200, JSON.stringify(answer));
}

function ledgerAnswer({ registry, facts }: HttpOwnContext, ledger: Ledger, service: ServiceKey): LedgerAnswer {
  const known = ledger.history(service.id);
  return {
    namespaceId: service.namespace,
    groupName: service.group,
    serviceName: service.name,
    node: facts().urls[0] ?? '',
    askedAt: ledger.at(registry.now()),
    dropped: known?.dropped ?? 0,
    droppedUntil: Math.max(known?.droppedUntil ?? 0, ledger.freedUntil),
  };
}

/** A wall time as a place on the time line of the ledger. @throws RegistryError when it is no time */
function timeOf(
  parameters: Parameters,
  name: string,
  { registry }: HttpOwnContext,
  ledger: Ledger,
): number | undefined {
  const text = parameters.present(name);
  if (text === undefined) return undefined;
  const wall = /^\d{1,15}$/.test(text) ? Number(text) : Date.parse(text);
  if (Number.isNaN(wall)) {
    const found = `found "${text}", allowed is epoch ms or a time such as "2026-01-31T10:00:00Z"`;
    throw new RegistryError('invalid-parameter', `Param '${name}': ${found}`, { details: { parameter: name } });
  }
  const now = registry.now();
  return Math.round(wall - now.wall + ledger.at(now));
}

function languageOf(parameters: Parameters): Language {
  const text = parameters.optional('lang', 'en');
  if (text === 'en' || text === 'zh') return text;
  const found = `found "${text}", allowed is "en" or "zh"`;
  throw new RegistryError('invalid-parameter', `Param 'lang': ${found}`, { details: { parameter: 'lang' } });
}
