import { nodeTimers } from '@rollcall/runtime';
import { afterAll, afterEach, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { hasMariaDb, type MariaDb, startMariaDb } from './mariadb.test-support.js';
import { isReadingStatement, probeMysql } from './mysql-probe.js';
import { closedPort, type Listener, listen } from './probe-listeners.test-support.js';
import type { ProbeOutcome } from './probe-outcome.js';

const USER = 'probe';
const PASSWORD = 'only for this test';
const READ_ONLY = "show global variables where variable_name='read_only'";

function ask(port: number, cmd: string, { pwd = PASSWORD, timeoutMs = 5000 } = {}): Promise<ProbeOutcome> {
  const checker = { type: 'MYSQL', user: USER, pwd, cmd } as const;
  return probeMysql({ ip: '127.0.0.1', port, checker, timeoutMs }, nodeTimers);
}

const listeners: Listener[] = [];
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.close();
});

describe('probeMysql with a MariaDB server', () => {
  const servers: { writable?: MariaDb; readOnly?: MariaDb } = {};
  const login = `CREATE USER ${USER}@'127.0.0.1' IDENTIFIED BY '${PASSWORD}';`;

  beforeAll(async () => {
    if (!hasMariaDb()) return;
    servers.writable = await startMariaDb([login, 'CREATE DATABASE shop;', 'CREATE TABLE shop.orders (id INT);']);
    servers.readOnly = await startMariaDb([login, 'SET GLOBAL read_only = ON;']);
  }, 180_000);
  afterAll(async () => {
    await servers.writable?.stop();
    await servers.readOnly?.stop();
  });

  const portOf = (name: keyof typeof servers, skip: TestContext['skip']): number => {
    skip(!hasMariaDb(), 'this machine has no mariadb-server');
    return servers[name]?.port ?? 0;
  };

  it.for(['SELECT 1', 'select 1 where 1 = 0', 'SHOW STATUS', READ_ONLY])('%s is well', async (cmd, { skip }) => {
    expect(await ask(portOf('writable', skip), cmd)).toMatchObject({ type: 'ok' });
  });

  it('a server that takes no writes is not well when asked for that', async ({ skip }) => {
    const port = portOf('readOnly', skip);
    expect(await ask(port, READ_ONLY)).toMatchObject({ type: 'error', detail: 'read-only' });
    expect(await ask(port, 'SELECT 1')).toMatchObject({ type: 'ok' });
  });

  it('a wrong password, an unknown table and a missing right are SQL errors', async ({ skip }) => {
    const port = portOf('writable', skip);
    expect(await ask(port, 'SELECT 1', { pwd: 'wrong' })).toMatchObject({
      type: 'sql-error',
      detail: 'ER_ACCESS_DENIED_ERROR',
    });
    expect(await ask(port, 'SELECT * FROM nowhere.nothing')).toMatchObject({ type: 'sql-error' });
    expect(await ask(port, 'SELECT * FROM shop.orders')).toMatchObject({ type: 'sql-error' });
  });

  it('an answer that takes too long is a time-out', async ({ skip }) => {
    const port = portOf('writable', skip);
    expect(await ask(port, 'SELECT SLEEP(30)', { timeoutMs: 300 })).toMatchObject({ type: 'timeout' });
  });

  it('reads one row of many', async ({ skip }) => {
    const port = portOf('writable', skip);
    const numbers = 'SELECT a.table_name FROM information_schema.columns a, information_schema.columns b';
    expect(await ask(port, numbers)).toMatchObject({ type: 'ok' });
  });
});

describe('probeMysql with other listeners', () => {
  it('a closed port refuses', async () => {
    expect(await ask(await closedPort(), 'SELECT 1')).toMatchObject({ type: 'refused' });
  });

  it('silence is a time-out', async () => {
    const listener = await listen(() => undefined);
    listeners.push(listener);
    expect(await ask(listener.port, 'SELECT 1', { timeoutMs: 50 })).toMatchObject({ type: 'timeout' });
  });

  it.each([
    ['a server that hangs up', ''],
    ['what is no MySQL', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
  ])('%s is an error or a time-out', async (_, text) => {
    const listener = await listen((socket) => socket.end(text));
    listeners.push(listener);
    expect(['error', 'timeout']).toContain((await ask(listener.port, 'SELECT 1', { timeoutMs: 200 })).type);
  });

  it('a statement that could write is not made', async () => {
    const listener = await listen(() => undefined);
    listeners.push(listener);
    expect(await ask(listener.port, 'DROP TABLE orders')).toMatchObject({ type: 'not-probed' });
    expect(listener.received).toEqual([]);
  });
});

describe('isReadingStatement', () => {
  it.each(['SELECT 1', ' select 1; ', 'SHOW STATUS', READ_ONLY, 'SELECT into_stock FROM goods'])(
    '%s is one',
    (text) => {
      expect(isReadingStatement(text)).toBe(true);
    },
  );

  it.each([
    '',
    'SELECT',
    'DELETE FROM a',
    'SELECT 1; DROP TABLE a',
    "SELECT 1 INTO OUTFILE '/tmp/a'",
    'SELECT * FROM a FOR UPDATE',
    'SELECT * FROM a LOCK IN SHARE MODE',
    'SELECT /*! 1 INTO OUTFILE */ 1',
    'SELECT 1 -- ',
    'SHOWER',
    'CALL a()',
    'SET GLOBAL read_only = 0',
  ])('%s is none', (text) => {
    expect(isReadingStatement(text)).toBe(false);
  });
});
