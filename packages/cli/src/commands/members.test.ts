import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MemberLine, MembersAnswer } from '@rollcall/server';
import pc from 'picocolors';
import { afterEach, expect, it } from 'vitest';
import { members } from './members.js';

const line: MemberLine = {
  address: '10.0.0.1:8848',
  self: true,
  state: 'UP',
  version: '0.1.0',
  silentMs: 0,
  epoch: 3,
  lag: 0,
  records: 'equal',
  connected: true,
  queuedBytes: 0,
  rejection: null,
};
const cluster: MembersAnswer = {
  mode: 'cluster',
  cluster: 'shop',
  state: 'UP',
  members: [
    line,
    { ...line, address: '10.0.0.2:8848', self: false, state: 'SUSPICIOUS', silentMs: 3400, lag: 12, records: 'behind' },
    {
      ...line,
      address: 'evil\u001b[2J:8848',
      self: false,
      state: 'DOWN',
      version: null,
      silentMs: null,
      epoch: 0,
      records: 'different',
      connected: false,
    },
  ],
};

let server: Server;
afterEach(() => server.close());

async function printed(answer: MembersAnswer, options: { readonly lang?: 'en' | 'zh'; readonly json?: true }) {
  server = createServer((request, response) => {
    response.end(request.url?.startsWith('/rollcall/v1/members') ? JSON.stringify(answer) : 'no');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const lines: string[] = [];
  const colors = pc.createColors(false);
  const terminal = {
    isInteractive: false,
    colors,
    print: (text: string) => void lines.push(text),
    note: () => undefined,
  };
  await members({ server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ...options }, terminal);
  return lines.join('\n');
}

it('prints a table of the members', async () => {
  expect(await printed(cluster, { lang: 'en' })).toBe(
    [
      'Cluster shop: 1 of 3 nodes up',
      '',
      'NODE                   STATE       SILENT FOR  LINK           LAG  RECORDS    RUN  VERSION',
      '10.0.0.1:8848 (asked)  up                                                       3  0.1.0',
      '10.0.0.2:8848          suspicious        3.4s  connected       12  behind       3  0.1.0',
      'evil\\u001b[2J:8848     down                 ?  not connected    0  DIFFERENT    ?  ?',
    ].join('\n'),
  );
});

it('speaks Chinese', async () => {
  const text = await printed({ ...cluster, state: 'STARTING' }, { lang: 'zh' });
  expect(text).toContain('集群 shop：3 个节点中 1 个正常');
  expect(text).toContain('被询问的节点还没有完整副本');
  for (const word of ['可疑', '失联', '落后', '不一致', '未连接']) expect(text).toContain(word);
});

it('says that a server runs alone', async () => {
  const alone: MembersAnswer = { mode: 'standalone', cluster: null, state: 'UP', members: [line] };
  expect(await printed(alone, { lang: 'en' })).toContain('This server runs alone; --members makes it one of several.');
});

it('prints the answer as JSON', async () => {
  expect(JSON.parse(await printed(cluster, { json: true }))).toEqual(cluster);
});
