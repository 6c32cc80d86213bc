// The shapes of ledger-answers.ts once more, for the API description; the compiler checks that no member is missing.

import type { Account, SubscriberAccount } from '../../core/ledger/account.js';
import { CAUSES } from '../../core/ledger/cause.js';
import type { LeaseStep } from '../../core/ledger/fact.js';
import type { HeldInstance } from '../../core/ledger/held-list.js';
import type { Chain, Stage } from '../../core/ledger/reader-chain.js';
import { jsonBody } from '../http/answer-description.js';
import {
  anyOf,
  arrayOf,
  BOOLEAN,
  INTEGER,
  NULL,
  NUMBER,
  named,
  objectLike,
  objectOf,
  oneOfTexts,
  STRING,
} from '../http/answer-schema.js';
import type { AsAnswer, HistoryAnswer, WhyAnswer } from './ledger-answers.js';

const TIME_OR_NULL = anyOf(INTEGER, NULL);
const CAUSE = named('Cause', oneOfTexts(...CAUSES));

const LEDGER = {
  namespaceId: STRING,
  groupName: STRING,
  serviceName: STRING,
  node: STRING,
  askedAt: INTEGER,
  dropped: INTEGER,
  droppedUntil: INTEGER,
};

const STAGE = named(
  'Stage',
  objectLike<Stage>(
    {
      name: oneOfTexts(
        'lease-moved',
        'silence',
        'timeout',
        'replication',
        'listed-unhealthy',
        'push-wait',
        'push-lost',
        'acknowledge',
        'until-poll',
        'not-told',
      ),
      from: INTEGER,
      to: INTEGER,
      ms: INTEGER,
      cause: CAUSE,
    },
    {
      move: objectLike<LeaseStep>({
        from: STRING,
        to: STRING,
        why: oneOfTexts('beat', 'holder-lost', 'elsewhere'),
      }),
    },
  ),
);

const CHAIN = named(
  'Chain',
  objectLike<Chain>({
    stages: arrayOf(STAGE),
    to: INTEGER,
    totalMs: INTEGER,
    end: oneOfTexts('told', 'open', 'gone'),
    by: anyOf(oneOfTexts('push', 'poll'), NULL),
  }),
);

const SUBSCRIBER = objectLike<SubscriberAccount>({
  subscriber: STRING,
  ip: STRING,
  transport: oneOfTexts('udp', 'stream', 'poll'),
  told: CHAIN,
  removal: anyOf(CHAIN, NULL),
});

type Incident = NonNullable<Account['incident']>;

const INCIDENT = objectLike<Incident>({
  from: INTEGER,
  downAt: INTEGER,
  removedAt: TIME_OR_NULL,
  backAt: TIME_OR_NULL,
  stages: arrayOf(STAGE),
  totalMs: INTEGER,
  awaited: anyOf(
    objectLike<NonNullable<Incident['awaited']>>({
      waitedMs: INTEGER,
      acknowledged: INTEGER,
      pending: arrayOf(STRING),
    }),
    NULL,
  ),
});

/** GET `/rollcall/v1/why`. */
export const WHY_BODY = jsonBody(
  named(
    'Why',
    objectLike<WhyAnswer>({
      ...LEDGER,
      instance: STRING,
      state: oneOfTexts('healthy', 'unhealthy', 'removed', 'unknown'),
      holder: anyOf(STRING, NULL),
      incident: anyOf(INCIDENT, NULL),
      subscribers: arrayOf(SUBSCRIBER),
      causes: arrayOf(objectLike<WhyAnswer['causes'][number]>({ cause: CAUSE, ms: INTEGER })),
      cause: CAUSE,
      verdict: STRING,
      advice: STRING,
    }),
  ),
);

/** GET `/rollcall/v1/as`. */
export const AS_BODY = jsonBody(
  named(
    'HeldList',
    objectLike<AsAnswer>({
      ...LEDGER,
      subscriber: STRING,
      at: INTEGER,
      version: INTEGER,
      how: oneOfTexts('pushed', 'polled', 'unknown'),
      since: TIME_OR_NULL,
      clusters: STRING,
      instances: arrayOf(
        objectLike<HeldInstance>({
          ip: STRING,
          port: INTEGER,
          cluster: STRING,
          kind: oneOfTexts('ephemeral', 'persistent'),
          healthy: BOOLEAN,
          enabled: BOOLEAN,
          weight: NUMBER,
        }),
      ),
      complete: BOOLEAN,
    }),
  ),
);

/** One fact; what else it has depends on its type. */
export const FACT_SCHEMA = named('Fact', objectOf({ at: INTEGER, wall: INTEGER, via: STRING, type: STRING }));

/** GET `/rollcall/v1/history`. */
export const HISTORY_BODY = jsonBody(
  named('History', objectLike<HistoryAnswer>({ ...LEDGER, facts: arrayOf(FACT_SCHEMA) })),
);
