import { describe, expect, it } from 'vitest';
import { headerIn, RequestHead } from './request-head.js';

/** Reads a head as the lane does, line first. */
function read(text: string): { outcome: string; head: RequestHead } {
  const head = new RequestHead();
  const bytes = Buffer.from(text, 'latin1');
  const line = head.readRequestLine(bytes, 0);
  return { outcome: line === 'complete' ? head.readHeaders(bytes, head.headersStart) : line, head };
}

const GET = 'GET /a?b=c HTTP/1.1\r\n';

describe('RequestHead', () => {
  it('finds target, headers and body', () => {
    const text = `POST /a?b=c HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc`;
    const { outcome, head } = read(text);
    expect(outcome).toBe('complete');
    expect(head).toMatchObject({ method: 'POST', contentLength: 3, fromOrigin: false });
    expect(text.slice(head.targetStart, head.targetEnd)).toBe('/a?b=c');
    expect(text.slice(head.bodyStart)).toBe('abc');
  });

  it('waits at every byte of a head that is not complete', () => {
    const text = `DELETE /a HTTP/1.1\r\nHost: x\r\nconnection: keep-alive\r\n\r\n`;
    for (let end = 0; end < text.length; end++)
      expect(read(text.slice(0, end)).outcome, text.slice(0, end)).toBe('incomplete');
    expect(read(text).outcome).toBe('complete');
  });

  it.each([
    ['HEAD / HTTP/1.1\r\n', 'method'],
    ['get / HTTP/1.1\r\n', 'method'],
    ['GETS', 'method'],
    ['GET *', 'target'],
    ['GET http://a', 'target'],
    ['GET /\t', 'target'],
    ['GET /#', 'target'],
    ['GET /\x80', 'target'],
    ['GET / HTTP/1.0', 'version'],
    ['GET / HTTP/1.1\n', 'version'],
    [`${GET}Host\r`, 'header'],
    [`${GET}Host : x\r\n`, 'header'],
    [`${GET} Host: x\r\n`, 'header'],
    [`${GET}Host: x\n`, 'header'],
    [`${GET}Host: x\ry`, 'header'],
    [`${GET}Host: \x00`, 'header'],
    [`${GET}Host: x\r\n\n`, 'header'],
    [`${GET}\r\n`, 'host'],
    [`${GET}Host: x\r\nhost: y\r\n\r\n`, 'host'],
    [`${GET}Transfer-Encoding: chunked\r\n`, 'framing'],
    [`${GET}upgrade: h2c\r\n`, 'framing'],
    [`${GET}EXPECT: 100-continue\r\n`, 'framing'],
    [`${GET}Proxy-Connection: keep-alive\r\n`, 'framing'],
    [`${GET}Content-Length: 1\r\nContent-Length: 1\r\n`, 'framing'],
    [`${GET}Content-Length: 01\r\n`, 'framing'],
    [`${GET}Content-Length: 1 \r\n`, 'framing'],
    [`${GET}Content-Length: -1\r\n`, 'framing'],
    [`${GET}Content-Length:\r\n`, 'framing'],
    [`${GET}Content-Length: 65537\r\n`, 'size'],
    [`${GET}Connection: close\r\n`, 'connection-option'],
    [`${GET}Connection: keep-alive, x\r\n`, 'connection-option'],
    [`${GET}Connection: keep-alive\r\nConnection: keep-alive\r\n`, 'connection-option'],
  ])('leaves %j to the other lane: %s', (text, outcome) => {
    expect(read(text).outcome).toBe(outcome);
  });

  it('sees that a page of a browser asks', () => {
    expect(read(`${GET}Host: x\r\nORIGIN: null\r\n\r\n`).head.fromOrigin).toBe(true);
  });
});

it('joins the values of a header and cuts blanks around each', () => {
  const bytes = Buffer.from('a: 1\r\nB:\t2 \t\r\nA:3\r\nab: 4\r\nc:\r\n\r\n', 'latin1');
  expect(['a', 'b', 'ab', 'c', 'd'].map((name) => headerIn(bytes, 0, bytes.length, name))).toEqual([
    '1, 3',
    '2',
    '4',
    '',
    undefined,
  ]);
});
