// `rollcall watch <service>`

import { setTimeout as sleep } from 'node:timers/promises';
import type { InstancesAnswer } from '@rollcall/server';
import { apiOf, type ServiceOptions, serviceParameters } from '../client-options.js';
import { CommandError } from '../command-error.js';
import { interruption } from '../interruption.js';
import type { ServerApi } from '../server-api.js';
import { instancesText } from '../shown-instances.js';
import { safeText } from '../table.js';
import type { Terminal } from '../terminal.js';

const RECONNECT_MS = 1000;

/** Prints the list of a service at once and after each change, until Ctrl-C. A server that goes away is waited for. */
export async function watch(service: string, options: ServiceOptions, terminal: Terminal): Promise<void> {
  const api = apiOf(options);
  const signal = interruption();
  const parameters = serviceParameters(service, options);
  let seen: string | undefined;
  while (!signal.aborted) {
    try {
      for await (const data of api.events('/rollcall/v1/watch', parameters, signal)) {
        if (data !== seen) show(data, options, terminal);
        seen = data;
      }
    } catch (error) {
      if (signal.aborted) return;
      // Who never reached the server has mistyped its address; who did waits for it to come back.
      const mayComeBack = seen !== undefined && error instanceof CommandError && error.exit !== 'refused';
      if (!mayComeBack) throw error;
    }
    await pause(api, signal, terminal);
  }
}

async function pause(api: ServerApi, signal: AbortSignal, terminal: Terminal): Promise<void> {
  if (signal.aborted) return;
  terminal.note(`Lost ${api.base}, trying again`);
  await sleep(RECONNECT_MS, undefined, { signal }).catch(() => undefined);
}

function show(data: string, { json }: ServiceOptions, terminal: Terminal): void {
  if (json) {
    terminal.print(data);
    return;
  }
  const answer = JSON.parse(data) as InstancesAnswer;
  const { colors } = terminal;
  const name = safeText(`${answer.groupName}@@${answer.serviceName}`);
  const healthy = answer.instances.filter((instance) => instance.healthy).length;
  const state = answer.service === null ? 'no such service' : `${healthy} of ${answer.instances.length} healthy`;
  terminal.print(`${colors.dim(timeText(new Date()))} ${colors.bold(name)}: ${state}`);
  if (answer.instances.length > 0) terminal.print(`${instancesText(answer, terminal, Date.now())}\n`);
}

function timeText(time: Date): string {
  return time.toTimeString().slice(0, 8);
}
