// What the check of a store says of an etcd that is well, hurt, full, or not one.

import { systemClock } from '@rollcall/runtime';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkEtcd } from './etcd-check.js';
import { EtcdCluster, hasEtcd } from './etcd-cluster.test-support.js';
import { connectEtcd } from './open-etcd-store.js';

let three: EtcdCluster;
let single: EtcdCluster;

beforeAll(async () => {
  if (!hasEtcd()) return;
  [three, single] = await Promise.all([EtcdCluster.start(3), EtcdCluster.start(1)]);
});
afterAll(() => Promise.all([three?.stop(), single?.stop()]));

function addressOf(endpoints: readonly string[], root = ''): string {
  return `etcd://${endpoints.join(',')}${root}`;
}

test('says that nobody answers, and at which address', async () => {
  const { members, problems, writeMs, records } = await checkEtcd('etcd://127.0.0.1:1,127.0.0.1:2', systemClock);
  expect(members).toMatchObject([{ endpoint: '127.0.0.1:1' }, { endpoint: '127.0.0.1:2' }]);
  expect(problems).toHaveLength(2);
  expect(problems[0]).toMatch(
    /^"127\.0\.0\.1:1" does not answer: connect ECONNREFUSED 127\.0\.0\.1:1; is etcd running there/,
  );
  expect([writeMs, records]).toEqual([undefined, undefined]);
});

describe('an etcd', () => {
  beforeEach(({ skip }) => skip(!hasEtcd(), 'this machine has no etcd-server'));

  test('that is well has no problems, one leader, and the records are counted', async () => {
    const address = addressOf(three.endpoints, '/well');
    const store = connectEtcd(address);
    const namespace = '{"op":"x.1","type":"namespace","id":"a","value":{"id":"a","name":"a","description":null}}';
    await store.transact({ compares: [], writes: [{ key: 'ns/["a"]', value: namespace }] });
    store.close();
    const check = await checkEtcd(address, systemClock);
    expect(check.problems).toEqual([]);
    expect(check.members.filter(({ leads }) => leads)).toHaveLength(1);
    expect(check.members.every(({ version }) => /^3\./.test(version ?? ''))).toBe(true);
    expect(check.writeMs).toBeLessThan(3000);
    expect(check.records).toEqual({ namespace: 1 });
  });

  test('leaves nothing of the check behind', async () => {
    const address = addressOf(single.endpoints, '/behind');
    await checkEtcd(address, systemClock);
    const store = connectEtcd(address);
    expect((await store.list()).entries).toEqual([]);
    store.close();
  });

  test('with records that nobody can read says which', async () => {
    const address = addressOf(single.endpoints, '/unreadable');
    const store = connectEtcd(address);
    await store.transact({ compares: [], writes: [{ key: 'ns/["a"]', value: 'junk' }] });
    store.close();
    const { problems } = await checkEtcd(address, systemClock);
    expect(problems).toEqual(['1 records cannot be read and are passed over by all nodes: "ns/["a"]"']);
  });

  test('whose addresses are of two different ones is named', async () => {
    const mixed = addressOf([three.endpoints[0] as string, ...single.endpoints]);
    const { problems } = await checkEtcd(mixed, systemClock);
    expect(problems).toEqual([expect.stringMatching(/^"127.*" is of another etcd than "127.*": name members of one$/)]);
  });

  test('that is full says so and what to do', async () => {
    const [endpoint] = single.endpoints;
    const alarm = (action: string) =>
      fetch(`http://${endpoint}/v3/maintenance/alarm`, {
        method: 'POST',
        body: JSON.stringify({ action, alarm: 'NOSPACE' }),
      });
    await alarm('ACTIVATE');
    try {
      const { problems, writeMs } = await checkEtcd(addressOf(single.endpoints), systemClock);
      expect(problems[0]).toMatch(/NOSPACE.*etcdctl alarm disarm/);
      expect(problems[1]).toBe('A write fails: etcdserver: mvcc: database space exceeded');
      expect(writeMs).toBeUndefined();
    } finally {
      await alarm('DEACTIVATE');
    }
  });

  // Last: it costs the etcd its majority.
  test('that lost its majority has no leader and takes no writes', async () => {
    const address = addressOf(three.endpoints, '/lost');
    // A follower first, so that no election is needed.
    const { members } = await checkEtcd(address, systemClock);
    const follower = members.findIndex(({ leads }) => leads === false);
    await three.kill(follower);
    const afterOne = await checkEtcd(address, systemClock);
    expect(afterOne.problems).toEqual([expect.stringContaining(`"${three.endpoints[follower]}" does not answer`)]);
    await three.kill((follower + 1) % 3);
    const afterTwo = await checkEtcd(address, systemClock);
    expect(afterTwo.problems).toContainEqual(expect.stringMatching(/^A write fails: /));
    for (let looked = afterTwo; !looked.problems.some((problem) => problem.includes('knows no leader')); ) {
      looked = await checkEtcd(address, systemClock);
    }
  });
});
