// Door for tests of @rollcall/runtime: time that moves only when a test says so, and a log that a test can read.

export * from './manual-clock.js';
export * from './manual-timers.js';
export * from './recording-logger.js';
