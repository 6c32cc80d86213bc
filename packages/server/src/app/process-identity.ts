// Which process this is, so that another one can tell later whether it still runs. A pid alone is not enough: it is used
// again, and in another container it means another process.

import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process, as far as the system tells. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Start of the process in clock ticks since the system's; empty where the system does not tell. */
  readonly startTicks: string;
  /** What the pid means something in: this start of the system and this container; empty where the system does not tell. */
  readonly pidScope: string;
}

/** `elsewhere`: it belongs to another container, machine or start of the system, which cannot be asked. */
export type Liveness = 'alive' | 'dead' | 'elsewhere';

/** The running process. */
export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, host: hostname(), startTicks: startTicksOf(process.pid) ?? '', pidScope: pidScope() };
}

/** Whether a process runs, judged by another process with the identity `observer`. */
export function livenessOf(owner: ProcessIdentity, observer: ProcessIdentity): Liveness {
  if (owner.pidScope !== observer.pidScope || (owner.pidScope === '' && owner.host !== observer.host))
    return 'elsewhere';
  if (owner.startTicks !== '') return startTicksOf(owner.pid) === owner.startTicks ? 'alive' : 'dead';
  return isRunning(owner.pid) ? 'alive' : 'dead';
}

/** Source: proc(5), /proc/pid/stat: after the name in parentheses come the state (field 3) and, as field 22, the start. */
function startTicksOf(pid: number): string | undefined {
  const stat = readSystem(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie has ended: it only waits for its parent to look.
  return fields?.[0] === 'Z' || fields?.[0] === 'X' ? undefined : fields?.[19];
}

function pidScope(): string {
  const boot = readSystem(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim());
  const namespace = readSystem(() => readlinkSync('/proc/self/ns/pid'));
  return boot === undefined || namespace === undefined ? '' : `${boot} ${namespace}`;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readSystem(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
