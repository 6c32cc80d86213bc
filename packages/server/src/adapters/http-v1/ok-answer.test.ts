import type { Parameters } from '@rollcall/protocol';
import { expect, it } from 'vitest';
import type { HttpRequest } from '../http/http-request.js';
import { okAnswer } from './ok-answer.js';

function requestAccepting(accept: string | undefined): HttpRequest {
  return {
    method: 'POST',
    target: '/',
    path: '/',
    parameters: undefined as unknown as Parameters,
    body: new Uint8Array(),
    remoteAddress: '127.0.0.1',
    memo: undefined,
    header: () => accept,
  };
}

it.each([
  [undefined, 'text/plain;charset=UTF-8'],
  ['*/*', 'text/plain;charset=UTF-8'],
  ['application/json', 'application/json'],
  ['application/json, text/plain', 'application/json'],
  ['text/html,*/*;q=0.8', 'text/html;charset=UTF-8'],
  ['application/xml', 'text/plain;charset=UTF-8'],
  ['x', 'text/plain;charset=UTF-8'],
])('Accept "%s" is answered as %s', (accept, contentType) => {
  const answer = okAnswer(requestAccepting(accept), 'written');
  expect([answer.status, answer.contentType, Buffer.from(answer.body).toString()]).toEqual([200, contentType, 'ok']);
});

it('waits for the journal only where something is journalled', () => {
  expect(okAnswer(requestAccepting(undefined), 'journalled').afterJournal).toBe(true);
  expect(okAnswer(requestAccepting(undefined), 'written').afterJournal).toBeUndefined();
});
