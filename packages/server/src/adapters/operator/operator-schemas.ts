// What the answers to operators look like, on every version of HTTP, for the API description.

import { jsonBody } from '../http/answer-description.js';
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
  oneOfTexts,
  STRING,
} from '../http/answer-schema.js';
import { TEXT_OR_NULL } from '../http/shared-schemas.js';

const STATUS = oneOfTexts('STARTING', 'UP', 'DOWN', 'PAUSED', 'WRITE_ONLY', 'READ_ONLY');
const INTERVALS = objectOf({ max: INTEGER, min: INTEGER, factor: NUMBER });

/** The names under which the object of all switches has the least versions of clients that are pushed to. */
export const PUSH_VERSION_MEMBERS = {
  '2.x': ['pushGoVersion', 'pushJavaVersion', 'pushPythonVersion', 'pushCVersion', 'pushCSharpVersion'],
  '3.x': ['pushVersionOfGo', 'pushVersionOfJava', 'pushVersionOfPython', 'pushVersionOfC', 'pushVersionOfCsharp'],
} as const;

/** All switches. @param names - whose names the versions of clients have */
export function switchesSchema(names: keyof typeof PUSH_VERSION_MEMBERS): JsonSchema {
  const versions: Members = Object.fromEntries(PUSH_VERSION_MEMBERS[names].map((member) => [member, STRING]));
  return named(names === '2.x' ? 'Switches' : 'V3Switches', objectOf({ ...SWITCHES, ...versions }));
}

const SWITCHES: Members = {
  masters: anyOf(arrayOf(STRING), NULL),
  adWeightMap: mapOf(INTEGER),
  defaultPushCacheMillis: INTEGER,
  clientBeatInterval: INTEGER,
  defaultCacheMillis: INTEGER,
  distroThreshold: NUMBER,
  healthCheckEnabled: BOOLEAN,
  autoChangeHealthCheckEnabled: BOOLEAN,
  distroEnabled: BOOLEAN,
  enableStandalone: BOOLEAN,
  pushEnabled: BOOLEAN,
  checkTimes: INTEGER,
  httpHealthParams: INTERVALS,
  tcpHealthParams: INTERVALS,
  mysqlHealthParams: INTERVALS,
  incrementalList: arrayOf(STRING),
  serverStatusSynchronizationPeriodMillis: INTEGER,
  serviceStatusSynchronizationPeriodMillis: INTEGER,
  disableAddIP: BOOLEAN,
  sendBeatOnly: BOOLEAN,
  lightBeatEnabled: BOOLEAN,
  limitedUrlMap: mapOf(INTEGER),
  distroServerExpiredMillis: INTEGER,
  enableAuthentication: BOOLEAN,
  overriddenServerStatus: anyOf(STATUS, NULL),
  defaultInstanceEphemeral: BOOLEAN,
  healthCheckWhiteList: arrayOf(STRING),
  name: STRING,
  checksum: TEXT_OR_NULL,
};

/** Counters of 2.x and 3.x. */
export const COUNTER_MEMBERS: Members = {
  serviceCount: INTEGER,
  instanceCount: INTEGER,
  subscribeCount: INTEGER,
  clientCount: INTEGER,
  connectionBasedClientCount: INTEGER,
  ephemeralIpPortClientCount: INTEGER,
  persistentIpPortClientCount: INTEGER,
  responsibleClientCount: INTEGER,
};

/** How busy the process is. */
export const LOAD_MEMBERS: Members = { cpu: NUMBER, load: NUMBER, mem: NUMBER };

/** The status of the server by itself. */
export const STATUS_MEMBER: Members = { status: STATUS };

/** GET `/operator/metrics` of v1. */
export const METRICS_BODY = jsonBody(
  objectOf({
    ...STATUS_MEMBER,
    ...COUNTER_MEMBERS,
    ...LOAD_MEMBERS,
    raftNotifyTaskCount: INTEGER,
    responsibleServiceCount: INTEGER,
    responsibleInstanceCount: INTEGER,
  }),
);

/** GET `/operator/push/state`. */
export const PUSH_STATE_BODY = jsonBody(
  objectOf(
    { succeed: INTEGER, total: INTEGER, ratio: NUMBER, reset: BOOLEAN },
    { detail: objectOf({ avgPushCost: NUMBER, maxPushCost: NUMBER }) },
  ),
);

/** State of a member. */
export const MEMBER_STATE_SCHEMA = oneOfTexts('STARTING', 'UP', 'SUSPICIOUS', 'DOWN');

const MEMBER: Members = {
  ip: STRING,
  port: INTEGER,
  state: MEMBER_STATE_SCHEMA,
  extendInfo: objectOf(
    { lastRefreshTime: INTEGER },
    {
      version: STRING,
      rollcall: objectOf({
        epoch: INTEGER,
        silentMs: NUMBER,
        lag: INTEGER,
        records: oneOfTexts('equal', 'behind', 'different'),
        connected: BOOLEAN,
      }),
    },
  ),
  address: STRING,
  failAccessCnt: INTEGER,
};

/** A server of the cluster. */
export const MEMBER_SCHEMA = named('V1Member', objectOf(MEMBER));

/** A server of the cluster, with what it is able to. */
export const MEMBER_OF_2X_SCHEMA = named(
  'Member',
  objectOf({
    ...MEMBER,
    abilities: objectOf({
      remoteAbility: objectOf({ supportRemoteConnection: BOOLEAN, grpcReportEnabled: BOOLEAN }),
      configAbility: objectOf({ supportRemoteMetrics: BOOLEAN }),
      namingAbility: objectOf({ supportJraft: BOOLEAN }),
    }),
    grpcReportEnabled: BOOLEAN,
  }),
);

/** Which server is responsible for something. */
export const RESPONSIBLE_SCHEMA = objectOf({ responsibleServer: STRING });

/** Settings of the checkers by type. */
export const CHECKERS_SCHEMA = objectOf({
  TCP: objectOf({}),
  HTTP: objectOf({ path: STRING, headers: STRING, expectedResponseCode: INTEGER }),
  MYSQL: objectOf({ user: NULL, pwd: NULL, cmd: NULL }),
  NONE: objectOf({}),
});

/** What a server says of itself: texts by name. */
export const STATE_SCHEMA = mapOf(TEXT_OR_NULL);

/** The envelope of v1 routes that Nacos calls core. */
export function restResultBody(data: JsonSchema) {
  return jsonBody(objectOf({ code: { const: 200 }, message: NULL, data }));
}

const NAMESPACE_MEMBERS = {
  namespace: STRING,
  namespaceShowName: STRING,
  namespaceDesc: TEXT_OR_NULL,
  quota: INTEGER,
  configCount: INTEGER,
  type: INTEGER,
};

/** One namespace as every version shows it. */
export const NAMESPACE_SCHEMA = named('Namespace', objectOf(NAMESPACE_MEMBERS));

/** A namespace of a list: with the counts that Nacos does not have. */
export const LISTED_NAMESPACE_SCHEMA = named(
  'ListedNamespace',
  objectOf({ ...NAMESPACE_MEMBERS, serviceCount: INTEGER, instanceCount: INTEGER }),
);

/** GET `/console/namespaces` in its three forms: all, one, or whether an id is taken. */
export const NAMESPACES_BODY = jsonBody(
  anyOf(
    objectOf({ code: { const: 200 }, message: NULL, data: arrayOf(LISTED_NAMESPACE_SCHEMA) }),
    NAMESPACE_SCHEMA,
    BOOLEAN,
  ),
);
