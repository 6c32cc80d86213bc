// Exit codes of the rollcall command. Scripts rely on them: a code never changes its meaning. docs/errors.md lists them.

/** Every exit code with what it means. */
export const EXIT_CODES = {
  ok: { code: 0, meaning: 'Done. For `start`: stopped by SIGTERM or SIGINT after everything was saved.' },
  failed: { code: 1, meaning: 'Failed for a reason without a code of its own; the message says which.' },
  usage: { code: 2, meaning: 'A command, option or argument cannot be read; nothing was done.' },
  unreachable: { code: 3, meaning: 'No server answers at the address, or not in time.' },
  refused: { code: 4, meaning: 'The server refused the request (status 4xx); nothing was changed.' },
  'server-failed': { code: 5, meaning: 'The server could not do it (status 5xx).' },
  'still-held': { code: 6, meaning: 'Deregistered, but another publisher still holds the instance.' },
  'bad-config': {
    code: 10,
    meaning: 'A configuration value is not allowed, or the configuration file cannot be read.',
  },
  'address-in-use': { code: 11, meaning: 'The port to listen on is taken.' },
  'address-unavailable': { code: 12, meaning: 'The address to listen on is not of this machine, or not permitted.' },
  'data-dir-locked': { code: 13, meaning: 'Another server uses the data directory.' },
  'data-dir-unusable': { code: 14, meaning: 'The data directory cannot be created, read or written.' },
  'node-address-taken': {
    code: 15,
    meaning: 'Another process is alive as the same node of the cluster; of two, the one that started later ends.',
  },
  interrupted: {
    code: 130,
    meaning: 'Stopped at once by a second signal; the journal is kept, the snapshot was not written.',
  },
} as const;

/** Name of an exit code. */
export type ExitName = keyof typeof EXIT_CODES;

/** The number of an exit code. */
export function exitCodeOf(name: ExitName): number {
  return EXIT_CODES[name].code;
}
