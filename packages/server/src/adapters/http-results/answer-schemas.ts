// What the answers of HTTP v2 and v3 look like, for the API description.

import { type AnswerDescription, jsonBody } from '../http/answer-description.js';
import {
  anyOf,
  arrayOf,
  BOOLEAN,
  INTEGER,
  type JsonSchema,
  type Members,
  mapOf,
  NULL,
  NUMBER,
  named,
  objectOf,
  STRING,
} from '../http/answer-schema.js';
import { CHECKER_SCHEMA, METADATA_SCHEMA, SELECTOR_SCHEMA, TEXT_OR_NULL } from '../http/shared-schemas.js';
import { SERVICE_SUMMARY_SCHEMA } from '../http-v1/answer-schemas.js';

/** A good answer in the envelope. @param data - schema of what was asked for */
export function resultBody(data: JsonSchema): AnswerDescription {
  return jsonBody(resultSchema(data));
}

/** The envelope. @param data - schema of its `data` */
export function resultSchema(data: JsonSchema): JsonSchema {
  return objectOf({ code: INTEGER, message: STRING, data });
}

/** `"ok"` in the envelope. */
export const OK_RESULT_BODY = resultBody({ const: 'ok' });

/** An instance as clients of 2.x and 3.x know it. */
export const CLIENT_INSTANCE_SCHEMA = named(
  'ClientInstance',
  objectOf(
    {
      ip: STRING,
      port: INTEGER,
      weight: NUMBER,
      healthy: BOOLEAN,
      enabled: BOOLEAN,
      ephemeral: BOOLEAN,
      clusterName: STRING,
      serviceName: STRING,
      metadata: METADATA_SCHEMA,
      instanceHeartBeatInterval: INTEGER,
      instanceHeartBeatTimeOut: INTEGER,
      ipDeleteTimeout: INTEGER,
    },
    { instanceId: STRING, instanceIdGenerator: STRING },
  ),
);

/** Instances in the envelope. */
export const INSTANCES_RESULT_BODY = resultBody(arrayOf(CLIENT_INSTANCE_SCHEMA));

/** One instance in the envelope (v3). */
export const CLIENT_INSTANCE_RESULT_BODY = resultBody(CLIENT_INSTANCE_SCHEMA);

/** Registering on v3, or a beat: an unknown instance is code 21003 without data. */
export const REGISTER_OR_BEAT_BODY = jsonBody({
  anyOf: [resultSchema({ const: 'ok' }), resultSchema(NULL)],
});

/** One instance in the envelope (v2). */
export const INSTANCE_DETAIL_BODY = resultBody(
  named(
    'V2Instance',
    objectOf({
      serviceName: STRING,
      ip: STRING,
      port: INTEGER,
      clusterName: STRING,
      weight: NUMBER,
      healthy: BOOLEAN,
      instanceId: TEXT_OR_NULL,
      metadata: METADATA_SCHEMA,
    }),
  ),
);

/** The list of a service in the envelope (v2). */
export const HOST_LIST_BODY = resultBody(
  named(
    'V2InstanceList',
    objectOf({
      name: STRING,
      groupName: STRING,
      clusters: STRING,
      cacheMillis: INTEGER,
      hosts: arrayOf(CLIENT_INSTANCE_SCHEMA),
      lastRefTime: INTEGER,
      checksum: STRING,
      allIPs: BOOLEAN,
      allIps: BOOLEAN,
      reachProtectionThreshold: BOOLEAN,
      valid: BOOLEAN,
    }),
  ),
);

/** Which instances a metadata batch edited. */
export const BATCH_RESULT_BODY = resultBody(objectOf({ updated: arrayOf(STRING) }));

const DETAIL: Members = {
  serviceName: STRING,
  groupName: STRING,
  metadata: METADATA_SCHEMA,
  protectThreshold: NUMBER,
  selector: SELECTOR_SCHEMA,
  ephemeral: BOOLEAN,
};

const CLUSTER: Members = { clusterName: STRING, healthChecker: CHECKER_SCHEMA, metadata: METADATA_SCHEMA, hosts: NULL };
const PROBED: Members = { healthyCheckPort: INTEGER, useInstancePortForCheck: BOOLEAN };

/** Settings of a service (v2). */
export const SERVICE_DETAIL_BODY = resultBody(
  named('V2Service', objectOf({ namespace: STRING, ...DETAIL, clusterMap: mapOf(objectOf(CLUSTER)) })),
);

/** Settings of a service (v3). */
export const ADMIN_SERVICE_BODY = resultBody(
  named(
    'V3Service',
    objectOf({ namespaceId: STRING, ...DETAIL, clusterMap: mapOf(objectOf({ ...CLUSTER, ...PROBED })) }),
  ),
);

/** Names of services (v2). */
export const GROUP_LIST_BODY = resultBody(objectOf({ count: INTEGER, services: arrayOf(STRING) }));

const SERVICE_WITH_HOSTS = named(
  'V3ServiceWithHosts',
  objectOf({
    namespaceId: NULL,
    serviceName: STRING,
    groupName: STRING,
    clusterMap: mapOf(
      objectOf({
        clusterName: NULL,
        healthChecker: NULL,
        metadata: NULL,
        ...PROBED,
        hosts: arrayOf(CLIENT_INSTANCE_SCHEMA),
      }),
    ),
    protectThreshold: NUMBER,
    selector: NULL,
    ephemeral: NULL,
    metadata: METADATA_SCHEMA,
  }),
);

/** A page of services (v3), with instances or without. */
export const SERVICE_PAGE_BODY = pageBody(anyOf(SERVICE_SUMMARY_SCHEMA, SERVICE_WITH_HOSTS));

/** A page of subscribers (v3). */
export const SUBSCRIBER_PAGE_BODY = pageBody(
  named(
    'V3Subscriber',
    objectOf({
      namespaceId: STRING,
      groupName: STRING,
      serviceName: STRING,
      ip: STRING,
      port: INTEGER,
      agent: STRING,
      appName: STRING,
      address: STRING,
    }),
  ),
);

function pageBody(item: JsonSchema): AnswerDescription {
  return resultBody(
    objectOf({ totalCount: INTEGER, pageNumber: INTEGER, pagesAvailable: INTEGER, pageItems: arrayOf(item) }),
  );
}

/** Texts in the envelope. */
export const TEXTS_RESULT_BODY = resultBody(arrayOf(STRING));

/** Which node answers for an address. */
export const DISTRO_BODY = resultBody(objectOf({ responsibleServer: STRING }));

const CLIENT_HEAD: Members = { clientId: STRING, ephemeral: BOOLEAN, lastUpdatedTime: INTEGER, clientType: STRING };

const TERSE_SERVICE: Members = { namespace: STRING, group: STRING, serviceName: STRING };

/** Clients, as v2 shows them. */
export const TERSE_CLIENT_BODIES = {
  client: resultBody(
    objectOf(
      { ...CLIENT_HEAD, clientIp: STRING, clientPort: STRING },
      { connectType: STRING, appName: STRING, version: STRING },
    ),
  ),
  publication: resultBody(
    arrayOf(
      objectOf({ ...TERSE_SERVICE, registeredInstance: objectOf({ ip: STRING, port: INTEGER, cluster: STRING }) }),
    ),
  ),
  subscription: resultBody(
    arrayOf(objectOf({ ...TERSE_SERVICE, subscriberInfo: objectOf({ app: STRING, agent: STRING, addr: STRING }) })),
  ),
  publisher: resultBody(arrayOf(objectOf({ ip: STRING, port: INTEGER, cluster: STRING, clientId: STRING }))),
  subscriber: resultBody(arrayOf(objectOf({ clientId: STRING, ip: STRING, port: INTEGER }))),
};

const PUBLISHER = objectOf({ clientId: STRING, ip: STRING, port: INTEGER, clusterName: STRING });
const SUBSCRIBER = objectOf({ clientId: STRING, appName: STRING, agent: STRING, address: STRING });
const SERVICE_ID: Members = { namespaceId: STRING, groupName: STRING, serviceName: STRING };

/** Clients, as v3 shows them. */
export const FULL_CLIENT_BODIES = {
  client: resultBody(
    objectOf({
      ...CLIENT_HEAD,
      connectType: TEXT_OR_NULL,
      appName: TEXT_OR_NULL,
      version: TEXT_OR_NULL,
      clientIp: TEXT_OR_NULL,
      clientPort: INTEGER,
    }),
  ),
  publication: resultBody(arrayOf(objectOf({ ...SERVICE_ID, publisherInfo: PUBLISHER, subscriberInfo: NULL }))),
  subscription: resultBody(arrayOf(objectOf({ ...SERVICE_ID, publisherInfo: NULL, subscriberInfo: SUBSCRIBER }))),
  publisher: resultBody(arrayOf(PUBLISHER)),
  subscriber: resultBody(arrayOf(SUBSCRIBER)),
};
