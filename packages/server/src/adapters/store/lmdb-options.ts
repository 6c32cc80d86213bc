// How the LMDB files are opened, by the server and by the check before it alike.

/**
 * Options of lmdb. Without `overlappingSync` a commit is LMDB's classic one: data flushed, then the meta page flushed,
 * then the promise resolves, so acknowledged means on disk (seen with strace). Without `eventTurnBatching` a failed
 * commit rejects the promise of its batch and no other; with it, a promise that nobody can reach rejects as well, and
 * the process ends (lmdb 3.5.6, kriszyp/lmdb-js#368).
 */
export const LMDB_OPTIONS = {
  encoding: 'binary',
  keyEncoding: 'binary',
  overlappingSync: false,
  eventTurnBatching: false,
} as const;
