// The commands, their arguments, options and help. What a command does is loaded when it runs.

import { SERVER_VERSION } from '@rollcall/server';
import { Command, Option } from 'commander';
import {
  addClientOptions,
  addInstanceOptions,
  addListingOptions,
  addServiceOptions,
  languageOption,
} from './client-options.js';
import { addConfigFlags } from './config-flags.js';
import { addDemoCommands, addLedgerCommands } from './ledger-commands.js';
import { collectKey, collectMetadata } from './metadata-argument.js';
import { parseSeconds } from './seconds-argument.js';
import type { Terminal } from './terminal.js';
import { parseWeight } from './weight-argument.js';

const EXAMPLES = `
Examples:
  $ rollcall start                                  a registry on 127.0.0.1:8848
  $ rollcall register orders 10.0.0.1:8080          an instance, alive until Ctrl-C
  $ rollcall services                               what is registered
  $ rollcall instances orders                       its instances and their health
  $ rollcall edit orders 10.0.0.1:8080 --weight 5   more calls for one of them
  $ rollcall watch orders                           follow every change
  $ rollcall why orders 10.0.0.1:8080               where each second went

Exit codes: 0 done, 1 failed, 2 usage, 3 no server reached, 4 refused by the server; docs/errors.md has all.`;

/** The program, ready to parse. Errors of parsing are thrown, not exited with. */
export function rollcallProgram(terminal: Terminal): Command {
  const program = new Command('rollcall')
    .description('A service registry that speaks the Nacos naming protocols')
    .version(SERVER_VERSION, '-V, --version', 'print the version')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', EXAMPLES)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'rollcall: ')) });
  addServerCommands(program, terminal);
  addReadingCommands(program, terminal);
  addMembersCommand(program, terminal);
  addLedgerCommands(program, terminal, examples);
  addChangingCommands(program, terminal);
  addDemoCommands(program, terminal);
  addDrainCommand(program, terminal);
  addStoreCommands(program, terminal);
  return program;
}

function addServerCommands(program: Command, terminal: Terminal): void {
  const start = program
    .command('start')
    .summary('run a registry in the foreground')
    .description('Run a registry in the foreground until Ctrl-C or SIGTERM.')
    .action(async (flags) => (await import('./commands/start.js')).start(flags, terminal));
  addConfigFlags(start);
  examples(start, ['rollcall start --port 9000', 'ROLLCALL_LOG_LEVEL=warn rollcall start --data-dir ./data']);
  const config = program
    .command('config')
    .summary('print the configuration and where each value comes from')
    .description('Print the value of every option in force and its source: flag, environment, file or default.')
    .option('--json', 'print JSON for scripts instead of a table')
    .action(async (flags) => (await import('./commands/config.js')).config(flags, terminal));
  addConfigFlags(config);
  examples(config, ['rollcall config --port 9000', 'ROLLCALL_CONFIG=rollcall.json rollcall config --json']);
}

function addReadingCommands(program: Command, terminal: Terminal): void {
  const status = program
    .command('status')
    .summary('print what runs and what it holds')
    .description('Print what runs and what it holds.')
    .action(async (options) => (await import('./commands/status.js')).status(options, terminal));
  examples(addClientOptions(status), ['rollcall status', 'rollcall status --server http://10.0.0.5:8848 --json']);
  const services = program
    .command('services')
    .summary('list services with their counts')
    .description('List services with their counts.')
    .action(async (options) => (await import('./commands/services.js')).services(options, terminal));
  examples(addListingOptions(services), ['rollcall services', "rollcall services --namespace '*' --json"]);
  const instances = program
    .command('instances')
    .argument('<service>', 'name, or group@@name')
    .summary('list all instances of a service, disabled and unhealthy ones too')
    .description('List all instances of a service, disabled and unhealthy ones too.')
    .action(async (service, options) =>
      (await import('./commands/instances.js')).instances(service, options, terminal),
    );
  examples(addServiceOptions(instances), ['rollcall instances orders', 'rollcall instances shop@@orders --json']);
  const watch = program
    .command('watch')
    .argument('<service>', 'name, or group@@name')
    .summary('print the instances of a service now and after each change')
    .description('Print the instances of a service now and after each change, until Ctrl-C.')
    .action(async (service, options) => (await import('./commands/watch.js')).watch(service, options, terminal));
  examples(addServiceOptions(watch), ['rollcall watch orders', 'rollcall watch orders --json | jq .instances']);
}

function addMembersCommand(program: Command, terminal: Terminal): void {
  const members = program
    .command('members')
    .summary('list the nodes of the cluster as one of them sees them')
    .description(
      'List the nodes of the cluster as the asked one sees them: state, time since something came from each, changes ' +
        'that it has not acknowledged yet (lag), and whether it holds the same records.',
    )
    .addOption(languageOption())
    .action(async (options) => (await import('./commands/members.js')).members(options, terminal));
  examples(addClientOptions(members), ['rollcall members', 'rollcall members --server http://10.0.0.2:8848 --json']);
}

function addChangingCommands(program: Command, terminal: Terminal): void {
  const register = instanceCommand(program, 'register')
    .summary('register an instance and keep it alive until Ctrl-C')
    .description('Register an instance. An ephemeral one is kept alive by beats until Ctrl-C, then deregistered.')
    .option('-w, --weight <number>', 'share of calls, 0 to 10000 (default: 1)', parseWeight)
    .option('--disabled', 'registered, but not listed')
    .option('-m, --metadata <key=value>', 'one entry of metadata; may be repeated', collectMetadata)
    .option('--once', 'register only: no beats, no deregistration')
    .action(async (service, address, options) =>
      (await import('./commands/register.js')).register(service, address, options, terminal),
    );
  examples(addInstanceOptions(register), [
    'rollcall register orders 10.0.0.1:8080 --metadata version=2 --weight 0.5',
    'rollcall register orders 10.0.0.1:8080 --persistent',
  ]);
  const deregister = instanceCommand(program, 'deregister')
    .summary('end a registration, and say who still holds the instance')
    .description('End a registration, and say who still holds the instance.')
    .action(async (service, address, options) =>
      (await import('./commands/deregister.js')).deregister(service, address, options, terminal),
    );
  examples(addInstanceOptions(deregister), ['rollcall deregister orders 10.0.0.1:8080']);
  const edit = instanceCommand(program, 'edit')
    .summary('set weight, enabled or metadata over what the client registered')
    .description(
      'Lay weight, enabled or metadata over what the client registered. Edits survive beats, registrations and restarts, ' +
        'until --reset, or until the instance has been gone for a while.',
    )
    .option('-w, --weight <number>', 'share of calls, 0 to 10000', parseWeight)
    .addOption(new Option('-e, --enabled <boolean>', 'whether it is listed').choices(['true', 'false']))
    .option(
      '-m, --metadata <key=value>',
      'set one entry of metadata; may be repeated, other entries stay',
      collectMetadata,
    )
    .option('--remove-metadata <key>', 'remove one entry until the next registration; may be repeated', collectKey)
    .option('--reset', 'take all edits back first')
    .action(async (service, address, options) =>
      (await import('./commands/edit.js')).edit(service, address, options, terminal),
    );
  examples(addServiceOptions(edit).option('-c, --cluster <name>', 'cluster', 'DEFAULT'), [
    'rollcall edit orders 10.0.0.1:8080 --enabled false',
    'rollcall edit orders 10.0.0.1:8080 --metadata color=blue --weight 5',
    'rollcall edit orders 10.0.0.1:8080 --reset',
  ]);
}

function addDrainCommand(program: Command, terminal: Terminal): void {
  const drain = program
    .command('drain')
    .summary('move gRPC clients to other servers')
    .description(
      'Ask all gRPC clients to move to another server of their list, send new ones away, and wait until all are gone. ' +
        'Goes on until --cancel or a restart. Clients of HTTP look for another server when this one stops.',
    )
    .option('--target <ip:port>', 'main address of the server to go to; it must be in the list of the clients')
    .option('--timeout <seconds>', 'longest wait', parseSeconds, 30)
    .option('--cancel', 'end the drain: clients are welcome again')
    .action(async (options) => (await import('./commands/drain.js')).drain(options, terminal));
  examples(addClientOptions(drain), ['rollcall drain', 'rollcall drain --timeout 120 --target 10.0.0.2:8848']);
}

function addStoreCommands(program: Command, terminal: Terminal): void {
  const store = program
    .command('store')
    .summary('look at the store that nodes share')
    .description('Look at the store.');
  const check = store
    .command('check')
    .summary('say what is wrong with the store that nodes share')
    .description(
      'Ask each member of the etcd that --store (or ROLLCALL_STORE, or the file) names, make a write, watch it, read all ' +
        'records, and say in words what is wrong. Works without a server.',
    )
    .option('--json', 'print JSON for scripts instead of a table')
    .action(async (flags) => (await import('./commands/store-check.js')).storeCheck(flags, terminal));
  addConfigFlags(check);
  examples(check, ['rollcall store check --store etcd://10.0.0.1:2379,10.0.0.2:2379,10.0.0.3:2379']);
}

function instanceCommand(program: Command, name: string): Command {
  return program
    .command(name)
    .argument('<service>', 'name, or group@@name')
    .argument('<ip:port>', 'address; IPv6 in brackets');
}

function examples(command: Command, lines: readonly string[]): void {
  command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`);
}
