// The timers of Node.js.

import type { TimerHandle, Timers } from '../timers.js';

/** Longest delay that Node.js takes; it fires at once for longer ones. */
const LONGEST_MS = 2 ** 31 - 1;

/** Timers of this process. A pending one keeps the process alive. */
export const nodeTimers: Timers = {
  once(delayMs, callback): TimerHandle {
    const timer = setTimeout(callback, Math.min(delayMs, LONGEST_MS));
    return { cancel: () => clearTimeout(timer) };
  },
  every(intervalMs, callback): TimerHandle {
    const timer = setInterval(callback, intervalMs);
    return { cancel: () => clearInterval(timer) };
  },
};

/** Timers of this process that let it end while they are pending: for a library inside somebody else's program. */
export const backgroundTimers: Timers = {
  once(delayMs, callback): TimerHandle {
    const timer = setTimeout(callback, Math.min(delayMs, LONGEST_MS)).unref();
    return { cancel: () => clearTimeout(timer) };
  },
  every(intervalMs, callback): TimerHandle {
    const timer = setInterval(callback, intervalMs).unref();
    return { cancel: () => clearInterval(timer) };
  },
};
