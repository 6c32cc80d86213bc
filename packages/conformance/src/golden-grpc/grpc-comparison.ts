// Compares what came back of a step with what is expected. Earlier pushes are as good, the number of merged pushes is
// free, so is the order of hosts; of HTTP lists the members that say something about instances count.

import type { Difference } from '../golden/difference.js';
import type { Json } from '../golden/exact-json.js';
import type { GrpcStep } from './grpc-case.js';
import type { GrpcAnswer } from './grpc-case-run.js';
import { grpcDifferences } from './grpc-differences.js';
import type { GrpcExpectation } from './grpc-expectation.js';

/** Recorded arrivals are upper bounds; this much more is left to a machine that is busy with other tests. */
const ARRIVAL_SLACK_MS = 700;
/** Members of an answer that are compared elsewhere or not at all. */
const NOT_COMPARED = new Set(['arrival', 'arrivalMs', 'gaps', 'floats', 'twice', 'grpcMessage', 'goaway', 'tcpClosed']);
const HOST_MEMBERS = ['ip', 'port', 'weight', 'healthy', 'enabled', 'ephemeral', 'clusterName', 'metadata'];
/** Whole numbers that no client reads with a fraction. */
const WHOLE_NUMBERS = /(?:port|Code|pageNo|count)$/;
/** Class in which a request is answered and refused. */
const ANSWER_TYPES: Readonly<Record<string, string>> = {
  InstanceRequest: 'InstanceResponse',
  PersistentInstanceRequest: 'InstanceResponse',
  BatchInstanceRequest: 'BatchInstanceResponse',
  ServiceQueryRequest: 'QueryServiceResponse',
  ServiceListRequest: 'ServiceListResponse',
  SubscribeServiceRequest: 'SubscribeServiceResponse',
  NamingFuzzyWatchRequest: 'NamingFuzzyWatchResponse',
  HealthCheckRequest: 'HealthCheckResponse',
};

type AnswerExpectation = Extract<GrpcExpectation, { kind: 'answer' }>;
type JsonObject = Readonly<Record<string, Json>>;

/** All differences; none when the step gave what is expected. */
export function compareGrpcAnswer(
  expectation: GrpcExpectation,
  found: GrpcAnswer,
  context: { readonly step: GrpcStep; readonly optionalMembers: ReadonlySet<string> },
): Difference[] {
  switch (expectation.kind) {
    case 'free':
      return [];
    case 'refused':
      return refusalDifferences(expectation.errorCodes, found, context.step);
    case 'one-of': {
      const all = expectation.alternatives.map((one) => compareGrpcAnswer(one, found, context));
      return all.find((differences) => differences.length === 0) ?? all[0] ?? [];
    }
    case 'answer':
      if (context.step.http !== undefined) return httpDifferences(expectation, found, context.optionalMembers);
      return answerDifferences(expectation, found, context);
  }
}

/** A refusal comes in the class of the request or as `ErrorResponse`, with a code, a text, and nothing that looks like success. */
function refusalDifferences(errorCodes: readonly number[], found: GrpcAnswer, { send = '' }: GrpcStep): Difference[] {
  const { type } = found;
  const { resultCode, errorCode, message, success, serviceNames } = (found.body ?? {}) as JsonObject;
  const typed = ANSWER_TYPES[send] ?? 'ErrorResponse';
  const checks: readonly (readonly [boolean, Difference])[] = [
    [type === 'ErrorResponse' || type === typed, { path: 'type', expected: `ErrorResponse or ${typed}`, found: type }],
    [
      typeof resultCode === 'number' && resultCode !== 200,
      { path: '$.resultCode', expected: 'not 200', found: resultCode },
    ],
    [
      errorCodes.includes(errorCode as number),
      { path: '$.errorCode', expected: errorCodes.join(' or '), found: errorCode },
    ],
    [typeof message === 'string' && message !== '', { path: '$.message', expected: 'a text', found: message }],
    [success !== true, { path: '$.success', expected: false, found: success }],
    // The Python SDK cannot read a list answer without names.
    [
      type !== 'ServiceListResponse' || Array.isArray(serviceNames),
      { path: '$.serviceNames', expected: 'a list', found: serviceNames },
    ],
  ];
  return checks.filter(([holds]) => !holds).map(([, difference]) => difference);
}

function httpDifferences(
  { answer, extraAllowed = true }: AnswerExpectation,
  found: GrpcAnswer,
  optionalMembers: ReadonlySet<string>,
): Difference[] {
  if (answer.status !== found.status)
    return [{ path: 'status', expected: answer.status, found: found.error ?? found.status }];
  if (Number(answer.status) >= 400) return [];
  const [expectedHosts, foundHosts] = [hostsOf(answer), hostsOf(found)];
  if (expectedHosts !== undefined)
    return grpcDifferences(expectedHosts, foundHosts, { path: '$.hosts', optionalMembers, extraAllowed: false });
  return grpcDifferences(answer.body, found.body, { path: '$', optionalMembers, extraAllowed });
}

function hostsOf({ body }: GrpcAnswer): Json | undefined {
  const hosts = (body as JsonObject | undefined)?.hosts;
  if (!Array.isArray(hosts)) return undefined;
  const shown = (hosts as readonly JsonObject[]).map((host) =>
    Object.fromEntries(HOST_MEMBERS.flatMap((name) => (Object.hasOwn(host, name) ? [[name, host[name] as Json]] : []))),
  );
  const text = (host: JsonObject): string => JSON.stringify(host);
  return shown.sort((a, b) => (text(a) < text(b) ? -1 : 1));
}

function answerDifferences(
  { answer, atLeast, extraAllowed = false }: AnswerExpectation,
  found: GrpcAnswer,
  { step, optionalMembers }: { readonly step: GrpcStep; readonly optionalMembers: ReadonlySet<string> },
): Difference[] {
  if (step.mayBeMissing && (found.none === true || answer.none === true)) return [];
  if (answer.grpcStatus === '<nonzero>') return failureDifferences(answer, found);
  const differ = (name: string, path: string, extra = false): Difference[] =>
    grpcDifferences(answer[name], found[name], { path, optionalMembers, extraAllowed: extra });
  if (atLeast !== undefined) {
    if (Number(found.messages) >= atLeast) return firstMessages(answer, found, optionalMembers);
    return [{ path: 'messages', expected: `at least ${atLeast}`, found: found.messages }];
  }
  const names = [...new Set([...Object.keys(answer), ...Object.keys(found)])].filter((name) => !NOT_COMPARED.has(name));
  return [
    ...arrivalDifferences(answer, found),
    ...names.flatMap((name) => (name === 'body' ? differ(name, '$', extraAllowed) : differ(name, name))),
    ...fractionDifferences(found),
  ];
}

function firstMessages(answer: GrpcAnswer, found: GrpcAnswer, optionalMembers: ReadonlySet<string>): Difference[] {
  const bodyOf = ({ all, last }: GrpcAnswer): Json | undefined =>
    ((Array.isArray(all) ? all[0] : last) as GrpcAnswer | undefined)?.body;
  return grpcDifferences(bodyOf(answer), bodyOf(found), { path: '$', optionalMembers, extraAllowed: false });
}

function failureDifferences(answer: GrpcAnswer, found: GrpcAnswer): Difference[] {
  const { grpcStatus, type, ended } = found;
  const isFailure = grpcStatus !== 0 && type === undefined && (answer.ended === undefined || ended === answer.ended);
  return isFailure ? [] : [{ path: 'grpcStatus', expected: 'not 0', found: grpcStatus ?? type }];
}

function arrivalDifferences({ arrival }: GrpcAnswer, { arrivalMs }: GrpcAnswer): Difference[] {
  if (typeof arrival !== 'number' || typeof arrivalMs !== 'number') return [];
  if (arrivalMs <= arrival + ARRIVAL_SLACK_MS) return [];
  return [{ path: 'arrival', expected: `within ${arrival} ms`, found: `after ${arrivalMs} ms` }];
}

function fractionDifferences({ floats }: GrpcAnswer): Difference[] {
  const wrong = ((floats ?? []) as readonly string[]).filter((path) => WHOLE_NUMBERS.test(path));
  return wrong.map((path) => ({ path, expected: 'a whole number', found: 'a number with a fraction' }));
}
