// Public door of @rollcall/runtime. Ports to the world (clock, timers, logger) and their implementation on this machine.
// The ones for tests are behind the second door, `@rollcall/runtime/testing`.

export * from './logger.js';
export * from './system/node-timers.js';
export * from './system/system-clock.js';
export * from './time.js';
export * from './timers.js';
