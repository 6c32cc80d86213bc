// `rollcall drain`

import { setTimeout as sleep } from 'node:timers/promises';
import type { DrainAnswer } from '@rollcall/server';
import { apiOf, type ClientOptions } from '../client-options.js';
import { CommandError } from '../command-error.js';
import { interruption } from '../interruption.js';
import { safeText } from '../table.js';
import type { Terminal } from '../terminal.js';

/** Options of the command. */
export interface DrainOptions extends ClientOptions {
  /** Server to go to, `ip:port`. */
  readonly target?: string;
  /** Longest wait, seconds. */
  readonly timeout: number;
  readonly cancel?: true;
}

const PATH = '/rollcall/v1/drain';
const LOOK_MS = 500;

/**
 * Asks all gRPC clients to move and waits until they are gone, showing how many are left.
 *
 * @throws CommandError `failed` when some are still there after the time
 */
export async function drain(options: DrainOptions, terminal: Terminal): Promise<void> {
  const api = apiOf(options);
  if (options.cancel) {
    const answer = await api.json<DrainAnswer>('DELETE', PATH);
    show(answer, options, terminal);
    return;
  }
  const signal = interruption();
  const endsAt = performance.now() + options.timeout * 1000;
  let shown = -1;
  let answer = await api.json<DrainAnswer>('POST', PATH, { target: options.target });
  while (answer.left > 0 && !signal.aborted && performance.now() < endsAt) {
    if (answer.left !== shown) terminal.note(`${answer.left} clients left`);
    shown = answer.left;
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    answer = await api.json<DrainAnswer>('GET', PATH);
  }
  show(answer, options, terminal);
  if (answer.left > 0 && !signal.aborted)
    throw new CommandError(
      'failed',
      `Drain is incomplete: ${answer.left} clients are still connected after ${options.timeout} s; they come back by themselves when the server stops`,
    );
}

function show(answer: DrainAnswer, { json }: DrainOptions, { print }: Terminal): void {
  if (json) {
    print(JSON.stringify(answer));
    return;
  }
  const state = answer.draining ? 'draining: new gRPC clients are sent away' : 'not draining';
  print(`${state}; ${answer.left} gRPC clients connected`);
  for (const { version, count } of answer.clients) print(`  ${count} × ${safeText(version)}`);
}
