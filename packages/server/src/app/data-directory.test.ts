import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock, ManualTimers } from '@rollcall/runtime/testing';
import { transformFileSync } from '@swc/core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DataDirectory, openDataDirectory } from './data-directory.js';
import { ownIdentity } from './process-identity.js';

let root: string;
let path: string;
let clock: ManualClock;
let timers: ManualTimers;
const opened: DataDirectory[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rollcall-data-'));
  path = join(root, 'a', 'data');
  clock = new ManualClock(Date.now());
  timers = new ManualTimers(clock);
});
afterEach(() => {
  for (const directory of opened.splice(0)) directory.release();
  rmSync(root, { recursive: true, force: true });
});

async function open(): Promise<DataDirectory> {
  const directory = await openDataDirectory(path, timers, clock);
  opened.push(directory);
  return directory;
}

/** A lock of somebody else, touched `silentMs` ago. */
function writeLock(number: number, record: object | string, silentMs: number): void {
  mkdirSync(path, { recursive: true });
  const file = join(path, `lock.${number}`);
  writeFileSync(file, typeof record === 'string' ? record : JSON.stringify(record));
  const seconds = (clock.now().wall - silentMs) / 1000;
  utimesSync(file, seconds, seconds);
}

const locks = () => readdirSync(path).sort();
const DEAD = { pid: process.pid, host: 'here', startTicks: '1', pidScope: ownIdentity().pidScope, released: false };
const ELSEWHERE = { pid: 7, host: 'other-container', startTicks: '1', pidScope: 'other', released: false };

describe('the directory', () => {
  test('is created, with the places of its parts', async () => {
    const directory = await open();
    expect(directory).toMatchObject({ path, storePath: join(path, 'store'), ephemeralPath: join(path, 'ephemeral') });
    expect(locks()).toEqual(['lock.1']);
  });

  test('that is a file is unusable', async () => {
    path = join(root, 'file');
    writeFileSync(path, '');
    await expect(open()).rejects.toMatchObject({
      exit: 'data-dir-unusable',
      message: expect.stringContaining(`Cannot use data directory "${path}": EEXIST`),
    });
  });

  test('that may not be created is unusable', async () => {
    // Not even root may create anything here.
    path = '/sys/rollcall-data';
    await expect(open()).rejects.toMatchObject({ exit: 'data-dir-unusable' });
  });
});

describe('the lock', () => {
  test('refuses a second owner and names the first', async () => {
    await open();
    await expect(open()).rejects.toMatchObject({
      exit: 'data-dir-locked',
      message:
        `Cannot use data directory "${path}": process ${process.pid} uses it (lock file "${path}/lock.1"), allowed is ` +
        'one server per directory; stop that server, or choose another directory with --data-dir or ROLLCALL_DATA_DIR',
    });
    expect(locks()).toEqual(['lock.1']);
  });

  test('that was released is free at once', async () => {
    (await open()).release();
    await open();
    expect(locks()).toEqual(['lock.2']);
  });

  test('of a dead process whose pid is in use again is taken over', async () => {
    writeLock(7, DEAD, 0);
    await open();
    expect(locks()).toEqual(['lock.8']);
  });

  test('that cannot be read counts as one whose owner cannot be asked', async () => {
    writeLock(1, '', 5000);
    await open();
    expect(locks()).toEqual(['lock.2']);
  });

  test('of another container is taken over after 5 s without a sign of life, at once when they are over', async () => {
    writeLock(1, ELSEWHERE, 2000);
    const opening = open();
    timers.advance(2999);
    await new Promise(setImmediate);
    expect(locks()).toEqual(['lock.1']);
    timers.advance(1);
    await opening;
    expect(locks()).toEqual(['lock.2']);
    opened.pop()?.release();
    writeLock(3, ELSEWHERE, 5000);
    await open();
    expect(locks()).toEqual(['lock.4']);
  });

  test('of another container that shows it lives is refused', async () => {
    writeLock(1, ELSEWHERE, 2000);
    const opening = open();
    timers.advance(1000);
    writeLock(1, ELSEWHERE, 0);
    timers.advance(2000);
    await expect(opening).rejects.toThrow('process 7 on host "other-container" uses it');
  });

  test('shows every second that its owner lives', async () => {
    await open();
    timers.advance(60_000);
    expect(Math.round(statSync(join(path, 'lock.1')).mtimeMs)).toBe(clock.now().wall);
    rmSync(join(path, 'lock.1'));
    timers.advance(10_000);
    opened.pop()?.release();
    expect(locks()).toEqual([]);
  });

  test('clears away what killed attempts left', async () => {
    writeLock(3, DEAD, 0);
    writeLock(5, DEAD, 0);
    writeFileSync(join(path, 'lock.abc.tmp'), '');
    await open();
    expect(locks()).toEqual(['lock.6']);
  });
});

// Real processes: the sources without their types, so that no build is needed.
describe('between processes', () => {
  const program = mkdtempSync(join(tmpdir(), 'rollcall-lock-program-'));
  const children: ChildProcess[] = [];

  beforeAll(() => {
    writeFileSync(join(program, 'package.json'), '{"type":"module"}');
    for (const name of ['directory-lock', 'process-identity', 'start-error']) {
      const { code } = transformFileSync(join(import.meta.dirname, `${name}.ts`), {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
      });
      writeFileSync(join(program, `${name}.js`), code);
    }
    writeFileSync(
      join(program, 'main.js'),
      `import { DirectoryLock } from './directory-lock.js';
       const clock = { now: () => ({ mono: performance.now(), wall: Date.now() }) };
       const timers = {
         once: (ms, callback) => setTimeout(callback, ms),
         every: (ms, callback) => { const timer = setInterval(callback, ms); return { cancel: () => clearInterval(timer) }; },
       };
       process.stdin.once('data', async () => {
         try {
           const directory = await DirectoryLock.acquire({ path: process.argv[2], clock, timers });
           process.stdout.write('owner');
           process.stdin.once('data', () => { directory.release(); process.exit(0); });
         } catch (error) {
           process.stdout.write(error.exit + ' ' + error.message);
           process.exit(0);
         }
       });
       process.stdout.write('ready');`,
    );
  });
  afterEach(async () => {
    for (const child of children.splice(0)) await ended(child, () => child.kill('SIGKILL'));
  });
  afterAll(() => rmSync(program, { recursive: true, force: true }));

  async function contender(): Promise<ChildProcess> {
    mkdirSync(path, { recursive: true });
    const child = spawn(process.execPath, [join(program, 'main.js'), path], { stdio: ['pipe', 'pipe', 'inherit'] });
    children.push(child);
    await answer(child);
    return child;
  }
  async function answer(child: ChildProcess): Promise<string> {
    const [bytes] = await once(child.stdout as NodeJS.ReadableStream, 'data');
    return String(bytes);
  }
  function go(child: ChildProcess): Promise<string> {
    const answered = answer(child);
    child.stdin?.write('go');
    return answered;
  }
  async function ended(child: ChildProcess, end: () => void): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    end();
    await exit;
  }

  test('of many that start at once, on a free directory or a dead owner’s, one gets it and the others name it', async () => {
    for (const stale of [false, true, true]) {
      rmSync(path, { recursive: true, force: true });
      if (stale) writeLock(1, DEAD, 0);
      const contenders = await Promise.all(Array.from({ length: 6 }, contender));
      const answers = await Promise.all(contenders.map(go));
      const owners = contenders.filter((_, index) => answers[index] === 'owner');
      expect(owners).toHaveLength(1);
      for (const refusal of answers.filter((text) => text !== 'owner')) {
        expect(refusal).toMatch(new RegExp(`^data-dir-locked Cannot use .*: process ${owners[0]?.pid} uses it`));
      }
      for (const child of contenders) await ended(child, () => child.kill('SIGKILL'));
    }
  }, 30_000);

  test('a killed owner is followed at once, a stopped one too', async () => {
    const first = await contender();
    expect(await go(first)).toBe('owner');
    await ended(first, () => first.kill('SIGKILL'));
    const second = await contender();
    expect(await go(second)).toBe('owner');
    await ended(second, () => second.stdin?.write('stop'));
    expect(readFileSync(join(path, 'lock.2'), 'utf8')).toContain('"released":true');
    expect(await go(await contender())).toBe('owner');
    expect(locks()).toEqual(['lock.3']);
  }, 30_000);
});
