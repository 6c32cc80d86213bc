// Keeps an ephemeral instance alive from the command line: light beats in the rhythm that the server gives, registering
// again when the server no longer knows it.

import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from './command-error.js';
import type { ApiParameters, ServerApi } from './server-api.js';

/** Answer code of a beat for an instance that is not there (Nacos NamingResponseCode.RESOURCE_NOT_FOUND). */
const NOT_FOUND = 20404;
/** Rhythm until the server gives one, and while it is away. */
const DEFAULT_INTERVAL_MS = 5000;
const INTERVAL_MS_MIN = 100;

/** What to keep alive, and how. */
export interface BeatingOptions {
  readonly api: ServerApi;
  /** Names the instance. */
  readonly target: ApiParameters;
  /** Registers it again. */
  readonly register: () => Promise<void>;
  readonly signal: AbortSignal;
  /** Told when the server is lost, and when the instance was registered again. */
  readonly note: (text: string) => void;
}

/** Beats until the signal. @throws CommandError when the server refuses the instance */
export async function keepBeating({ api, target, register, signal, note }: BeatingOptions): Promise<void> {
  let intervalMs = DEFAULT_INTERVAL_MS;
  let isLost = false;
  while (!signal.aborted) {
    try {
      const answer = await api.json<{ code: number; clientBeatInterval: number }>(
        'PUT',
        '/v1/ns/instance/beat',
        target,
      );
      if (answer.code === NOT_FOUND) {
        await register();
        note('The server did not know the instance any more; registered again');
      } else if (isLost) note('The server is back');
      isLost = false;
      intervalMs = Math.max(INTERVAL_MS_MIN, answer.clientBeatInterval);
    } catch (error) {
      if (!(error instanceof CommandError) || error.exit === 'refused') throw error;
      if (!isLost) note(error.message);
      isLost = true;
    }
    await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
  }
}
