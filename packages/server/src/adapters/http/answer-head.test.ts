import { describe, expect, it } from 'vitest';
import { AnswerEncoder, isLarge, preparedAnswer } from './answer-head.js';
import { type HttpAnswer, jsonAnswer, textAnswer } from './http-answer.js';

const time = { wallMs: Date.UTC(2026, 0, 1) };
const encoder = new AnswerEncoder({ time, idleMs: 60_900, commonHeaders: [['Vary', 'Origin']] });
const text = (answer: HttpAnswer): string => encoder.encode(answer).toString('latin1');

describe('AnswerEncoder', () => {
  it('writes status, headers and body', () => {
    expect(text(jsonAnswer(404, '{"名":1}', { headers: [['Allow', 'GET']] }))).toBe(
      'HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: 9\r\nAllow: GET\r\nVary: Origin\r\n' +
        'X-Content-Type-Options: nosniff\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nConnection: keep-alive\r\n' +
        `Keep-Alive: timeout=60\r\n\r\n${Buffer.from('{"名":1}').toString('latin1')}`,
    );
  });

  it('writes no length and no type where there is no body', () => {
    expect(encoder.head({ status: 204, contentType: '', body: new Uint8Array(0) }, 'close')).toMatch(
      /^HTTP\/1\.1 204 No Content\r\nVary: Origin\r\n[\s\S]*Connection: close\r\n\r\n$/,
    );
  });

  it('encodes a prepared answer once as long as the time is the same', () => {
    const answer = preparedAnswer(textAnswer(200, 'ok'));
    const first = encoder.encode(answer);
    expect(encoder.encode(answer)).toBe(first);
    time.wallMs += 1000;
    const second = encoder.encode(answer);
    expect(second).not.toBe(first);
    expect(first.toString()).toContain('00:00:00 GMT');
    expect(second.toString()).toContain('00:00:01 GMT');
  });

  it('leaves a large body out of the copy', () => {
    const large = textAnswer(200, 'x'.repeat(20_000));
    expect(isLarge(large)).toBe(true);
    expect(text(large)).toMatch(/Content-Length: 20000\r\n[\s\S]*\r\n\r\n$/);
  });
});
