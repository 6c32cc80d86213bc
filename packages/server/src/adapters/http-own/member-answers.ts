// What `/rollcall/v1/members` answers, for the command line and scripts.

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
  oneOfTexts,
  STRING,
} from '../http/answer-schema.js';
import { TEXT_OR_NULL } from '../http/shared-schemas.js';

/** One member as the asked node sees it. */
export interface MemberLine {
  /** As in the list of members. */
  readonly address: string;
  /** Whether it is the node that was asked. */
  readonly self: boolean;
  readonly state: 'STARTING' | 'UP' | 'SUSPICIOUS' | 'DOWN';
  /** Of its program; null when it has not said it yet. */
  readonly version: string | null;
  /** Ms since something came from it; null when nothing ever did. */
  readonly silentMs: number | null;
  /** Number of its run; 0 when not known. */
  readonly epoch: number;
  /** Changes made at the asked node that it has not acknowledged yet. */
  readonly lag: number;
  /** Whether it holds the same records as the asked node; `behind`: changes are on their way. */
  readonly records: 'equal' | 'behind' | 'different';
  /** Whether messages to it arrive. */
  readonly connected: boolean;
  /** Bytes that wait because it has not read yet. */
  readonly queuedBytes: number;
  /** Why it and the asked node refuse each other, e.g. `not-a-member`; null when they do not. */
  readonly rejection: string | null;
}

/** GET `/rollcall/v1/members`. */
export interface MembersAnswer {
  readonly mode: 'standalone' | 'cluster';
  /** Name of the cluster; null for a server alone. */
  readonly cluster: string | null;
  /** `STARTING` while the asked node has no full copy of the registrations. */
  readonly state: 'STARTING' | 'UP';
  /** Sorted by address. */
  readonly members: readonly MemberLine[];
}

const MEMBER_LINE = named(
  'MemberLine',
  objectLike<MemberLine>({
    address: STRING,
    self: BOOLEAN,
    state: oneOfTexts('STARTING', 'UP', 'SUSPICIOUS', 'DOWN'),
    version: TEXT_OR_NULL,
    silentMs: anyOf(NUMBER, NULL),
    epoch: INTEGER,
    lag: INTEGER,
    records: oneOfTexts('equal', 'behind', 'different'),
    connected: BOOLEAN,
    queuedBytes: INTEGER,
    rejection: TEXT_OR_NULL,
  }),
);

/** The answer for the API description. */
export const MEMBERS_BODY = jsonBody(
  objectLike<MembersAnswer>({
    mode: oneOfTexts('standalone', 'cluster'),
    cluster: TEXT_OR_NULL,
    state: oneOfTexts('STARTING', 'UP'),
    members: arrayOf(MEMBER_LINE),
  }),
);
