// The arguments of `npm run bench`, and its help.
import { parseArgs } from 'node:util';
import type { PeerSource } from './peer-server.js';
import type { Scenario } from './scenario.js';

/** What was asked for. */
export type BenchRequest =
  | { readonly kind: 'help' }
  | { readonly kind: 'list' }
  | {
      readonly kind: 'run';
      readonly scenarios: readonly Scenario[];
      readonly rounds: number | undefined;
      readonly seconds: number | undefined;
      readonly peer: PeerSource | undefined;
      /** File for the report as JSON. */
      readonly jsonFile: string | undefined;
      /** File for the plot. */
      readonly svgFile: string | undefined;
      readonly smoke: boolean;
    };

/** The help text. */
export const BENCH_HELP = `Usage: npm run bench -- <scenario ...> [options]

Drives Rollcall from another process over loopback, beside a baseline that answers the same bytes from a bare TCP
socket, in alternating rounds. Prints medians with their spread, and ratios.

Options:
  --list                 the scenarios, one a line
  --rounds N             rounds per contender (each scenario has its own default)
  --seconds N            length of one round in seconds
  --peer URL             also drive this Nacos-compatible server, for example http://127.0.0.1:8848
  --peer-command TEXT    the same, started by this run; {port} and {dir} stand for a free port and a fresh directory
  --json FILE            also write the report as JSON
  --svg FILE             also draw the figures
  --smoke                all scenarios with tiny amounts: shows that they work, the figures mean nothing
  --help                 this text

Examples:
  npm run bench -- list beat --rounds 5
  npm run bench -- register --peer-command "RNACOS_HTTP_PORT={port} RNACOS_DATA_DIR={dir} rnacos"`;

/**
 * Reads the arguments.
 * @throws Error with one sentence when one is not understood
 */
export function readBenchArguments(args: readonly string[], known: readonly Scenario[]): BenchRequest {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      list: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      peer: { type: 'string' },
      'peer-command': { type: 'string' },
      json: { type: 'string' },
      svg: { type: 'string' },
      smoke: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return { kind: 'help' };
  if (values.list) return { kind: 'list' };
  const scenarios = positionals.length === 0 && values.smoke ? known : positionals.map((name) => find(name, known));
  if (scenarios.length === 0) return { kind: 'help' };
  return {
    kind: 'run',
    scenarios,
    rounds: readPositive('rounds', values.rounds),
    seconds: readPositive('seconds', values.seconds),
    peer: readPeer(values.peer, values['peer-command']),
    jsonFile: values.json,
    svgFile: values.svg,
    smoke: values.smoke,
  };
}

function find(name: string, known: readonly Scenario[]): Scenario {
  const scenario = known.find((candidate) => candidate.name === name);
  if (scenario !== undefined) return scenario;
  const names = known.map((candidate) => candidate.name).join(', ');
  throw new Error(`Cannot run a scenario: found "${name}", allowed are ${names}`);
}

function readPositive(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`Cannot read "--${option}": found "${text}", allowed is a number above 0`);
}

function readPeer(url: string | undefined, commandLine: string | undefined): PeerSource | undefined {
  if (url !== undefined && commandLine !== undefined) {
    throw new Error('Cannot choose a peer: found both "--peer" and "--peer-command", allowed is one of them');
  }
  if (url !== undefined) return { kind: 'url', url };
  return commandLine === undefined ? undefined : { kind: 'command', commandLine };
}
