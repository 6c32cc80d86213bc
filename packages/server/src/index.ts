// Public door of @rollcall/server: starting a registry, and its configuration. The server itself is loaded when it is
// started, so that a command which only wants the option table stays quick.

import type { RegistryServer, ServerOptions } from './app/registry-server.js';

export type { AsAnswer, HistoryAnswer, WhyAnswer } from './adapters/http-own/ledger-answers.js';
export type { MemberLine, MembersAnswer } from './adapters/http-own/member-answers.js';
export type {
  ContentAnswer,
  DrainAnswer,
  InstanceAnswer,
  InstanceLine,
  InstancesAnswer,
  ResetAnswer,
  ServiceLine,
  ServicesAnswer,
  StatusAnswer,
} from './adapters/http-own/own-answers.js';
export { EMBEDDED_STORE } from './adapters/store/etcd/etcd-address.js';
export type { StoreCheck } from './adapters/store/etcd/etcd-check.js';
export { checkStore } from './app/check-store.js';
export {
  type ConfigInput,
  type ConfigSource,
  type LoadedConfig,
  loadConfig,
  sourceText,
} from './app/config.js';
export { type Config, flagOf, OPTION_KEYS, OPTIONS, type OptionKey, variableOf } from './app/config-schema.js';
export { dataDirectoryPath } from './app/data-directory.js';
export { EXIT_CODES, type ExitName, exitCodeOf } from './app/exit-code.js';
export { isLoopback } from './app/listen-address.js';
export { type LogStyle, type OpenedLog, openLog } from './app/log.js';
export type { Option } from './app/option.js';
export type { RegistryServer, ServerOptions } from './app/registry-server.js';

export { StartError } from './app/start-error.js';
export { SERVER_VERSION } from './app/version.js';
export { startRegistryServer };

/** Starts a server, see `RegistryServer`. @throws StartError with a message for the operator */
async function startRegistryServer(options: ServerOptions): Promise<RegistryServer> {
  const server = await import('./app/registry-server.js');
  return server.startRegistryServer(options);
}
