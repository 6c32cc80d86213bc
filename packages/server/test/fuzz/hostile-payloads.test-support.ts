// Random gRPC messages: real requests with hostile values, cut and flipped bytes, and plain noise.

import { encodePayload, frameMessage } from '@rollcall/protocol';
import fc from 'fast-check';

const HEADERS = '"headers":{},"requestId":""';
const WHERE = '"namespace":"public","serviceName":"fuzz","groupName":"DEFAULT_GROUP"';
const INSTANCE =
  '{"ip":"10.0.0.1","port":8080,"weight":1.0,"healthy":true,"enabled":true,"ephemeral":true,"clusterName":"DEFAULT","metadata":{"a":"b"}}';

/** Types and bodies that are right. */
const REQUESTS: readonly (readonly [string, string])[] = [
  ['ServerCheckRequest', `{${HEADERS},"module":"internal"}`],
  ['HealthCheckRequest', `{${HEADERS},"module":"internal"}`],
  ['InstanceRequest', `{${HEADERS},${WHERE},"type":"registerInstance","instance":${INSTANCE}}`],
  ['InstanceRequest', `{${HEADERS},${WHERE},"type":"deregisterInstance","instance":${INSTANCE}}`],
  ['BatchInstanceRequest', `{${HEADERS},${WHERE},"type":"batchRegisterInstance","instances":[${INSTANCE}]}`],
  ['PersistentInstanceRequest', `{${HEADERS},${WHERE},"type":"registerInstance","instance":${INSTANCE}}`],
  ['PersistentInstanceRequest', `{${HEADERS},${WHERE},"type":"deregisterInstance","instance":${INSTANCE}}`],
  ['ServiceQueryRequest', `{${HEADERS},${WHERE},"cluster":"","healthyOnly":false,"udpPort":0}`],
  ['ServiceListRequest', `{${HEADERS},${WHERE},"pageNo":1,"pageSize":10,"selector":""}`],
  ['SubscribeServiceRequest', `{${HEADERS},${WHERE},"subscribe":true,"clusters":""}`],
  ['SubscribeServiceRequest', `{${HEADERS},${WHERE},"subscribe":false,"clusters":""}`],
  [
    'NamingFuzzyWatchRequest',
    `{${HEADERS},"namespace":"public","groupKeyPattern":"public>>DEFAULT_GROUP>>*","receivedGroupKeys":["a"],"watchType":"WATCH","initializing":true}`,
  ],
  ['ConnectionSetupRequest', `{${HEADERS},"clientVersion":"x","labels":{"module":"naming"},"abilityTable":{}}`],
  ['NotifySubscriberResponse', `{"requestId":"1","resultCode":200}`],
  ['ConfigQueryRequest', `{${HEADERS},"dataId":"a"}`],
  ['', '{}'],
];

/** Texts that take the place of a value, or stand anywhere. */
const SPOTS = [
  ...['null', 'true', '-1', '0', '1e400', '1.5', '99999999999999999999', '""', '" "', '[]', '{}', '[null]', '[[]]'],
  ...[
    '"__proto__"',
    '{"__proto__":{"a":1}}',
    '"\\u0000"',
    '"\\ud800"',
    '"a@@b"',
    '"a,b"',
    '"%s"',
    '"名"',
    ',',
    '{',
    '"',
  ],
  `"${'x'.repeat(2000)}"`,
  `${'['.repeat(300)}${']'.repeat(300)}`,
];

const value = /"[^"]*"|-?[\d.]+|true|false|\{\}|\[\]/g;

interface Change {
  readonly at: number;
  readonly spot: string;
  readonly how: 'value' | 'insert' | 'cut';
}

function changed(json: string, { at, spot, how }: Change): string {
  const place = Math.floor(at * json.length);
  if (how === 'cut') return json.slice(0, place);
  if (how === 'insert') return json.slice(0, place) + spot + json.slice(place);
  const values = [...json.matchAll(value)];
  const chosen = values[Math.floor(at * values.length)];
  return chosen === undefined ? spot : json.slice(0, chosen.index) + spot + json.slice(chosen.index + chosen[0].length);
}

const fraction = fc.integer({ min: 0, max: 999 }).map((n) => n / 1000);
const how = fc.constantFrom<Change['how']>('value', 'value', 'value', 'value', 'insert', 'cut');
const change = fc.record({ at: fraction, spot: fc.constantFrom(...SPOTS), how });

const request = fc
  .tuple(fc.constantFrom(...REQUESTS), fc.array(change, { maxLength: 3 }))
  .map(([[type, json], changes]) => encodePayload(type, changes.reduce(changed, json)));

const flipped = fc
  .tuple(request, fc.array(fc.tuple(fraction, fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 4 }))
  .map(([bytes, flips]) => {
    for (const [at, byte] of flips) bytes[Math.floor(at * bytes.length)] = byte;
    return bytes;
  });

const cut = fc.tuple(request, fraction).map(([bytes, at]) => bytes.subarray(0, Math.floor(at * bytes.length)));

const message = fc.oneof(
  { weight: 6, arbitrary: request },
  { weight: 3, arbitrary: flipped },
  { weight: 1, arbitrary: cut },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 80 }) },
);

const framed = message.map((bytes) => frameMessage(bytes));
const misframed = fc
  .tuple(framed, fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 255 }))
  .map(([bytes, at, byte]) => {
    bytes[at] = byte;
    return bytes;
  });

/** Bodies of calls. */
export const hostileBody = fc.oneof({ weight: 20, arbitrary: framed }, { weight: 1, arbitrary: misframed });
