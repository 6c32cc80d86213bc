// MySQL probe: logs in, makes one SELECT or SHOW, reads at most one row. A row that says `read_only` is `ON` means that the
// node takes no writes, which counts as a bad probe. Source: Nacos 1.4.8 MysqlHealthCheckProcessor; that only reading
// statements are made is our own rule, as whoever defines a cluster chooses the statement and the address.

import type { HealthChecker } from '@rollcall/protocol';
import type { Timers } from '@rollcall/runtime';
import type { Connection } from 'mysql2';
import { outcomeOfError, type ProbeOutcome } from './probe-outcome.js';

/** Whom to ask for what. */
export interface MysqlProbe {
  /** A literal address. */
  readonly ip: string;
  /** 1 to 65535. */
  readonly port: number;
  readonly checker: Extract<HealthChecker, { type: 'MYSQL' }>;
  /** For connecting, logging in and the answer together. */
  readonly timeoutMs: number;
}

/** Whether a statement is one reading statement: a SELECT that writes no file and takes no lock, or a SHOW. */
export function isReadingStatement(statement: string): boolean {
  const text = statement.trim().replace(/;$/, '');
  if (text.includes(';') || /\/\*|--|#/.test(text)) return false;
  return /^show\s/i.test(text) || (/^select\s/i.test(text) && !/\b(into|for\s+update|lock\s+in)\b/i.test(text));
}

/** Asks once. Never rejects. */
export async function probeMysql(probe: MysqlProbe, timers: Timers): Promise<ProbeOutcome> {
  if (!isReadingStatement(probe.checker.cmd)) {
    return { type: 'not-probed', ms: 0, detail: 'cmd is not one SELECT or SHOW' };
  }
  // Loaded at the first MySQL probe: few servers have any.
  const { createConnection } = await import('mysql2');
  const startedAt = performance.now();
  const { ip: host, port, checker, timeoutMs } = probe;
  const { user, pwd: password } = checker;
  const connection = createConnection({ host, port, user, password, connectTimeout: timeoutMs, disableEval: true });
  return ask(connection, { sql: checker.cmd, timeoutMs, startedAt }, timers);
}

function ask(
  connection: Connection,
  { sql, timeoutMs, startedAt }: { readonly sql: string; readonly timeoutMs: number; readonly startedAt: number },
  timers: Timers,
): Promise<ProbeOutcome> {
  const elapsed = () => performance.now() - startedAt;
  return new Promise((resolve) => {
    const settle = (outcome: ProbeOutcome) => {
      timeout.cancel();
      // What is behind the first row is not read, so there is nothing to end politely.
      connection.destroy();
      resolve(outcome);
    };
    const fail = (error: unknown) => settle(outcomeOfFailure(error, elapsed()));
    const timeout = timers.once(timeoutMs, () => settle({ type: 'timeout', ms: elapsed() }));
    connection.on('error', fail);
    connection
      .query({ sql, rowsAsArray: true })
      .on('error', fail)
      .on('result', (row: unknown) => settle(outcomeOfRow(row, elapsed())))
      .on('end', () => settle({ type: 'ok', ms: elapsed() }));
  });
}

function outcomeOfRow(row: unknown, ms: number): ProbeOutcome {
  const [name, value] = Array.isArray(row) ? row : [];
  const readOnly = String(name).toLowerCase() === 'read_only' && String(value).toUpperCase() === 'ON';
  return readOnly ? { type: 'error', ms, detail: 'read-only' } : { type: 'ok', ms };
}

// Refusals of the database have a number and an SQL state; everything else is the network's.
function outcomeOfFailure(error: unknown, ms: number): ProbeOutcome {
  const { sqlState, code } = error as { readonly sqlState?: string; readonly code?: string };
  return sqlState === undefined ? outcomeOfError(error, ms) : { type: 'sql-error', ms, detail: code ?? sqlState };
}
