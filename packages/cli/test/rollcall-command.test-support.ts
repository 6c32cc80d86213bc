// The built command as a process: run to its end, or kept running and asked later.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../bin/rollcall.js', import.meta.url));
const WAIT_MS_MAX = 20_000;

/** How a command ended. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs. */
export class RunningCommand {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #exited: Promise<unknown>;
  stdout = '';
  stderr = '';

  constructor(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...environment };
    this.#child = spawn(process.execPath, [PROGRAM, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#exited = once(this.#child, 'close');
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
  }

  /** The text that the pattern finds in standard output, now or later. @throws Error when the command ends before or is silent */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    const endAt = Date.now() + WAIT_MS_MAX;
    for (;;) {
      const found = pattern.exec(this.stdout);
      if (found !== null) return found;
      if (this.#child.exitCode !== null || Date.now() > endAt) {
        throw new Error(`"${pattern}" was not printed\n${this.stdout}\n${this.stderr}`);
      }
      await Promise.race([once(this.#child.stdout, 'data'), this.#exited]);
    }
  }

  /** Sends a signal. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Waits for the end. */
  async ended(): Promise<CommandResult> {
    await this.#exited;
    return { code: this.#child.exitCode, stdout: this.stdout, stderr: this.stderr };
  }

  /** Ends the process whatever it does. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await this.#exited;
  }
}

/** Starts commands, and ends what is left of them. */
export class CommandFixture {
  /** A directory of this fixture's own. */
  readonly directory = mkdtempSync(join(tmpdir(), 'rollcall-cli-'));
  readonly #running: RunningCommand[] = [];

  /** Starts a command. */
  spawn(args: readonly string[], environment?: Readonly<Record<string, string>>): RunningCommand {
    const command = new RunningCommand(args, environment);
    this.#running.push(command);
    return command;
  }

  /** Runs a command to its end. */
  run(args: readonly string[], environment?: Readonly<Record<string, string>>): Promise<CommandResult> {
    return this.spawn(args, environment).ended();
  }

  /** Starts a server on a free port. @returns the process and its URL */
  async startServer(...args: readonly string[]): Promise<{ command: RunningCommand; url: string }> {
    const command = this.spawn(['start', '--port', '0', '--data-dir', join(this.directory, 'data'), ...args]);
    const [, url = ''] = await command.printed(/"url":"(http:[^" ]+)/);
    return { command, url };
  }

  /** Ends all commands and removes the directory. */
  async remove(): Promise<void> {
    await Promise.all(this.#running.map((command) => command.kill()));
    rmSync(this.directory, { recursive: true, force: true });
  }
}
