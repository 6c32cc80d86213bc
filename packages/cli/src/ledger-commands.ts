// The commands that tell where the time went: why, as, history, and the demo that shows it.

import type { Command } from 'commander';
import { addServiceOptions, languageOption } from './client-options.js';
import type { Terminal } from './terminal.js';
import { parseTime } from './time-argument.js';

const AT = 'moment that is asked about: a time, epoch ms, or how long ago such as 5m';

/** Adds them. @param examples - adds examples to the help of a command */
export function addLedgerCommands(
  program: Command,
  terminal: Terminal,
  examples: (command: Command, lines: readonly string[]) => void,
): void {
  const why = program
    .command('why')
    .argument('<service>', 'name, or group@@name')
    .argument('<ip:port>', 'address; IPv6 in brackets')
    .summary('say where each second went until subscribers knew that an instance is gone')
    .description('Say why an instance was still called: each stage from its last sign of life to each subscriber.')
    .option('--subscriber <address>', 'one subscriber: ip:port, connection or ip')
    .option('--at <time>', AT, timeOption)
    .option('--since <time>', 'the first incident from this time on is meant', timeOption)
    .option('-c, --cluster <name>', 'cluster of the instance; any without it')
    .addOption(languageOption())
    .action(async (service, address, options) =>
      (await import('./commands/why.js')).why(service, address, options, terminal),
    );
  examples(addServiceOptions(why), [
    'rollcall why orders 10.0.0.1:8080',
    'rollcall why orders 10.0.0.1:8080 --subscriber 10.0.0.9:54321 --at 10m',
    'rollcall why shop@@orders 10.0.0.1:8080 --lang zh --json',
  ]);
  const as = program
    .command('as')
    .argument('<subscriber>', 'ip:port, connection or ip of a subscriber')
    .argument('<service>', 'name, or group@@name')
    .summary('print the list that a subscriber holds, or held at a moment')
    .description('Print the list that a subscriber holds or held, its version, and how the subscriber got it.')
    .option('--at <time>', AT, timeOption)
    .addOption(languageOption())
    .action(async (subscriber, service, options) =>
      (await import('./commands/as.js')).as(subscriber, service, options, terminal),
    );
  examples(addServiceOptions(as), [
    'rollcall as 10.0.0.9:54321 orders',
    'rollcall as 10.0.0.9:54321 orders --at 2026-01-31T10:00:00Z',
  ]);
  const history = program
    .command('history')
    .argument('<service>', 'name, or group@@name')
    .argument('[ip:port]', 'one instance; all of the service without it')
    .summary('print what happened to a service or an instance')
    .description('Print what happened to a service or one of its instances, oldest first, also after it is gone.')
    .option('-c, --cluster <name>', 'cluster of the instance; any without it')
    .option('-f, --follow', 'go on with what happens, until Ctrl-C')
    .addOption(languageOption())
    .action(async (service, address, options) =>
      (await import('./commands/history.js')).history(service, address, options, terminal),
    );
  examples(addServiceOptions(history), [
    'rollcall history orders',
    'rollcall history orders 10.0.0.1:8080 --follow',
    'rollcall history orders --json | jq .facts',
  ]);
}

/** Adds the demo, and the commands that its processes run. */
export function addDemoCommands(program: Command, terminal: Terminal): void {
  program
    .command('demo')
    .summary('play a crash, a freeze and a clean exit with real processes')
    .description('Start a registry, three providers and two consumers, let some fail, and say where each second went.')
    .addOption(languageOption())
    .addHelpText('after', '\nExamples:\n  $ rollcall demo\n  $ rollcall demo --lang zh')
    .action(async (options) => (await import('./commands/demo.js')).demo(options, terminal));
  program
    .command('demo-provider <server> <service>', { hidden: true })
    .action(async (server, service) => (await import('./demo/provider-process.js')).runProvider(server, service));
  program
    .command('demo-consumer <server> <service>', { hidden: true })
    .action(async (server, service) => (await import('./demo/consumer-process.js')).runConsumer(server, service));
}

function timeOption(text: string): string {
  return String(parseTime(text));
}
