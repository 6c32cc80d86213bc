import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock, ManualTimers, RecordingLogger } from '@rollcall/runtime/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EpochFile } from './epoch-file.js';
import { fixedMembers, type MemberSource, membersOfDns, membersOfFile, membersOfUrl } from './member-source.js';
import { MemberWatch } from './member-watch.js';
import { ownNodes } from './own-node.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-members-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

describe('a list of members', () => {
  it('comes from a file', async () => {
    const path = join(folder, 'cluster.conf');
    writeFileSync(path, '# three\n10.0.0.1\n10.0.0.2:8849\n');
    expect(await membersOfFile(path, 8848).read()).toEqual(['10.0.0.1:8848', '10.0.0.2:8849']);
    await expect(membersOfFile(join(folder, 'none'), 8848).read()).rejects.toThrow('ENOENT');
  });

  it('comes from a name in DNS', async () => {
    const asked: string[] = [];
    const source = membersOfDns('nodes.example:8848', async (name) => {
      asked.push(name);
      return [{ address: '10.0.0.1' }, { address: 'fd00::1' }];
    });
    expect(await source.read()).toEqual(['10.0.0.1:8848', '[fd00::1]:8848']);
    expect(asked).toEqual(['nodes.example']);
  });

  it('comes from an address server', async () => {
    let text = '10.0.0.1:8848\n10.0.0.2:8848\n';
    const server = createServer((request, response) => {
      response.statusCode = request.url === '/nacos/serverlist' ? 200 : 404;
      response.end(text);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await membersOfUrl(`${base}/nacos/serverlist`, 8848).read()).toEqual(['10.0.0.1:8848', '10.0.0.2:8848']);
    await expect(membersOfUrl(`${base}/other`, 8848).read()).rejects.toThrow('found status 404');
    text = `${'#'.repeat(70_000)}\n`;
    await expect(membersOfUrl(`${base}/nacos/serverlist`, 8848).read()).rejects.toThrow('more than 65536 characters');
    server.close();
    server.closeAllConnections();
  });

  it('says why an address server cannot be reached', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const read = membersOfUrl(`http://127.0.0.1:${port}/serverlist`, 8848).read();
    await expect(read).rejects.toThrow(`connect ECONNREFUSED 127.0.0.1:${port}`);
  });
});

describe('the watch', () => {
  function watched(read: () => readonly string[], tries = 1) {
    const timers = new ManualTimers(new ManualClock());
    const logger = new RecordingLogger();
    const source: MemberSource = { name: 'a test', rereadMs: 1000, tries, read: async () => read() };
    return { timers, logger, watch: new MemberWatch(source, timers, logger) };
  }

  it('tells of each change once, whatever the order', async () => {
    let list = ['a:1', 'b:1'];
    const { timers, watch } = watched(() => list);
    expect(await watch.first()).toEqual(list);
    const told: (readonly string[])[] = [];
    watch.start((members) => told.push(members));
    for (const next of [['b:1', 'a:1'], ['a:1', 'b:1', 'c:1'], ['a:1', 'b:1', 'c:1'], ['a:1']]) {
      list = next;
      timers.advance(1000);
      await turns();
    }
    expect(told).toEqual([['a:1', 'b:1', 'c:1'], ['a:1']]);
    watch.stop();
    list = ['x:1'];
    timers.advance(5000);
    await turns();
    expect(told).toHaveLength(2);
  });

  it('keeps the list of a source that is away, and says so', async () => {
    let isAway = false;
    const { timers, logger, watch } = watched(() => {
      if (isAway) throw new Error('away');
      return ['a:1'];
    });
    await watch.first();
    const told: (readonly string[])[] = [];
    watch.start((members) => told.push(members));
    isAway = true;
    for (let count = 0; count < 20; count++) {
      timers.advance(1000);
      await turns();
    }
    expect(told).toEqual([]);
    expect(logger.lines.map(({ event, fields }) => [event, fields.failures, fields.error])).toEqual([
      ['members-unreadable', 1, 'away'],
      ['members-unreadable', 12, 'away'],
    ]);
  });

  it('tries more than once at the start, then gives up', async () => {
    let calls = 0;
    const { timers, watch } = watched(() => {
      calls += 1;
      throw new Error('no such name');
    }, 3);
    const first = expect(watch.first()).rejects.toThrow('no such name');
    for (let count = 0; count < 3; count++) {
      await turns();
      timers.advance(1000);
    }
    await first;
    expect(calls).toBe(3);
  });

  it('never reads a fixed list again', async () => {
    const timers = new ManualTimers(new ManualClock());
    const watch = new MemberWatch(fixedMembers(['a:1']), timers, new RecordingLogger());
    expect(await watch.first()).toEqual(['a:1']);
    watch.start(() => undefined);
    expect(timers.size).toBe(0);
  });
});

describe('the own node', () => {
  const localAddresses = () => ['127.0.0.1', '10.0.0.2', 'fd00::2'];
  const resolve = async (name: string) => (name === 'two' ? ['10.0.0.2'] : []);
  const find = (members: readonly string[], host = '0.0.0.0') =>
    ownNodes({ members, host, port: 8848, localAddresses, resolve });

  it('is the member with an address of this machine and the own port', async () => {
    expect(await find(['10.0.0.1:8848', '10.0.0.2:8848', '10.0.0.2:8849'])).toEqual(['10.0.0.2:8848']);
    expect(await find(['one:8848', 'two:8848'])).toEqual(['two:8848']);
    expect(await find(['[fd00::2]:8848'])).toEqual(['[fd00::2]:8848']);
  });

  it('is the one that is listened on when there are several', async () => {
    const members = ['127.0.0.1:8848', '10.0.0.2:8848'];
    expect(await find(members)).toEqual(members);
    expect(await find(members, '10.0.0.2')).toEqual(['10.0.0.2:8848']);
  });

  it('may be none', async () => {
    expect(await find(['10.0.0.1:8848', '10.0.0.2:8849', 'one:8848'])).toEqual([]);
  });
});

describe('the number of the run', () => {
  it('is kept, and 0 when there is none that can be read', () => {
    const file = new EpochFile(join(folder, 'epoch.json'));
    expect(file.read()).toBe(0);
    file.write(7);
    expect(file.read()).toBe(7);
    writeFileSync(join(folder, 'epoch.json'), '{"epoch":-1}');
    expect(file.read()).toBe(0);
  });
});
