// The shapes of own-answers.ts once more, for the API description; the compiler checks that no member is missing.

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
import { METADATA_SCHEMA, TEXT_OR_NULL } from '../http/shared-schemas.js';
import type {
  ContentAnswer,
  DrainAnswer,
  InstanceAnswer,
  InstanceLine,
  InstancesAnswer,
  ResetAnswer,
  ServiceLine,
  ServicesAnswer,
  StatusAnswer,
  SubscriberLine,
  SubscribersAnswer,
} from './own-answers.js';

const TIME_OR_NULL = anyOf(INTEGER, NULL);

const COUNTS = objectLike<StatusAnswer['counts']>({
  namespaces: INTEGER,
  services: INTEGER,
  instances: INTEGER,
  ephemeralInstances: INTEGER,
  persistentInstances: INTEGER,
  subscribers: INTEGER,
  connections: INTEGER,
  outstandingPushes: INTEGER,
});

/** `/rollcall/v1/drain`. */
export const DRAIN_BODY = jsonBody(
  named(
    'Drain',
    objectLike<DrainAnswer>({
      draining: BOOLEAN,
      startedAt: TIME_OR_NULL,
      asked: INTEGER,
      left: INTEGER,
      clients: arrayOf(objectLike<DrainAnswer['clients'][number]>({ version: STRING, count: INTEGER })),
    }),
  ),
);

/** GET `/rollcall/v1/status`. */
export const STATUS_BODY = jsonBody(
  named(
    'Status',
    objectLike<StatusAnswer>({
      product: { const: 'rollcall' },
      version: STRING,
      mode: oneOfTexts('standalone', 'cluster'),
      status: STRING,
      startedAt: INTEGER,
      uptimeMs: NUMBER,
      urls: arrayOf(STRING),
      contextPath: STRING,
      dataDirectory: STRING,
      counts: COUNTS,
    }),
  ),
);

const SERVICE_LINE = named(
  'ServiceLine',
  objectLike<ServiceLine>({
    namespaceId: STRING,
    groupName: STRING,
    serviceName: STRING,
    clusters: INTEGER,
    instances: INTEGER,
    healthyInstances: INTEGER,
    subscribers: INTEGER,
    created: BOOLEAN,
    protectThreshold: NUMBER,
    protecting: BOOLEAN,
  }),
);

/** GET `/rollcall/v1/services`. */
export const SERVICES_BODY = jsonBody(objectLike<ServicesAnswer>({ count: INTEGER, services: arrayOf(SERVICE_LINE) }));

const CONTENT = {
  enabled: BOOLEAN,
  weight: NUMBER,
  metadata: METADATA_SCHEMA,
  app: TEXT_OR_NULL,
};
const CONTENT_SCHEMA = named('InstanceContent', objectLike<ContentAnswer>(CONTENT));

const LINE = {
  ...CONTENT,
  ip: STRING,
  port: INTEGER,
  cluster: STRING,
  kind: oneOfTexts('ephemeral', 'persistent'),
  instanceId: STRING,
  healthy: BOOLEAN,
  lastBeat: INTEGER,
  edited: arrayOf(STRING),
  publishers: arrayOf(STRING),
};
const LEASE = { beatTimeoutMs: INTEGER, deleteTimeoutMs: INTEGER };

/** The list of a service; also the data of each event of a watch. */
export const INSTANCES_SCHEMA = named(
  'ServiceInstances',
  objectLike<InstancesAnswer>({
    namespaceId: STRING,
    groupName: STRING,
    serviceName: STRING,
    service: anyOf(SERVICE_LINE, NULL),
    version: INTEGER,
    instances: arrayOf(named('InstanceLine', objectLike<InstanceLine>(LINE, LEASE))),
  }),
);

const REGISTRATION = objectLike<InstanceAnswer['registrations'][number]>({
  publisher: STRING,
  healthy: BOOLEAN,
  lastBeat: INTEGER,
  orphaned: BOOLEAN,
});

/** GET `/rollcall/v1/instance`. */
export const INSTANCE_BODY = jsonBody(
  named(
    'InstanceWithEdits',
    objectLike<InstanceAnswer>(
      {
        ...LINE,
        registered: CONTENT_SCHEMA,
        underEdits: CONTENT_SCHEMA,
        edits: anyOf(objectOf({}, { enabled: BOOLEAN, weight: NUMBER, metadata: METADATA_SCHEMA }), NULL),
        inForce: CONTENT_SCHEMA,
        registrations: arrayOf(REGISTRATION),
      },
      LEASE,
    ),
  ),
);

/** DELETE `/rollcall/v1/instance/edits`. */
export const RESET_BODY = jsonBody(objectLike<ResetAnswer>({ reset: BOOLEAN }));

const OUTSTANDING = objectLike<NonNullable<SubscriberLine['outstanding']>>({
  version: INTEGER,
  sends: INTEGER,
  waitsMs: INTEGER,
});

const SUBSCRIBER = named(
  'SubscriberLine',
  objectLike<SubscriberLine>(
    {
      namespaceId: STRING,
      groupName: STRING,
      serviceName: STRING,
      transport: oneOfTexts('udp', 'stream'),
      ip: STRING,
      clusters: STRING,
      agent: STRING,
      app: STRING,
      version: INTEGER,
      knownVersion: INTEGER,
      lastQueried: TIME_OR_NULL,
      lastPushed: TIME_OR_NULL,
      lastAcknowledged: TIME_OR_NULL,
      outstanding: anyOf(OUTSTANDING, NULL),
      pushed: INTEGER,
      resent: INTEGER,
      givenUp: INTEGER,
      failed: INTEGER,
    },
    { port: INTEGER, connection: STRING, forgottenInMs: INTEGER },
  ),
);

/** GET `/rollcall/v1/subscribers`. */
export const SUBSCRIBERS_BODY = jsonBody(
  objectLike<SubscribersAnswer>({ count: INTEGER, subscribers: arrayOf(SUBSCRIBER) }),
);
