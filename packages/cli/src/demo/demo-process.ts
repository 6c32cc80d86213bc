// A child process of the demo: this very command with other arguments, and what it tells.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** What providers and consumers tell. */
export type DemoMessage =
  | { readonly type: 'serving'; readonly port: number }
  | { readonly type: 'left'; readonly told: string }
  | { readonly type: 'subscribed'; readonly udpPort: number }
  | { readonly type: 'list'; readonly by: 'push'; readonly ports: readonly number[] }
  | { readonly type: 'lost' }
  | { readonly type: 'failed'; readonly port: number };

/** One process. */
export class DemoProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #listeners = new Set<(message: DemoMessage) => void>();
  /** The first message of each type. */
  readonly #told = new Map<DemoMessage['type'], DemoMessage>();
  #output = '';

  /** @param args - of the command */
  constructor(args: readonly string[]) {
    const [, program = ''] = process.argv;
    this.#child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    this.#exited = once(this.#child, 'exit');
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
    });
    this.onMessage((message) => {
      if (!this.#told.has(message.type)) this.#told.set(message.type, message);
    });
    this.#child.on('message', (message) => {
      for (const listener of this.#listeners) listener(message as DemoMessage);
    });
  }

  /** Follows what it tells. */
  onMessage(listener: (message: DemoMessage) => void): void {
    this.#listeners.add(listener);
  }

  /** The first message of a type, also when it came already. @throws Error when the process ends before */
  async told<T extends DemoMessage['type']>(type: T): Promise<Extract<DemoMessage, { type: T }>> {
    const told = this.#told.get(type);
    if (told !== undefined) return told as Extract<DemoMessage, { type: T }>;
    const message = new Promise<Extract<DemoMessage, { type: T }>>((resolve) => {
      this.onMessage((each) => each.type === type && resolve(each as Extract<DemoMessage, { type: T }>));
    });
    const ended = this.#exited.then(() => Promise.reject(new Error(`A process of the demo ended before "${type}"`)));
    return Promise.race([message, ended]);
  }

  /** What a pattern finds in its output, now or soon. @throws Error when the process ends before */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.#output);
      if (found !== null) return found;
      if (this.#child.exitCode !== null) throw new Error(`A process of the demo ended early: ${this.#output}`);
      await Promise.race([once(this.#child.stdout as NodeJS.ReadableStream, 'data'), this.#exited]);
    }
  }

  /** Tells it something. */
  tell(message: 'lose-next'): void {
    this.#child.send(message);
  }

  /** Sends a signal. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Ends it whatever it does, and waits for that. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await this.#exited;
  }
}
