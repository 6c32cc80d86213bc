// `rollcall start`: the server in the foreground until SIGTERM or SIGINT.

import {
  exitCodeOf,
  isLoopback,
  type OpenedLog,
  openLog,
  type RegistryServer,
  startRegistryServer,
} from '@rollcall/server';
import { type ConfigFlags, configOf } from '../config-flags.js';
import { boundHeapGrowth } from '../heap-growth.js';
import { hasColors, type Terminal } from '../terminal.js';

/** What a stop may take beyond the time for requests in flight; a snapshot that is not done by then is in the journal. */
const SAVE_MS_MAX = 1500;

/** Starts the server and resolves when it has stopped. @throws StartError when it cannot start */
export async function start(flags: ConfigFlags, terminal: Terminal): Promise<void> {
  boundHeapGrowth();
  const { config, notices } = configOf(flags);
  const format = formatOf(config.logFormat, terminal);
  const { logger, flush } = await openLog({ level: config.logLevel, format, colors: hasColors(process.stdout) });
  const stopSignal = firstSignal(
    () => {
      logger.log('warn', 'server-stopped-unsaved', {
        message: 'The snapshot was not written in time; the journal has all',
      });
      return flush();
    },
    config.drainMs + config.stopTimeoutMs + SAVE_MS_MAX,
  );
  process.on('uncaughtException', (error) => {
    logger.log('error', 'server-crashed', { error: error.stack ?? String(error) });
    void flush().finally(() => process.exit(exitCodeOf('failed')));
  });
  for (const notice of notices) logger.log('warn', 'config-notice', { notice });
  const server = await startRegistryServer({ config, logger });
  if (format === 'pretty') announce(server, terminal);
  else logStart(server, logger);
  const reason = await Promise.race([stopSignal, server.failure]);
  const isAsked = typeof reason === 'string';
  logger.log(isAsked ? 'info' : 'error', 'server-stopping', isAsked ? { signal: reason } : { message: reason.message });
  if (isAsked && config.drainMs > 0) await server.drain(config.drainMs);
  await server.close();
  logger.log('info', 'server-stopped');
  const isFlushed = await flush();
  if (!isAsked) throw reason;
  // A write for which nobody reads would keep the process alive.
  if (!isFlushed) process.exit(exitCodeOf('ok'));
}

function formatOf(format: 'auto' | 'pretty' | 'json', { isInteractive }: Terminal): 'pretty' | 'json' {
  if (format !== 'auto') return format;
  return isInteractive ? 'pretty' : 'json';
}

/**
 * The first SIGTERM or SIGINT; the second ends the process at once, and so does the time when it is over.
 *
 * @param onTooLate - called before the process ends because it did not stop in time
 */
function firstSignal(onTooLate: () => Promise<unknown>, stopMs: number): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isStopping = false;
    const onSignal = (signal: NodeJS.Signals) => {
      if (isStopping) process.exit(exitCodeOf('interrupted'));
      isStopping = true;
      const exit = () => void onTooLate().finally(() => process.exit(exitCodeOf('ok')));
      setTimeout(exit, stopMs).unref();
      resolve(signal);
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}

function logStart({ facts, address, mode }: RegistryServer, logger: OpenedLog['logger']): void {
  const { urls, dataDirectory, version } = facts;
  const fields = { message: startedText(mode), version, url: urls.join(' '), dataDirectory, try: tryLine(facts) };
  logger.log('info', 'server-started', { ...fields, pid: process.pid });
  if (isLoopback(address.ip)) return;
  logger.log('warn', 'open-to-network', { address: address.ip, port: address.port, message: OPEN_WARNING });
}

// Scripts that start a Nacos server wait for the beginning of this sentence.
function startedText(mode: RegistryServer['mode']): string {
  return `Nacos started successfully in ${mode === 'cluster' ? 'cluster' : 'stand alone'} mode in ${Math.round(performance.now())} ms`;
}

const OPEN_WARNING =
  'Everybody who reaches this address can read and change everything: there is no authentication. ' +
  'Listen on 127.0.0.1, or let a firewall decide who gets here';

function announce({ facts, address, mode }: RegistryServer, { colors, print }: Terminal): void {
  const lines: [string, string][] = [
    ['listening', facts.urls.join('  ')],
    ['data', facts.dataDirectory],
    ['try', tryLine(facts)],
    ['stop', 'Ctrl-C'],
  ];
  print(`\n  ${colors.bold(`Rollcall ${facts.version}`)}  ${colors.dim(startedText(mode))}`);
  for (const [name, text] of lines) print(`  ${colors.dim(name.padEnd(9))}  ${text}`);
  if (!isLoopback(address.ip)) print(`\n  ${colors.red(colors.bold(`WARNING: ${OPEN_WARNING}`))}`);
  print('');
}

function tryLine({ urls, contextPath }: RegistryServer['facts']): string {
  return `curl '${urls[0]}${contextPath}/v1/ns/instance/list?serviceName=demo'`;
}
