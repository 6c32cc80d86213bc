// What a figure was measured on: without it a figure says nothing.
import { cpus, loadavg, totalmem } from 'node:os';
import { canPin } from './core-pinning.js';

/** The machine and its load when the run began. */
export interface MachineShape {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGib: number;
  readonly node: string;
  /** Load average of the last minute before the run. */
  readonly loadBefore: number;
  /** Servers on one core, the load generator on another. */
  readonly pinned: boolean;
}

/** Reads the shape of this machine now. */
export function readMachineShape(): MachineShape {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    loadBefore: Math.round((loadavg()[0] ?? 0) * 100) / 100,
    pinned: canPin,
  };
}
