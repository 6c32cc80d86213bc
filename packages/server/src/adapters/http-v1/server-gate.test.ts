// Who passes the gate in which status, and what a limited URL stops.

import { Parameters as RequestParameters } from '@rollcall/protocol';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SWITCHES, type ServerStatus, type Switches } from '../../core/switches.js';
import type { HttpRequest } from '../http/http-request.js';
import { serverGate } from './server-gate.js';

function request(method: string, target: string, headers: Readonly<Record<string, string>> = {}): HttpRequest {
  const path = target.replace(/\?.*/, '').replace(/^\/nacos/, '');
  return {
    method,
    target,
    path,
    parameters: new RequestParameters(''),
    body: new Uint8Array(),
    remoteAddress: '127.0.0.1',
    memo: undefined,
    header: (name) => headers[name],
  };
}

function gateWith(switches: Partial<Switches>) {
  const gate = serverGate({ core: { switches: { ...DEFAULT_SWITCHES, ...switches } }, contextPath: '/nacos' });
  return (...of: Asked) => {
    const answer = gate(request(...of));
    return answer === undefined ? 'passes' : `${answer.status} ${Buffer.from(answer.body)}`;
  };
}
type Asked = Parameters<typeof request>;

const LIST = '/nacos/v1/ns/instance/list';

describe('in a status that an operator sets', () => {
  const closed = (status: ServerStatus) => `503 server is ${status}now, please try again later!`;

  it.each<[ServerStatus, 'passes' | 'closed', 'passes' | 'closed']>([
    ['UP', 'passes', 'passes'],
    ['STARTING', 'closed', 'closed'],
    ['DOWN', 'closed', 'closed'],
    ['PAUSED', 'closed', 'closed'],
    ['READ_ONLY', 'passes', 'closed'],
    ['WRITE_ONLY', 'closed', 'passes'],
  ])('%s: GET %s, others %s', (status, reads, writes) => {
    const gate = gateWith({ overriddenServerStatus: status });
    const meant = (what: 'passes' | 'closed') => (what === 'passes' ? what : closed(status));
    for (const method of ['GET', 'HEAD']) expect(gate(method, LIST)).toBe(meant(reads));
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(gate(method, '/nacos/v1/ns/instance')).toBe(meant(writes));
    }
  });

  it('only /v1/ns is closed, and there not the switches', () => {
    const gate = gateWith({ overriddenServerStatus: 'DOWN' });
    expect(gate('GET', '/nacos/v1/ns')).toBe(closed('DOWN'));
    expect(gate('GET', '/v1/ns/instance/list')).toBe(closed('DOWN'));
    expect(gate('GET', '/nacos/v1/ns/operator/metrics')).toBe(closed('DOWN'));
    for (const path of ['/nacos/v1/console/health/readiness', '/nacos/v1/nsx', '/rollcall/v1/status', '/']) {
      expect(gate('GET', path)).toBe('passes');
    }
    for (const path of ['/nacos/v1/ns/operator/switches', '/nacos/v1/ns/ops/switches']) {
      expect(gate('PUT', `${path}?entry=overriddenServerStatus&value=null`)).toBe('passes');
    }
  });

  it.each([
    [{ 'user-agent': 'Nacos-Server:1.4.8' }, 'passes'],
    [{ 'client-version': 'Nacos-Server:1.4.8' }, 'passes'],
    [{ 'user-agent': 'Nacos-Java-Client:v1.4.8' }, closed('DOWN')],
    [{ 'user-agent': 'my Nacos-Server' }, closed('DOWN')],
  ])('agent %j', (headers, outcome) => {
    expect(gateWith({ overriddenServerStatus: 'DOWN' })('GET', LIST, headers)).toBe(outcome);
  });
});

describe('a limited URL', () => {
  it.each([
    ['/nacos/v1/ns/instance/list?serviceName=limited', `${LIST}?serviceName=limited-1`, '418 '],
    ['/nacos/v1/ns/instance/list?serviceName=limited', `${LIST}?serviceName=other`, 'passes'],
    ['/nacos/v1/ns/instance/list?serviceName=limited', '/v1/ns/instance/list?serviceName=limited', '418 '],
    ['/v1/ns/instance', LIST, '418 '],
    ['/nacos/v1/ns/instance/list?null', LIST, '418 '],
    ['/nacos/v1/ns/instance/list?null', `${LIST}?a=b`, 'passes'],
    ['/nothing', LIST, 'passes'],
    ['/', '/nacos/v1/ns/operator/switches', 'passes'],
    ['/', '/rollcall/v1/status', 'passes'],
  ])('%s and a request to %s: %s', (prefix, target, outcome) => {
    expect(gateWith({ limitedUrlMap: { [prefix]: 418 } })('GET', target)).toBe(outcome);
  });

  it('comes before the status, for other servers too', () => {
    const gate = gateWith({ limitedUrlMap: { '/nacos/v1/ns': 404 }, overriddenServerStatus: 'DOWN' });
    expect(gate('GET', LIST, { 'user-agent': 'Nacos-Server:1.4.8' })).toBe('404 ');
  });
});

it('follows the switches', () => {
  const core: { switches: Switches } = { switches: DEFAULT_SWITCHES };
  const gate = serverGate({ core, contextPath: '' });
  const status = () => gate(request('GET', '/v1/ns/instance/list'))?.status;
  expect(status()).toBeUndefined();
  core.switches = { ...DEFAULT_SWITCHES, overriddenServerStatus: 'PAUSED' };
  expect(status()).toBe(503);
  core.switches = DEFAULT_SWITCHES;
  expect(status()).toBeUndefined();
});

describe('a node without a full copy', () => {
  const replication = { ready: false };
  const gate = serverGate({ core: { switches: DEFAULT_SWITCHES, replication }, contextPath: '/nacos' });
  const answerTo = (...of: Asked) => {
    const answer = gate(request(...of));
    return answer === undefined ? 'passes' : `${answer.status} ${Buffer.from(answer.body)}`;
  };

  it.each([LIST, '/nacos/v1/ns/catalog/services', '/nacos/v2/ns/instance/list', '/nacos/v3/client/ns/instance/list'])(
    'answers no reads of %s, and takes writes',
    (path) => {
      expect(answerTo('GET', path)).toBe('503 server is STARTINGnow, please try again later!');
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) expect(answerTo(method, path)).toBe('passes');
    },
  );

  it.each(['/nacos/v1/ns/operator/metrics', '/rollcall/v1/members', '/nacos/v1/core/cluster/nodes', '/metrics'])(
    'answers %s',
    (path) => expect(answerTo('GET', path)).toBe('passes'),
  );

  it('answers everything once it has one', () => {
    replication.ready = true;
    expect(answerTo('GET', LIST)).toBe('passes');
    replication.ready = false;
  });
});
