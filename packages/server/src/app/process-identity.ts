// Tells processes apart beyond their id, which the system gives out again: by boot, by process namespace (each container
// has its own), and by the moment at which the process started.

import { readFileSync, readlinkSync } from 'node:fs';

/** Which process it is. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Boot and process namespace within which `pid` means something; empty where the system does not tell. */
  readonly realm: string;
  /** Start of the process in ticks since the boot; empty where the system does not tell. */
  readonly started: string;
}

/** This process. */
export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, realm: ownRealm(), started: startOf(process.pid) };
}

/** Whether the pid of an identity can be looked up from here. */
export function isOfOwnRealm(identity: ProcessIdentity): boolean {
  return identity.realm === ownRealm();
}

/** Whether a process of this realm still runs. */
export function isRunning({ pid, started }: ProcessIdentity): boolean {
  if (started !== '') return startOf(pid) === started;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function ownRealm(): string {
  const boot = read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  return boot === '' ? '' : `${boot}/${read(() => readlinkSync('/proc/self/ns/pid'))}`;
}

// The name of the program, in parentheses, may hold spaces; the start is the 20th field after it (proc(5)).
function startOf(pid: number): string {
  const stat = read(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[19] ?? '';
}

function read(source: () => string): string {
  try {
    return source();
  } catch {
    // Not Linux, or the process is gone.
    return '';
  }
}
