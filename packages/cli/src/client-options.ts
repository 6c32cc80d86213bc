// Options that all commands share which talk to a server.

import { type Command, Option } from 'commander';
import { parseAddress } from './instance-address.js';
import { ServerApi } from './server-api.js';

/** Server of a command that names none. */
const DEFAULT_SERVER = 'http://127.0.0.1:8848';

/** The shared options as commander gives them. */
export interface ClientOptions {
  readonly server: string;
  readonly json?: true;
}

/** Options of commands about one service. */
export interface ServiceOptions extends ClientOptions {
  readonly namespace: string;
  readonly group: string;
}

/** Adds `--server` and `--json`. */
export function addClientOptions(command: Command): Command {
  const server = process.env.ROLLCALL_SERVER || DEFAULT_SERVER;
  return command
    .option('-s, --server <url>', 'the server, also from ROLLCALL_SERVER', server)
    .option('--json', 'print JSON for scripts instead of a table');
}

/** Adds the options of {@link addClientOptions} and those of a listing, where `*` means all. */
export function addListingOptions(command: Command): Command {
  return addClientOptions(command)
    .option('-n, --namespace <id>', 'namespace, "*" for all', 'public')
    .option('-g, --group <name>', 'group, "*" for all', '*');
}

/** Adds the options of {@link addClientOptions}, `--namespace` and `--group`. */
export function addServiceOptions(command: Command): Command {
  return addClientOptions(command)
    .option('-n, --namespace <id>', 'namespace', 'public')
    .option('-g, --group <name>', 'group; does not count when the service is given as group@@name', 'DEFAULT_GROUP');
}

/** The server of a command. @throws CommandError `usage` */
export function apiOf({ server }: ClientOptions): ServerApi {
  return new ServerApi(server);
}

/** Parameters that name a service. */
export function serviceParameters(serviceName: string, { namespace, group }: ServiceOptions) {
  return { namespaceId: namespace, groupName: group, serviceName };
}

/** Options of commands about one instance. */
export interface InstanceOptions extends ServiceOptions {
  readonly cluster: string;
  readonly persistent?: true;
}

/** Adds the options of {@link addServiceOptions}, `--cluster` and `--persistent`. */
export function addInstanceOptions(command: Command): Command {
  return addServiceOptions(command)
    .option('-c, --cluster <name>', 'cluster', 'DEFAULT')
    .option('--persistent', 'the instance is persistent: kept until it is removed, without beats');
}

/** Parameters that name an instance. @throws CommandError `usage` when the address cannot be read */
export function instanceParameters(service: string, address: string, options: InstanceOptions) {
  const { ip, port } = parseAddress(address);
  const ephemeral = options.persistent !== true;
  return { ...serviceParameters(service, options), ip, port, clusterName: options.cluster, ephemeral };
}

/** `--lang` of commands that speak more than one language. */
export function languageOption(): Option {
  return new Option('--lang <language>', 'language; by the locale without it').choices(['en', 'zh']);
}
