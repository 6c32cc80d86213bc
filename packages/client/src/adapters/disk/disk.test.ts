import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ManualClock, ManualTimers } from '@rollcall/runtime/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CACHE_BOUNDS, CacheFolder } from './cache-folder.js';
import { cacheFolderOf, failoverFolderOf, failoverSwitchesOf, fileNameOf } from './cache-path.js';
import { FailoverWatch } from './failover-watch.js';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'rollcall-client-disk-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const textOf = (grouped: string, ip = '10.0.0.1') => JSON.stringify({ name: grouped, hosts: [{ ip, port: 1 }] });

function cache(folder = root, bounds = CACHE_BOUNDS) {
  const notes: string[] = [];
  return { folder: new CacheFolder(folder, (_level, event) => void notes.push(event), bounds), notes };
}

describe('names of files', () => {
  test('are those of the Java client', () => {
    expect(fileNameOf('DEFAULT_GROUP@@svc')).toBe('DEFAULT_GROUP%40%40svc');
    expect(fileNameOf('G 1@@a+b')).toBe('G+1%40%40a%2Bb');
    expect(cacheFolderOf('/home/me', 'n1')).toBe(path.join('/home/me', 'nacos', 'naming', 'n1'));
  });

  test.each([
    'providers:a.b.C:1.0:g',
    'a/b',
    '..',
    '../../etc/passwd',
    'a\\b',
    'a%2Fb',
    'a*b',
    'x'.repeat(300),
    `${'x'.repeat(299)}y`,
  ])('of "%s" stay in their folder', (name) => {
    const file = fileNameOf(`G@@${name}`);
    expect(path.join('/folder', file)).toBe(`/folder/${file}`);
    expect(file).toMatch(/^[\w.%+-]{1,200}$/);
  });

  test('BR-141 differ when services do', () => {
    const names = ['a/b', 'a%2Fb', 'a b', 'a+b', 'x'.repeat(300), `${'x'.repeat(299)}y`].map((name) =>
      fileNameOf(`G@@${name}`),
    );
    expect(new Set(names).size).toBe(names.length);
    expect(fileNameOf('..')).toBe('%2E%2E');
  });
});

describe('CacheFolder', () => {
  test('keeps the newest list of each service as it came, and brings all back', async () => {
    const { folder } = cache(path.join(root, 'deep', 'er'));
    folder.keep('G@@a', textOf('G@@a', 'old'));
    folder.keep('G@@a', textOf('G@@a', 'new'));
    folder.keep(`G@@${'x'.repeat(300)}`, textOf(`G@@${'x'.repeat(300)}`));
    await folder.flush();
    expect(await readFile(path.join(root, 'deep', 'er', 'G%40%40a'), 'utf8')).toBe(textOf('G@@a', 'new'));
    const lists = await folder.load();
    expect(lists.map(({ grouped }) => grouped).sort()).toEqual(['G@@a', `G@@${'x'.repeat(300)}`]);
  });

  test('leaves no half-written or temporary file', async () => {
    const { folder } = cache();
    for (let i = 0; i < 50; i++) folder.keep(`G@@s${i % 5}`, textOf(`G@@s${i % 5}`));
    await folder.flush();
    expect((await readdir(root)).sort()).toEqual([0, 1, 2, 3, 4].map((i) => `G%40%40s${i}`));
  });

  test('BR-140 a folder that cannot be made is warned about once, and nothing fails', async () => {
    await writeFile(path.join(root, 'file'), '');
    const { folder, notes } = cache(path.join(root, 'file'));
    for (const name of ['a', 'b', 'c']) folder.keep(`G@@${name}`, textOf(`G@@${name}`));
    await folder.flush();
    expect(notes).toEqual(['cache-failed']);
    expect(await folder.load()).toEqual([]);
  });

  test('BR-140 ten that start together make one folder, and whole files', async () => {
    const folder = path.join(root, 'not', 'there', 'yet');
    const all = Array.from({ length: 10 }, () => cache(folder));
    const texts = all.map((_, i) => textOf('G@@s', `10.0.0.${i}`));
    all.forEach((each, i) => {
      each.folder.keep('G@@s', texts[i] as string);
    });
    await Promise.all(all.map((each) => each.folder.flush()));
    expect(all.flatMap(({ notes }) => notes)).toEqual([]);
    expect(await readdir(folder)).toEqual(['G%40%40s']);
    expect(texts).toContain(await readFile(path.join(folder, 'G%40%40s'), 'utf8'));
  });

  test('BR-141 names that are no file names come back under their own', async () => {
    const { folder } = cache();
    const names = ['providers:a.b.C:1.0:g', 'a/b', 'a%2Fb', '..', '%', 'x'.repeat(300), `${'x'.repeat(299)}y`];
    names.forEach((name, i) => {
      folder.keep(`G@@${name}`, textOf(`G@@${name}`, `10.0.0.${i}`));
    });
    await folder.flush();
    const lists = (await cache().folder.load()).map(({ grouped, instances }) => [grouped, instances[0]?.ip]);
    expect(new Map(lists as [string, string][])).toEqual(
      new Map(names.map((name, i) => [`G@@${name}`, `10.0.0.${i}`])),
    );
  });

  test('keeps no more files and bytes than its bounds', async () => {
    const { folder, notes } = cache(root, { files: 2, fileBytes: 100 });
    folder.keep('G@@long', textOf('G@@long', 'x'.repeat(100)));
    for (const name of ['a', 'b', 'c', 'a']) folder.keep(`G@@${name}`, textOf(`G@@${name}`));
    await folder.flush();
    expect((await readdir(root)).sort()).toEqual(['G%40%40a', 'G%40%40b']);
    expect(notes).toEqual(['cache-failed', 'cache-failed']);
  });

  test('leaves out what cannot be read, empty lists, folders and the switch', async () => {
    await mkdir(path.join(root, 'failover'));
    await writeFile(path.join(root, 'broken'), '{"name":');
    await writeFile(path.join(root, 'empty'), '{"name":"G@@e","hosts":[]}');
    await writeFile(path.join(root, 'failover00-00---000-VIPSRV_FAILOVER_SWITCH-000---00-00'), '1');
    await writeFile(path.join(root, 'G%40%40good'), `# old\n${textOf('G@@good')}\n`);
    const { folder, notes } = cache();
    expect((await folder.load()).map(({ grouped }) => grouped)).toEqual(['G@@good']);
    expect(notes).toEqual(['cache-failed']);
  });
});

describe('FailoverWatch', () => {
  async function watch() {
    const timers = new ManualTimers(new ManualClock());
    const seen: (string[] | 'off')[] = [];
    const notes: string[] = [];
    const made = new FailoverWatch({
      cacheFolder: root,
      timers,
      noted: (_level, event) => void notes.push(event),
      changed: (lists) =>
        void seen.push(
          lists === undefined ? 'off' : [...lists.values()].map((list) => `${list.grouped} ${list.instances[0]?.ip}`),
        ),
    });
    /** Lets it look once. */
    const look = async (): Promise<void> => {
      while (timers.size === 0) await new Promise((resolve) => setImmediate(resolve));
      timers.advance(5000);
      while (timers.size === 0) await new Promise((resolve) => setImmediate(resolve));
    };
    return { made, seen, notes, look };
  }

  test.each([0, 1])('BR-143 reads encoded and plain names while switch %d says 1; off again at 0', async (place) => {
    await mkdir(failoverFolderOf(root));
    await writeFile(path.join(failoverFolderOf(root), 'G%40%40a'), textOf('G@@a'));
    await writeFile(path.join(failoverFolderOf(root), 'G@@b'), textOf('G@@b'));
    await writeFile(path.join(failoverFolderOf(root), 'broken'), '{');
    const switchFile = failoverSwitchesOf(root)[place] as string;
    const { made, seen, notes, look } = await watch();
    await look();
    expect(seen).toEqual([]);
    await writeFile(switchFile, '1\n');
    await look();
    expect(seen.map((lists) => [...lists].sort())).toEqual([['G@@a 10.0.0.1', 'G@@b 10.0.0.1']]);
    await writeFile(switchFile, '0\n');
    await look();
    expect(seen.at(-1)).toBe('off');
    expect(notes).toEqual(['failover-file-unreadable', 'failover-on', 'failover-off']);
    await made.close();
  });

  test('sees files that change while it is on', async () => {
    const file = path.join(failoverFolderOf(root), 'G%40%40a');
    await mkdir(failoverFolderOf(root));
    await writeFile(failoverSwitchesOf(root)[0] as string, '1');
    await writeFile(file, textOf('G@@a', 'one'));
    const { made, seen, look } = await watch();
    await look();
    await writeFile(file, textOf('G@@a', 'two'));
    await utimes(file, 1, 1);
    await look();
    expect(seen).toEqual([['G@@a one'], ['G@@a two']]);
    await made.close();
  });
});
