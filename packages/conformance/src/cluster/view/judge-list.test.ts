import { describe, expect, it } from 'vitest';
import type { ListedHost } from '../../naming-api.js';
import type { ExpectedInstance, ExpectedState } from './expected-view.js';
import { judgeList } from './judge-list.js';

const ASKED_AT_MS = 100;

function expected(state: ExpectedState, more: Partial<ExpectedInstance> = {}): ReadonlyMap<string, ExpectedInstance> {
  const instance = { serviceName: 's', ip: '10.0.0.1', port: 80, kind: 'http', state, sinceMs: 50, ...more } as const;
  return new Map([['10.0.0.1:80', instance]]);
}

function host(more: Partial<ListedHost> = {}): ListedHost {
  const flags = { healthy: true, enabled: true, ephemeral: true };
  return { ip: '10.0.0.1', port: 80, weight: 1, clusterName: 'DEFAULT', metadata: {}, ...flags, ...more };
}

function found(instances: ReadonlyMap<string, ExpectedInstance>, hosts: readonly ListedHost[]): readonly string[] {
  return judgeList(instances, hosts, ASKED_AT_MS).map(({ what }) => what);
}

describe('judgeList', () => {
  it('wants a live instance listed and healthy', () => {
    expect(found(expected('live'), [host()])).toEqual([]);
    expect(found(expected('live'), [])).toEqual(['vanished']);
    expect(found(expected('live'), [host({ healthy: false })])).toEqual(['unhealthy']);
  });

  it('wants the last version of an instance that has one', () => {
    const versioned = expected('live', { version: '2' });
    expect(found(versioned, [host({ metadata: { version: '2' } })])).toEqual([]);
    expect(found(versioned, [host({ metadata: { version: '1' } })])).toEqual(['stale']);
  });

  it('wants nothing of an instance that is gone, and none that it does not know', () => {
    expect(found(expected('gone'), [])).toEqual([]);
    expect(found(expected('gone'), [host()])).toEqual(['lingering']);
    expect(found(new Map(), [host()])).toEqual(['unknown']);
  });

  it('says apart what has not come yet', () => {
    expect(found(expected('coming'), [host()])).toEqual([]);
    expect(found(expected('coming'), [])).toEqual(['missing']);
  });

  it('lets a disabled instance be absent or disabled', () => {
    expect(found(expected('disabled'), [])).toEqual([]);
    expect(found(expected('disabled'), [host({ enabled: false })])).toEqual([]);
    expect(found(expected('disabled'), [host()])).toEqual(['enabled']);
  });

  it('does not judge what is open, or was expected after the question', () => {
    expect(found(expected('open'), [])).toEqual([]);
    expect(found(expected('live', { sinceMs: ASKED_AT_MS + 1 }), [])).toEqual([]);
  });
});
