// What the answers of HTTP v1 look like, for the API description.

import { type AnswerDescription, jsonBody } from '../http/answer-description.js';
import {
  anyOf,
  arrayOf,
  BOOLEAN,
  INTEGER,
  type JsonSchema,
  mapOf,
  NUMBER,
  named,
  objectOf,
  oneOfTexts,
  STRING,
} from '../http/answer-schema.js';
import { CHECKER_SCHEMA, METADATA_SCHEMA, SELECTOR_SCHEMA } from '../http/shared-schemas.js';

const OK: JsonSchema = { const: 'ok' };

/** The word `ok`; an Accept header that begins with JSON or HTML changes the media type, never the word. */
export const OK_BODY: AnswerDescription = {
  mediaTypes: ['text/plain', 'application/json', 'text/html'],
  schema: OK,
};

/** `true` or `false`. */
export const TRUTH_BODY = jsonBody(BOOLEAN);

/** GET `/instance`. */
export const INSTANCE_BODY = jsonBody(
  named(
    'V1Instance',
    objectOf({
      service: STRING,
      ip: STRING,
      port: INTEGER,
      clusterName: STRING,
      weight: NUMBER,
      healthy: BOOLEAN,
      instanceId: STRING,
      metadata: METADATA_SCHEMA,
    }),
  ),
);

const HOST = named(
  'V1Host',
  objectOf({
    ip: STRING,
    port: INTEGER,
    valid: BOOLEAN,
    healthy: BOOLEAN,
    marked: BOOLEAN,
    instanceId: STRING,
    metadata: METADATA_SCHEMA,
    enabled: BOOLEAN,
    weight: NUMBER,
    clusterName: STRING,
    serviceName: STRING,
    ephemeral: BOOLEAN,
  }),
);

const LIST = named(
  'V1InstanceList',
  objectOf(
    { name: STRING, clusters: STRING, cacheMillis: INTEGER, hosts: arrayOf(HOST) },
    {
      dom: STRING,
      lastRefTime: INTEGER,
      checksum: STRING,
      useSpecifiedURL: BOOLEAN,
      env: STRING,
      metadata: METADATA_SCHEMA,
    },
  ),
);

/** GET `/instance/list`; an unknown service has four members, a check without hosts none. */
export const LIST_BODY = jsonBody(anyOf(LIST, objectOf({})));

/** Health of the instances of a service, as texts. */
export const STATUSES_BODY = jsonBody(objectOf({ ips: arrayOf(STRING) }));

/** What a metadata batch changed. */
export const BATCH_BODY = jsonBody(objectOf({ updated: arrayOf(STRING) }));

/** The answer to a beat. */
export const BEAT_BODY = jsonBody(
  named(
    'BeatAnswer',
    objectOf({ clientBeatInterval: INTEGER, code: { enum: [10200, 20404] } }, { lightBeatEnabled: BOOLEAN }),
  ),
);

const CLUSTER = objectOf({ name: STRING, healthChecker: CHECKER_SCHEMA, metadata: METADATA_SCHEMA });

/** GET `/service`. */
export const SERVICE_BODY = jsonBody(
  named(
    'V1Service',
    objectOf({
      name: STRING,
      namespaceId: STRING,
      groupName: STRING,
      protectThreshold: NUMBER,
      metadata: METADATA_SCHEMA,
      selector: SELECTOR_SCHEMA,
      clusters: arrayOf(CLUSTER),
    }),
  ),
);

/** PUT `/service/checksum`. */
export const CHECKSUM_BODY = jsonBody(objectOf({ checksum: STRING }));

/** GET `/service/list`. */
export const SERVICE_LIST_BODY = jsonBody(objectOf({ doms: arrayOf(STRING), count: INTEGER }));

/** GET `/service/names`. */
export const SERVICE_NAMES_BODY = jsonBody(objectOf({ services: mapOf(arrayOf(STRING)), count: INTEGER }));

/** GET `/api/allDomNames`; old DNS clients get one flat list. */
export const ALL_NAMES_BODY = jsonBody(
  objectOf({ doms: anyOf(mapOf(arrayOf(STRING)), arrayOf(STRING)), count: INTEGER }),
);

/** A list of texts. */
export const TEXTS_BODY = jsonBody(arrayOf(STRING));

/** GET `/service/subscribers`. */
export const SUBSCRIBERS_BODY = jsonBody(
  objectOf({
    count: INTEGER,
    subscribers: arrayOf(
      named(
        'V1Subscriber',
        objectOf({
          addrStr: STRING,
          agent: STRING,
          app: STRING,
          ip: STRING,
          port: INTEGER,
          cluster: STRING,
          namespaceId: STRING,
          serviceName: STRING,
        }),
      ),
    ),
  }),
);

const CATALOG_CLUSTER = objectOf({
  serviceName: STRING,
  name: STRING,
  healthChecker: CHECKER_SCHEMA,
  defaultPort: INTEGER,
  defaultCheckPort: INTEGER,
  useIPPort4Check: BOOLEAN,
  metadata: METADATA_SCHEMA,
  sitegroup: STRING,
  defCkport: INTEGER,
  empty: BOOLEAN,
  defIPPort: INTEGER,
});

/** GET `/catalog/service`. */
export const CATALOG_SERVICE_BODY = jsonBody(
  objectOf({
    service: objectOf({
      name: STRING,
      groupName: STRING,
      protectThreshold: NUMBER,
      selector: SELECTOR_SCHEMA,
      metadata: METADATA_SCHEMA,
    }),
    clusters: arrayOf(CATALOG_CLUSTER),
  }),
);

const DETAILED_INSTANCE = named(
  'V1DetailedInstance',
  objectOf(
    {
      instanceId: STRING,
      ip: STRING,
      port: INTEGER,
      weight: NUMBER,
      healthy: BOOLEAN,
      enabled: BOOLEAN,
      ephemeral: BOOLEAN,
      clusterName: STRING,
      serviceName: STRING,
      metadata: METADATA_SCHEMA,
      lastBeat: INTEGER,
      marked: BOOLEAN,
      instanceHeartBeatInterval: INTEGER,
      instanceHeartBeatTimeOut: INTEGER,
      ipDeleteTimeout: INTEGER,
    },
    { app: STRING, instanceIdGenerator: STRING },
  ),
);

/** GET `/catalog/instances`. */
export const CATALOG_INSTANCES_BODY = jsonBody(objectOf({ list: arrayOf(DETAILED_INSTANCE), count: INTEGER }));

const CATALOG_HOST = objectOf({
  valid: BOOLEAN,
  metadata: METADATA_SCHEMA,
  port: INTEGER,
  ip: STRING,
  weight: NUMBER,
  enabled: BOOLEAN,
});

const SERVICE_WITH_HOSTS = objectOf({
  serviceName: STRING,
  groupName: STRING,
  clusterMap: mapOf(objectOf({ hosts: arrayOf(CATALOG_HOST) })),
  metadata: METADATA_SCHEMA,
});

/** One line of the overview of services, on v1 and v3. */
export const SERVICE_SUMMARY_SCHEMA = objectOf({
  name: STRING,
  groupName: STRING,
  clusterCount: INTEGER,
  ipCount: INTEGER,
  healthyInstanceCount: INTEGER,
  triggerFlag: oneOfTexts('true', 'false'),
});

/** GET `/catalog/services`, with instances or without. */
export const CATALOG_SERVICES_BODY = jsonBody(
  anyOf(objectOf({ serviceList: arrayOf(SERVICE_SUMMARY_SCHEMA), count: INTEGER }), arrayOf(SERVICE_WITH_HOSTS)),
);

/** GET `/catalog/rt/service`. */
export const PROBE_TIMES_BODY = jsonBody(
  objectOf({
    clusters: arrayOf(
      objectOf({ name: STRING, checkRTBest: INTEGER, checkRTWorst: INTEGER, checkRTNormalized: INTEGER }),
    ),
  }),
);
