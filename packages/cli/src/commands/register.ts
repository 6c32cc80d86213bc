// `rollcall register <service> <ip:port>`

import { keepBeating } from '../beating.js';
import { apiOf, type InstanceOptions, instanceParameters } from '../client-options.js';
import { interruption } from '../interruption.js';
import type { Terminal } from '../terminal.js';

/** Options of the command. */
export interface RegisterOptions extends InstanceOptions {
  readonly weight?: number;
  readonly disabled?: true;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly once?: true;
}

/**
 * Registers an instance. An ephemeral one is kept alive in the foreground until Ctrl-C and deregistered then, except with
 * `--once`.
 */
export async function register(
  service: string,
  address: string,
  options: RegisterOptions,
  terminal: Terminal,
): Promise<void> {
  const api = apiOf(options);
  const target = instanceParameters(service, address, options);
  const { weight, disabled, metadata } = options;
  const content = {
    weight,
    ...(disabled && { enabled: false }),
    ...(metadata !== undefined && { metadata: JSON.stringify(metadata) }),
  };
  const send = async () => void (await api.text('POST', '/v1/ns/instance', { ...target, ...content }));
  const tell = (event: string, text: string) =>
    terminal.print(options.json ? JSON.stringify({ event, service, address }) : text);

  const staysAlone = options.persistent === true;
  const foreground = !staysAlone && !options.once;
  const signal = foreground ? interruption() : undefined;
  await send();
  if (signal === undefined) {
    const life = staysAlone
      ? 'it stays until it is deregistered'
      : 'without beats it is removed after its delete timeout (30 s by default)';
    tell('registered', `Registered ${address} of ${service}; ${life}`);
    return;
  }
  tell('registered', `Registered ${address} of ${service}; beating until Ctrl-C`);
  await keepBeating({ api, target, register: send, signal, note: terminal.note });
  await api.text('DELETE', '/v1/ns/instance', target);
  tell('deregistered', `Deregistered ${address} of ${service}`);
}
