// Public door of @rollcall/cli: the program, for tools that document or complete it. Running it is main.ts.

export { rollcallProgram } from './program.js';
export { processTerminal, type Terminal } from './terminal.js';
