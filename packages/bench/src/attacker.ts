// The abusing side of `grpc-abuse`, as a process of its own: in the one that measures, its work would be taken for the
// server's. It gives way to that one, since both have one core. Ends with its parent.
import { setPriority } from 'node:os';
import type { Endpoint } from './endpoint.js';
import { HTTP2_ATTACKS, Http2AttackRun } from './http2-attack.js';

/** What the attacker is told, and what it answers. */
export type AttackOrder =
  | { readonly order: 'attack'; readonly name: string; readonly endpoint: Endpoint }
  | { readonly order: 'stop' };

/** Lower than that of others. */
const NICENESS = 10;

setPriority(NICENESS);
let run: Http2AttackRun | undefined;

process.on('message', (message: AttackOrder) => {
  if (message.order === 'attack') {
    const attack = HTTP2_ATTACKS.find(({ name }) => name === message.name);
    run = attack === undefined ? undefined : new Http2AttackRun(message.endpoint, attack);
    return;
  }
  run?.stop();
  process.send?.({ closed: run?.closed ?? 0 });
});
process.once('disconnect', () => process.exit());
process.send?.({ ready: true });
