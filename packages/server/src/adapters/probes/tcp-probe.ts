// TCP probe: the target is well when the connection is made; nothing is sent. Source: Nacos 1.4.8 TcpSuperSenseProcessor.

import { connect } from 'node:net';
import type { Timers } from '@rollcall/runtime';
import { outcomeOfError, type ProbeOutcome } from './probe-outcome.js';

/** Where to connect, and for how long to try. */
export interface TcpProbe {
  /** A literal address. */
  readonly ip: string;
  /** 1 to 65535. */
  readonly port: number;
  readonly timeoutMs: number;
}

/** Connects once. Never rejects. */
export function probeTcp({ ip, port, timeoutMs }: TcpProbe, timers: Timers): Promise<ProbeOutcome> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const socket = connect({ host: ip, port });
    const settle = (outcome: ProbeOutcome) => {
      timeout.cancel();
      // Closed, not reset: a reset shows as an error in the logs of many targets.
      socket.destroy();
      resolve(outcome);
    };
    const elapsed = () => performance.now() - startedAt;
    const timeout = timers.once(timeoutMs, () => settle({ type: 'timeout', ms: elapsed() }));
    socket.once('connect', () => settle({ type: 'ok', ms: elapsed() }));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // A reset can only follow a connection that was made: without one the target's system refuses.
      settle(error.code === 'ECONNRESET' ? { type: 'ok', ms: elapsed() } : outcomeOfError(error, elapsed()));
    });
  });
}
