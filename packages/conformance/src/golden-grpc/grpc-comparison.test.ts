import { expect, it } from 'vitest';
import type { GrpcStep } from './grpc-case.js';
import type { GrpcAnswer } from './grpc-case-run.js';
import { compareGrpcAnswer } from './grpc-comparison.js';
import type { GrpcExpectation } from './grpc-expectation.js';

const optionalMembers = new Set(['$.hosts[].ipDeleteTimeout']);

function pathsOf(expectation: GrpcExpectation, found: GrpcAnswer, step: GrpcStep = { send: 'InstanceRequest' }) {
  return compareGrpcAnswer(expectation, found, { step, optionalMembers }).map(({ path }) => path);
}

function answer(members: GrpcAnswer, atLeast?: number): GrpcExpectation {
  return { kind: 'answer', answer: members, atLeast, extraAllowed: undefined };
}

it('sees other values, missing members and members too many, but not optional ones', () => {
  const expected = answer({ type: 'A', body: { serviceInfo: { hosts: [{ ip: 'x', port: 1 }] }, message: '<text>' } });
  const found = (host: GrpcAnswer, more: GrpcAnswer = {}): GrpcAnswer => ({
    type: 'A',
    body: { serviceInfo: { hosts: [host] }, message: 'm', ...more },
  });
  expect(pathsOf(expected, found({ ip: 'x', port: 1, ipDeleteTimeout: 3 }))).toEqual([]);
  expect(pathsOf(expected, found({ ip: 'y' }))).toEqual(['$.serviceInfo.hosts[0].ip', '$.serviceInfo.hosts[0].port']);
  expect(pathsOf(expected, found({ ip: 'x', port: 1 }, { more: null }))).toEqual(['$.more']);
  expect(pathsOf(expected, { type: 'B', body: { message: '' } })).toEqual(['type', '$.serviceInfo', '$.message']);
});

it('takes a push that came earlier, not one that came later', () => {
  const expected = answer({ type: 'A', arrival: 1200 });
  expect(pathsOf(expected, { type: 'A', arrivalMs: 3 })).toEqual([]);
  expect(pathsOf(expected, { type: 'A', arrivalMs: 1901 })).toEqual(['arrival']);
});

it('wants a refusal to look like one', () => {
  const refused: GrpcExpectation = { kind: 'refused', errorCodes: [400] };
  const body = { resultCode: 500, errorCode: 400, message: 'no', success: false };
  expect(pathsOf(refused, { type: 'InstanceResponse', body })).toEqual([]);
  expect(pathsOf(refused, { type: 'ErrorResponse', body })).toEqual([]);
  expect(pathsOf(refused, { type: 'QueryServiceResponse', body })).toEqual(['type']);
  expect(
    pathsOf(refused, { type: 'InstanceResponse', body: { resultCode: 200, errorCode: 0, success: true } }),
  ).toEqual(['$.resultCode', '$.errorCode', '$.message', '$.success']);
});

it('takes any of several answers', () => {
  const expected: GrpcExpectation = { kind: 'one-of', alternatives: [answer({ closed: true }), answer({ rst: 8 })] };
  expect(pathsOf(expected, { rst: 8 })).toEqual([]);
  expect(pathsOf(expected, { rst: 7 })).not.toEqual([]);
});

it('counts repeats, and refuses status 0 where a failure is expected', () => {
  const push = { type: 'A', body: { a: 1 } };
  const repeated = answer({ messages: 9, all: [push] }, 2);
  expect(pathsOf(repeated, { messages: 2, all: [push, push] }, { collect: 'A' })).toEqual([]);
  expect(pathsOf(repeated, { messages: 1, all: [push] }, { collect: 'A' })).toEqual(['messages']);
  const failed = answer({ ended: true, grpcStatus: '<nonzero>' });
  expect(pathsOf(failed, { ended: true, grpcStatus: 14 }, { ended: true })).toEqual([]);
  expect(pathsOf(failed, { ended: true, grpcStatus: 0 }, { ended: true })).toEqual(['grpcStatus']);
});

it('compares of HTTP lists what says something about instances, in any order', () => {
  const host = (ip: string, more: GrpcAnswer = {}): GrpcAnswer => ({ ip, port: 1, ...more });
  const list = (...hosts: GrpcAnswer[]): GrpcAnswer => ({ status: 200, body: { hosts } });
  const step: GrpcStep = { http: { method: 'GET', path: '/v1/ns/instance/list' } };
  expect(pathsOf(answer(list(host('a'), host('b'))), list(host('b', { valid: true }), host('a')), step)).toEqual([]);
  expect(pathsOf(answer(list(host('a'))), list(host('b')), step)).toEqual(['$.hosts[0].ip']);
});
