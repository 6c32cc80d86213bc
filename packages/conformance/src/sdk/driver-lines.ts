// How the process of an SDK talks with the judge: a call per line on its input, an answer, a refusal or an event per line on its output.

import { createInterface } from 'node:readline';
import type { ListedHost } from '../naming-api.js';
import type { SdkCall, SdkReport } from './sdk-message.js';

/** Writes a line to the judge. */
export function report(message: SdkReport): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

/** Performs each call that comes and reports what came of it; ends the process when the judge has gone. */
export function serveCalls(perform: (call: SdkCall) => Promise<ListedHost[] | undefined>): void {
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const call = JSON.parse(line) as SdkCall;
      perform(call).then(
        (hosts) => report({ kind: 'answer', id: call.id, ...(hosts !== undefined && { hosts }) }),
        (error: unknown) => report({ kind: 'refusal', id: call.id, message: String(error) }),
      );
    })
    .once('close', () => process.exit());
  report({ kind: 'ready' });
}
