import { Parameters, RegistryError } from '@rollcall/protocol';
import { expect, test } from 'vitest';
import type { HttpAnswer, HttpHandler } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import { goodResult, listResult, okResult, serverErrorResult } from './result-answer.js';
import { type ParameterCheck, resultRoute } from './result-route.js';

const REQUEST = requestOf(undefined);
const REFUSAL = new RegistryError('service-exists', 'it is there');

function requestOf(contentType: string | undefined): HttpRequest {
  return { parameters: new Parameters(''), header: () => contentType } as unknown as HttpRequest;
}

async function answerOf(
  handle: HttpHandler<HttpRequest>,
  check?: ParameterCheck,
  request = REQUEST,
): Promise<HttpAnswer> {
  return resultRoute({ method: 'GET', path: '/v2/x', summary: 'x', handle }, check).handle(request);
}

const shown = ({ status, contentType, body }: HttpAnswer) => `${status} ${contentType} ${Buffer.from(body)}`;

test.each([
  ['at once', () => raise(REFUSAL)],
  ['later', () => Promise.reject(REFUSAL)],
])('a refusal %s is put into the envelope', async (_, handle) => {
  expect(shown(await answerOf(handle))).toBe(
    '400 application/json {"code":21007,"message":"service already exist","data":"it is there"}',
  );
});

test.each([
  [undefined, 'it is missing'],
  ['application/x-www-form-urlencoded; charset=UTF-8', 'it is missing'],
  [
    'application/json',
    'it is missing; found a body of type "application/json", which is not read, allowed are the query and forms (application/x-www-form-urlencoded)',
  ],
])('what is missing beside a body of type %s', async (contentType, message) => {
  const missing = () =>
    raise(new RegistryError('missing-parameter', 'it is missing', { details: { parameter: 'ip' } }));
  const answer = await answerOf(missing, undefined, requestOf(contentType));
  expect(JSON.parse(String(Buffer.from(answer.body)))).toEqual({
    code: 10000,
    message: 'parameter missing',
    data: message,
  });
});

test('a route that reads another body says itself what is wrong with it', async () => {
  const unreadable = () => raise(new RegistryError('missing-parameter', 'no JSON object'));
  const answer = await answerOf(unreadable, undefined, requestOf('application/json'));
  expect(String(Buffer.from(answer.body))).toContain('"data":"no JSON object"');
});

test('a refused check is plain text, and the route is not asked', async () => {
  const answer = await answerOf(
    () => raise(new Error('asked')),
    () => raise(new RegistryError('invalid-parameter', 'port')),
  );
  expect(shown(answer)).toBe('400 text/plain;charset=UTF-8 port');
});

test('what goes well passes as it is', async () => {
  const answer = await answerOf(
    () => okResult('journalled'),
    () => {},
  );
  expect(answer).toMatchObject({ status: 200, afterJournal: true });
  expect(shown(okResult('written'))).toBe('200 application/json {"code":0,"message":"success","data":"ok"}');
});

test('a fault is left to the lanes', async () => {
  await expect(answerOf(() => raise(new TypeError('fault')))).rejects.toThrow('fault');
  await expect(answerOf(() => Promise.reject(new TypeError('fault')))).rejects.toThrow('fault');
});

test('a good answer carries what was asked for', () => {
  expect(shown(goodResult('[1]'))).toBe('200 application/json {"code":0,"message":"success","data":[1]}');
});

test('says that a change could not be written, and that a fault is ours, in the envelope too', () => {
  expect(shown(okResult('journalled').whenUnwritten as HttpAnswer)).toBe(
    '500 application/json {"code":10002,"message":"data access error","data":"The change could not be written to the journal, try again"}',
  );
  const { fault } = resultRoute({ method: 'GET', path: '/v2/x', summary: 'x', handle: () => okResult('written') });
  expect(shown(fault as HttpAnswer)).toMatch(/^500 application\/json \{"code":30000,"message":"server error",/);
});

test('a long list is written into the envelope', async () => {
  const answer = await listResult([1, 2], String, ['{"items":', '}']);
  expect(shown(answer)).toBe('200 application/json {"code":0,"message":"success","data":{"items":[1,2]}}');
});

test('older exceptions have code 30000 under any status', () => {
  expect(shown(serverErrorResult(404, 'gone'))).toBe(
    '404 application/json {"code":30000,"message":"server error","data":"gone"}',
  );
});

function raise(error: Error): never {
  throw error;
}
