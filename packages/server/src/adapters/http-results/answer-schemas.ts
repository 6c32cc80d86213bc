// What the answers of HTTP v2 and v3 look like, for the API description.

import { type AnswerDescription, jsonBody } from '../http/answer-description.js';
import {
  arrayOf,
  BOOLEAN,
  INTEGER,
  type JsonSchema,
  NULL,
  NUMBER,
  named,
  objectOf,
  STRING,
} from '../http/answer-schema.js';
import { METADATA_SCHEMA, TEXT_OR_NULL } from '../http/shared-schemas.js';

/** A good answer in the envelope. @param data - schema of what was asked for */
function resultBody(data: JsonSchema): AnswerDescription {
  return jsonBody(resultSchema(data));
}

/** The envelope. @param data - schema of its `data` */
function resultSchema(data: JsonSchema): JsonSchema {
  return objectOf({ code: INTEGER, message: STRING, data });
}

/** `"ok"` in the envelope. */
export const OK_RESULT_BODY = resultBody({ const: 'ok' });

/** An instance as clients of 2.x and 3.x know it. */
const CLIENT_INSTANCE_SCHEMA = named(
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
