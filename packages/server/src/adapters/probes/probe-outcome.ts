// What one probe found. Source of the classes: Nacos 1.4.8 TcpSuperSenseProcessor, HttpHealthCheckProcessor,
// MysqlHealthCheckProcessor (contract 11): some findings count towards `checkTimes`, others tell at once.

/** Result of one probe; `ms` is how long it took. */
export type ProbeOutcome = {
  readonly ms: number;
  /** For the log and the metrics; never holds credentials. */
  readonly detail?: string;
} & (
  | { readonly type: 'ok' }
  /** No answer in time. */
  | { readonly type: 'timeout' }
  /** The target's system refused the connection, or its database the statement. */
  | { readonly type: 'refused' | 'sql-error' }
  | { readonly type: 'bad-status'; readonly status: number }
  /** The connection broke, the network has no way, the name is unknown, or the database is read-only. */
  | { readonly type: 'error' }
  /** Nothing was asked: the address or the check is not allowed, or this machine lacks ports or descriptors. */
  | { readonly type: 'not-probed' }
);

/** What an outcome says of health: `well` and `ailing` count in a row, `dead` tells at once, `unknown` says nothing. */
export type ProbeVerdict = 'well' | 'ailing' | 'dead' | 'unknown';

/** Statuses of a server that is alive and busy or elsewhere. */
const AILING_STATUSES = new Set([302, 503]);

/** Errors of this machine, which say nothing of the target. */
const OWN_ERRORS = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL', 'EACCES', 'EPERM']);

/** Judges an outcome. */
export function verdictOf(outcome: ProbeOutcome): ProbeVerdict {
  switch (outcome.type) {
    case 'ok':
      return 'well';
    case 'timeout':
    case 'error':
      return 'ailing';
    case 'refused':
    case 'sql-error':
      return 'dead';
    case 'bad-status':
      return AILING_STATUSES.has(outcome.status) ? 'ailing' : 'dead';
    case 'not-probed':
      return 'unknown';
  }
}

/** The outcome of a connection that failed with an error of the system. @param ms - how long the probe took */
export function outcomeOfError(error: unknown, ms: number): ProbeOutcome {
  const { code, message } = error as NodeJS.ErrnoException;
  const detail = code ?? message;
  if (code === 'ECONNREFUSED') return { type: 'refused', ms, detail };
  if (code === 'ETIMEDOUT') return { type: 'timeout', ms, detail };
  return { type: code !== undefined && OWN_ERRORS.has(code) ? 'not-probed' : 'error', ms, detail };
}
