// Runs the rollcall command: parses, runs, and turns what went wrong into one message and one exit code.

import { type ExitName, exitCodeOf, StartError } from '@rollcall/server';
import { CommanderError } from 'commander';
import pc from 'picocolors';
import { CommandError } from './command-error.js';
import { rollcallProgram } from './program.js';
import { hasColors, processTerminal } from './terminal.js';

const [, , command] = process.argv;

// `rollcall services | head` closes our output early. A server goes on without it; everything else is done then.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  if (command !== 'start') process.exit(exitCodeOf('ok'));
});

rollcallProgram(processTerminal())
  .parseAsync(process.argv)
  .catch((error: unknown) => {
    process.exitCode = exitCodeOf(report(error));
  });

/** Says what went wrong, unless commander has said it. @returns the exit code by name */
function report(error: unknown): ExitName {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 'ok' : 'usage';
  const { red } = pc.createColors(hasColors(process.stderr));
  if (error instanceof StartError || error instanceof CommandError) {
    console.error(`${red('rollcall:')} ${error.message}`);
    return error.exit;
  }
  console.error(`${red('rollcall: internal error:')} ${error instanceof Error ? error.stack : String(error)}`);
  return 'failed';
}
