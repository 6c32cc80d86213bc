// The answer `ok` of everything that changes something. Its media type follows the Accept header as in 1.4.8; its body never does.

import { preparedAnswer } from '../http/answer-head.js';
import { type HttpAnswer, JSON_TYPE, TEXT, textAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Acknowledgement } from '../instance-changes/acknowledgement.js';

const HTML = 'text/html;charset=UTF-8';

function okAnswers(acknowledgement: Acknowledgement): ReadonlyMap<string, HttpAnswer> {
  const base = textAnswer(200, 'ok', acknowledgement === 'journalled' ? { afterJournal: true } : undefined);
  return new Map([TEXT, JSON_TYPE, HTML].map((contentType) => [contentType, preparedAnswer({ ...base, contentType })]));
}

const ANSWERS: Readonly<Record<Acknowledgement, ReadonlyMap<string, HttpAnswer>>> = {
  written: okAnswers('written'),
  journalled: okAnswers('journalled'),
};

/** The answer `ok` to a request. */
export function okAnswer(request: HttpRequest, acknowledgement: Acknowledgement): HttpAnswer {
  const type = textTypeFor(request.header('accept'));
  return ANSWERS[acknowledgement].get(type) as HttpAnswer;
}

/** Media type of a text for an Accept header: the first type that it names, when that is JSON or HTML. */
function textTypeFor(accept: string | undefined): string {
  if (accept === undefined || accept === '*/*') return TEXT;
  if (accept.startsWith(JSON_TYPE)) return JSON_TYPE;
  return accept.startsWith('text/html') ? HTML : TEXT;
}
