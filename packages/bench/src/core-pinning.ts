// One core each: servers run on core 0, the load generator on core 1, so that neither steals from the other and every
// contender has the same. Needs `taskset` and two cores; without them everything runs unpinned, and the report says so.
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const SERVER_CORE = '0';
const LOAD_CORE = '1';

/** Whether processes can be pinned on this machine. */
export const canPin: boolean = availableParallelism() >= 2 && spawnSync('taskset', ['--version']).status === 0;

/** The command line that runs a server on its core; the command itself where pinning is not possible. */
export function pinnedCommand(command: readonly string[]): readonly string[] {
  return canPin ? ['taskset', '-c', SERVER_CORE, ...command] : command;
}

/** Moves this process, all threads, to the load generator's core. Does nothing where pinning is not possible. */
export function pinLoadGenerator(): void {
  if (canPin) spawnSync('taskset', ['-acp', LOAD_CORE, String(process.pid)]);
}
