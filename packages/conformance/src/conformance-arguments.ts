// The arguments of `npm run conformance`, and its help.
import { parseArgs } from 'node:util';
import type { CrashPlan } from './crash/crash-test.js';
import type { Flow } from './flow.js';
import type { LimitStrength } from './flow-context.js';

/** What was asked for. */
export type ConformanceRequest =
  | { readonly kind: 'help' }
  | { readonly kind: 'list' }
  | { readonly kind: 'crash'; readonly plan: CrashPlan; readonly json: boolean }
  | {
      readonly kind: 'flows';
      readonly flows: readonly Flow[];
      /** Undefined: our own server is started. */
      readonly serverUrl: string | undefined;
      readonly strength: LimitStrength;
      readonly json: boolean;
    };

/** The help text. */
export const CONFORMANCE_HELP = `Usage: npm run conformance -- [options]
       npm run conformance -- crash [--rounds N] [--seed N]
       npm run conformance -- cluster [options]
       npm run conformance -- golden [options]
       npm run conformance -- golden-grpc [options]

Runs flows with published clients and hand-made requests against a Nacos-compatible server, and prints what passed,
failed or was skipped, with the times measured. Without --server it starts Rollcall from this clone.

Options:
  --server URL       the server to look at, for example http://127.0.0.1:8848; "nacos31" starts Nacos 3.1.0, downloaded
                     on demand with mvn and javac
  --flow F02,F11     only these flows
  --client npm,raw   only flows of these clients; without it npm, raw and rust, which need nothing but npm.
                     rollcall and rollcall-http are our own client over gRPC and HTTP;
                     java14, java25, java30, go and python download their SDK when the toolchain is there
  --limits strict    what Rollcall must keep (default), or "real": what real Nacos servers keep
  --list             the flows, one a line
  --json             the results as JSON on standard output, progress on standard error
  --help             this text

crash: kills Rollcall at random points under write load and starts it again on its data, round after round; nothing
that was acknowledged may be missing, nothing that was removed may be back.
  --rounds N         rounds (default 200)
  --seed N           repeats the random choices of another run

cluster: starts three nodes, kills, freezes, cuts off and restarts them, and tells what clients saw; "cluster --help".

golden, golden-grpc: replay recorded requests and compare the answers; "golden --help" names the options.

Exit code: 0 all passed or skipped, 1 something failed, 2 the arguments were not understood.`;

const CRASH_ROUNDS = 200;
const SEED_MAX = 2 ** 31;
/** What every run has; the others need toolchains and downloads. */
const NPM_CLIENTS: ReadonlySet<string> = new Set(['npm', 'raw', 'rust']);

/**
 * Reads the arguments.
 * @throws Error with one sentence when one is not understood
 */
export function readConformanceArguments(args: readonly string[], known: readonly Flow[]): ConformanceRequest {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      server: { type: 'string' },
      flow: { type: 'string' },
      client: { type: 'string' },
      limits: { type: 'string', default: 'strict' },
      list: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seed: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return { kind: 'help' };
  if (values.list) return { kind: 'list' };
  const [command, ...rest] = positionals;
  if (rest.length > 0 || (command !== undefined && command !== 'crash')) {
    throw new Error(`Cannot run a command: found "${positionals.join(' ')}", allowed is "crash" or none`);
  }
  if (command === 'crash') {
    const rounds = readWholeNumber('rounds', values.rounds) ?? CRASH_ROUNDS;
    const seed = readWholeNumber('seed', values.seed) ?? Math.floor(Math.random() * SEED_MAX);
    return { kind: 'crash', plan: { rounds, seed }, json: values.json };
  }
  return {
    kind: 'flows',
    flows: chooseFlows(known, values.flow, values.client),
    serverUrl: values.server,
    strength: readStrength(values.limits),
    json: values.json,
  };
}

function chooseFlows(known: readonly Flow[], ids: string | undefined, clients: string | undefined): readonly Flow[] {
  const wantedIds = readNames('flow', ids, new Set(known.map(({ id }) => id)));
  const wantedClients = readNames('client', clients, new Set(known.map(({ client }) => client))) ?? NPM_CLIENTS;
  return known.filter(({ id, client }) => (wantedIds?.has(id) ?? true) && wantedClients.has(client));
}

function readNames(option: string, text: string | undefined, allowed: ReadonlySet<string>): Set<string> | undefined {
  if (text === undefined) return undefined;
  const names = text.split(',');
  const unknown = names.find((name) => !allowed.has(name));
  if (unknown === undefined) return new Set(names);
  throw new Error(`Cannot read "--${option}": found "${unknown}", allowed are ${[...allowed].join(', ')}`);
}

function readStrength(text: string): LimitStrength {
  if (text === 'strict' || text === 'real') return text;
  throw new Error(`Cannot read "--limits": found "${text}", allowed are strict, real`);
}

function readWholeNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new Error(`Cannot read "--${option}": found "${text}", allowed is a whole number`);
}
