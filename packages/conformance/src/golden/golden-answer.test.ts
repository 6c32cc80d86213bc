import { expect, it } from 'vitest';
import { caseNames, fillTemplate } from './case-names.js';
import { goldenAnswer, USUAL_HEADERS } from './golden-answer.js';
import type { GoldenStep } from './golden-case.js';
import { loadGoldenCases } from './golden-case.js';
import { GOLDEN_FOLDER } from './golden-folder.js';

const names = { svc: 'case.run', ns: 'ns-case-run', net: '10.7.9' };
const get: GoldenStep = { method: 'GET', path: '/' };

function read(text: string, contentType = 'application/json', step = get) {
  const headers = { ...USUAL_HEADERS, 'content-type': contentType };
  return goldenAnswer({ status: 200, headers, text }, { step, names, self: '127.0.0.1:8848' });
}

it('replaces names, times, checksums and counts of a run', () => {
  const text =
    '{"dom":"case.run","hosts":[{"ip":"10.7.9.1","weight":1.0}],"lastRefTime":1800000000000,' +
    '"checksum":"0123456789abcdef0123456789abcdef","cpu":0.5,"lastBeat":12}';
  expect(read(text)).toEqual({
    status: 200,
    contentType: 'application/json',
    json: true,
    floats: ['$.cpu', '$.hosts[].weight'],
    body: {
      dom: '{svc}',
      hosts: [{ ip: '{net}.1', weight: 1 }],
      lastRefTime: '<ms>',
      checksum: '<md5>',
      cpu: '<number>',
      lastBeat: 12,
    },
  });
});

it('sorts lists without a defined order, unless the case is about order', () => {
  expect(read('{"doms":["b","a"],"other":["b","a"]}').body).toEqual({ doms: ['a', 'b'], other: ['b', 'a'] });
  expect(read('{"doms":["b","a"]}', 'application/json', { ...get, keepOrder: true }).body).toEqual({
    doms: ['b', 'a'],
  });
});

it('replaces the address of the server', () => {
  const text = '{"ip":"127.0.0.1","port":8848,"address":"127.0.0.1:8848","raft":"127.0.0.1:7848"}';
  expect(read(text).body).toEqual({ ip: '{selfIp}', port: '{selfPort}', address: '{self}', raft: '{selfRaft}' });
});

it('keeps only the own part of a shared list', () => {
  const step: GoldenStep = { ...get, select: { at: 'data', where: { namespace: '{ns}' } } };
  const text = '{"code":200,"data":[{"namespace":"ns-case-run","quota":200},{"namespace":"ns-other-run","quota":1}]}';
  expect(read(text, 'application/json', step).body).toEqual({ code: 200, data: [{ namespace: '{ns}', quota: 200 }] });
});

it('takes what is no JSON as text and a page as a page', () => {
  expect(read('{broken', 'text/plain').body).toBe('{broken');
  expect(read('<!doctype html><html></html>', 'text/html').body).toBe('<html page>');
});

it('names headers only when they are unusual', () => {
  const reply = { status: 503, headers: { connection: 'close', server: 'x' }, text: '' };
  expect(goldenAnswer(reply, { step: get, names, self: undefined })).toEqual({
    status: 503,
    contentType: null,
    body: '',
    headersOfInterest: { connection: 'close' },
  });
});

it('gives every case names of its own', () => {
  const cases = loadGoldenCases(GOLDEN_FOLDER);
  const all = cases.map((golden, index) => caseNames(golden, index, 'abc123'));
  for (const member of ['svc', 'ns', 'net'] as const) {
    expect(new Set(all.map((one) => one[member])).size).toBe(cases.length);
  }
  expect(all.every(({ net }) => net.split('.').every((part) => Number(part) <= 255))).toBe(true);
});

it('fills templates', () => {
  expect(fillTemplate('{svc}-{ns}-{net}.1-{repeat:3:ab}-{other}', names)).toBe(
    'case.run-ns-case-run-10.7.9.1-ababab-{other}',
  );
});
