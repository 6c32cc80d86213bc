// How far the heap of a server may grow between two full collections. V8 lets it grow to four times what is live on a machine
// with much memory; a registry holds much for long and throws little away, so that most of this would never be used.

import { setFlagsFromString } from 'node:v8';

const FLAG = '--heap-growing-percent';
/** Growth over what is live, in percent; docs/performance.md has what it saves and costs. */
const GROWTH_PERCENT = 75;

/** Bounds the growth, unless the process was started with a bound of its own (`node --heap-growing-percent=N`). V8 reads it at each collection. */
export function boundHeapGrowth(): void {
  if (process.execArgv.some((argument) => argument.startsWith(FLAG))) return;
  setFlagsFromString(`${FLAG}=${GROWTH_PERCENT}`);
}
