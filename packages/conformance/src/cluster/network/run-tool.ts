// Runs a command of the system to its end.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const TIMEOUT_MS = 10_000;

/**
 * Runs a program, at most 10 s, and returns what it printed.
 * @throws Error with its words and its error output when it fails
 */
export async function runTool(program: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, [...args], { timeout: TIMEOUT_MS });
  return stdout;
}
