import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock, ManualTimers, RecordingLogger } from '@rollcall/runtime/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { clusterPlanOf } from './cluster-plan.js';
import { loadConfig } from './config.js';
import type { OptionKey } from './config-schema.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-plan-'));
  writeFileSync(join(folder, 'secret'), 'sixteen letters!\nsecond line\n');
  writeFileSync(join(folder, 'short'), 'short\n');
  writeFileSync(join(folder, 'cluster.conf'), '127.0.0.1:8848\n127.0.0.1:8849\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

type Flags = { readonly [K in OptionKey]?: string };
const MEMBERS = '127.0.0.1:8848,127.0.0.1:8849';
const SECRET = 'sixteen letters!';

function planOf(flags: Flags) {
  const { config } = loadConfig({ flags, environment: {}, readFile: () => '' });
  return clusterPlanOf(config, { timers: new ManualTimers(new ManualClock()), logger: new RecordingLogger() });
}
const inFolder = (name: string) => join(folder, name);

describe('a server', () => {
  it('is alone without members', async () => {
    expect(await planOf({})).toBeUndefined();
    expect(await planOf({ clusterSecret: SECRET, node: '10.0.0.1:8848' })).toBeUndefined();
  });

  it('finds itself among the members by its port', async () => {
    const plan = await planOf({ members: MEMBERS, port: '8849', clusterSecret: SECRET });
    expect(plan).toMatchObject({ self: '127.0.0.1:8849', members: MEMBERS.split(','), secret: SECRET });
    expect(await planOf({ members: MEMBERS, insecureCluster: 'on' })).toMatchObject({
      self: '127.0.0.1:8848',
      secret: undefined,
      certificates: undefined,
    });
  });

  it('is who it is told to be', async () => {
    const flags = { members: '10.0.0.1:8848', node: '10.0.0.1:8848', host: '0.0.0.0', clusterSecret: SECRET };
    const plan = await planOf(flags);
    expect(plan?.self).toBe('10.0.0.1:8848');
  });

  it('reads members and secret from files', async () => {
    const flags = { membersFile: inFolder('cluster.conf'), clusterSecretFile: inFolder('secret') };
    expect(await planOf(flags)).toMatchObject({ secret: SECRET, members: MEMBERS.split(',') });
  });

  it.each<[string, Flags]>([
    ['found neither a secret nor certificates', { members: MEMBERS }],
    [
      'found 2 sources of members, allowed is one',
      { members: MEMBERS, membersUrl: 'http://a/', clusterSecret: SECRET },
    ],
    ['found port 0, allowed is a fixed port', { members: MEMBERS, port: '0', clusterSecret: SECRET }],
    [
      'can be none of 10.255.255.1:8848; allowed is one of them, chosen with --node',
      { members: '10.255.255.1:8848', clusterSecret: SECRET },
    ],
    ['which only this machine reaches', { members: '10.0.0.1:8848', node: '10.0.0.1:8848', clusterSecret: SECRET }],
    ['found --cluster-tls-key and --cluster-tls-ca missing', { members: MEMBERS, clusterTlsCert: 'x.pem' }],
    ['found both, allowed is one', { members: MEMBERS, clusterSecret: SECRET, clusterSecretFile: 'x' }],
    ['ENOENT', { members: MEMBERS, clusterSecretFile: '/nowhere/secret' }],
    [
      'found member "10.0.0.9:63536", allowed are ports up to 63535, because nodes talk on the port plus 2000',
      { members: `${MEMBERS},10.0.0.9:63536`, clusterSecret: SECRET },
    ],
    [
      'found node "10.0.0.9:8848", allowed are ports up to 535',
      {
        members: '127.0.0.1:80',
        node: '10.0.0.9:8848',
        host: '0.0.0.0',
        clusterPortOffset: '65000',
        clusterSecret: SECRET,
      },
    ],
    [
      'found port 63536, allowed are ports up to 63535',
      { members: '127.0.0.1:8848', port: '63536', node: '127.0.0.1:8848', clusterSecret: SECRET },
    ],
  ])('does not start with %j', async (found, flags) => {
    await expect(planOf(flags)).rejects.toThrow(found);
    await expect(planOf(flags)).rejects.toMatchObject({ exit: 'bad-config' });
  });

  it('does not start with a secret that is too short, and does not show it', async () => {
    const flags = { members: MEMBERS, clusterSecretFile: inFolder('short') };
    await expect(planOf(flags)).rejects.toThrow('found 5 characters in its first line, allowed are 16 to 1024');
    expect(() => planOf({ members: MEMBERS, clusterSecret: 'short' })).toThrow(
      'Cannot use option "clusterSecret" from flag --cluster-secret: found 5 characters, allowed is 16 to 1024 characters',
    );
  });

  it('takes no list, now or later, with a member whose port for nodes cannot be', async () => {
    const path = inFolder('changing.conf');
    writeFileSync(path, '127.0.0.1:8848\n');
    const { config } = loadConfig({
      flags: { membersFile: path, clusterSecret: SECRET },
      environment: {},
      readFile: () => '',
    });
    const timers = new ManualTimers(new ManualClock());
    const logger = new RecordingLogger();
    const plan = await clusterPlanOf(config, { timers, logger });
    const told: (readonly string[])[] = [];
    plan?.watch.start((members) => told.push(members));
    writeFileSync(path, '127.0.0.1:8848\n10.0.0.9:65000\n');
    timers.advance(1000);
    await vi.waitFor(() => expect(logger.lines).toHaveLength(1));
    plan?.watch.stop();
    const error = expect.stringContaining('found member "10.0.0.9:65000"');
    expect(logger.lines).toMatchObject([{ event: 'members-unreadable', fields: { error } }]);
    expect(told).toEqual([]);
  });

  it('does not start when its members cannot be found out', async () => {
    const flags = { membersFile: inFolder('none'), clusterSecret: SECRET };
    await expect(planOf(flags)).rejects.toMatchObject({ exit: 'unreachable' });
  });
});
