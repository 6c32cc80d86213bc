// What a process costs, read from outside in /proc (Linux): CPU time and resident memory. Works for any server on this
// machine, also for one given by URL, whose process is found by its listening socket.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Clock ticks per second of /proc/PID/stat; 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** CPU seconds (user and system, all threads) that a process has used; undefined when it cannot be read. */
export function readCpuSeconds(pid: number): number | undefined {
  try {
    // The command name may hold spaces and brackets: fields are counted behind its last bracket (utime is field 14).
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').pop()?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return undefined; // Not on this system, or the process ended.
  }
}

/**
 * Seconds for which the main thread of a process could run and had no core: what other work on the machine took from it.
 * Undefined when it cannot be read.
 */
export function readWaitedSeconds(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[1]) / 1e9;
  } catch {
    return undefined; // Not on this system, or the process ended.
  }
}

/** Resident memory of a process in bytes; undefined when it cannot be read. */
export function readResidentBytes(pid: number): number | undefined {
  try {
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  } catch {
    return undefined; // Not on this system, or the process ended.
  }
}

/** Process id of the listener on a TCP port of this machine; undefined when there is none that we may look into. */
export function findListenerPid(port: number): number | undefined {
  const inodes = new Set([...listenerInodes('/proc/net/tcp', port), ...listenerInodes('/proc/net/tcp6', port)]);
  if (inodes.size === 0) return undefined;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => holdsSocket(pid, inodes));
}

function listenerInodes(table: string, port: number): string[] {
  const LISTEN = '0A';
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  try {
    return readFileSync(table, 'latin1')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === LISTEN && fields[1]?.endsWith(`:${wanted}`))
      .map((fields) => fields[9] ?? '');
  } catch {
    return []; // Not on this system.
  }
}

function holdsSocket(pid: number, inodes: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((descriptor) => {
      const target = readlinkSync(`/proc/${pid}/fd/${descriptor}`);
      return inodes.has(/^socket:\[(\d+)\]$/.exec(target)?.[1] ?? '');
    });
  } catch {
    return false; // Ended meanwhile, or not ours to look into.
  }
}
