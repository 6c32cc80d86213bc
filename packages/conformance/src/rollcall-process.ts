// Our server as a process, started by the same command as a user's.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort, ServerProcess } from './server-process.js';

const PROGRAM = fileURLToPath(new URL('../../cli/bin/rollcall.js', import.meta.url));
const START_TIMEOUT_MS = 30_000;

/** Rollcall that can be started, stopped and killed. */
export class RollcallProcess extends ServerProcess {
  /** Chooses a port and a data directory; nothing runs yet. @param host - loopback address to listen on */
  static async create(host = '127.0.0.1'): Promise<RollcallProcess> {
    const dataDirectory = await mkdtemp(path.join(tmpdir(), 'rollcall-conformance-'));
    const port = await findFreePort();
    const where = ['--host', host, '--port', String(port), '--data-dir', dataDirectory];
    const program = { command: process.execPath, args: [PROGRAM, 'start', ...where], startTimeoutMs: START_TIMEOUT_MS };
    return new RollcallProcess({ host, port, contextPath: '/nacos' }, dataDirectory, program);
  }
}
