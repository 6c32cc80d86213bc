// Makes one probe: finds the address, asks the rule, connects. The only part of probing that touches the network.

import { isIP } from 'node:net';
import { withoutBrackets } from '@rollcall/protocol';
import type { Clock, Timers } from '@rollcall/runtime';
import { HostLookup } from './host-lookup.js';
import { probeHttp } from './http-probe.js';
import { probeMysql } from './mysql-probe.js';
import { outcomeOfError, type ProbeOutcome } from './probe-outcome.js';
import type { ProbePlan } from './probe-plan.js';
import { probeAddress } from './probe-target-rule.js';
import { probeTcp } from './tcp-probe.js';

/** Time for a connection, or for an HTTP answer, ms (1.4.8). */
const TIMEOUT_MS = 500;
/** Time for connecting, logging in and one statement, ms. */
const MYSQL_TIMEOUT_MS = 1500;
/** A time-out noticed this much late tells of this process, which was busy or suspended, not of the target. */
const LATE_MS = 250;

/** Makes a probe. Never rejects. @param host - address or name of the instance */
export type Prober = (host: string, plan: ProbePlan) => Promise<ProbeOutcome>;

/** The address to connect to, or the outcome when there is none. */
type Located = { readonly ip: string } | { readonly outcome: ProbeOutcome };

/** Makes the prober that connects. */
export function networkProber({ clock, timers }: { readonly clock: Clock; readonly timers: Timers }): Prober {
  const names = new HostLookup(clock);
  return async (host, plan) => {
    if (plan.port < 1 || plan.port > 65_535) return notProbed(`port ${plan.port} cannot be connected to`);
    const bare = withoutBrackets(host);
    const located = isIP(bare) === 0 ? await locate(bare, names, timers) : allowed([bare]);
    if ('outcome' in located) return located.outcome;
    const timeoutMs = plan.checker.type === 'MYSQL' ? MYSQL_TIMEOUT_MS : TIMEOUT_MS;
    const outcome = await ask(located.ip, plan, timeoutMs, timers);
    const late = outcome.type === 'timeout' && outcome.ms > timeoutMs + LATE_MS;
    return late ? notProbed('this process was too busy') : outcome;
  };
}

function ask(ip: string, { checker, port }: ProbePlan, timeoutMs: number, timers: Timers): Promise<ProbeOutcome> {
  switch (checker.type) {
    case 'TCP':
      return probeTcp({ ip, port, timeoutMs }, timers);
    case 'HTTP':
      return probeHttp({ ip, port, checker, timeoutMs }, timers);
    case 'MYSQL':
      return probeMysql({ ip, port, checker, timeoutMs }, timers);
  }
}

function locate(name: string, names: HostLookup, timers: Timers): Promise<Located> {
  return new Promise((resolve) => {
    const timeout = timers.once(TIMEOUT_MS, () => resolve({ outcome: notProbed('name is not resolved yet') }));
    const settle = (located: Located) => {
      timeout.cancel();
      resolve(located);
    };
    names.find(name).then(
      (addresses) => settle(allowed(addresses)),
      (error: unknown) => settle({ outcome: outcomeOfError(error, 0) }),
    );
  });
}

// A name that also has an address which is not allowed is not trusted at all.
function allowed(addresses: readonly string[]): Located {
  const [ip, ...others] = addresses.map(probeAddress);
  if (ip === undefined || others.includes(undefined)) return { outcome: notProbed('address is not allowed') };
  return { ip };
}

function notProbed(detail: string): ProbeOutcome {
  return { type: 'not-probed', ms: 0, detail };
}
