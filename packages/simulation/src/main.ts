// `npm run simulate`: runs histories, prints how many per second, and for each that breaks a promise its seed and the
// shortest failing prefix as a story. Exit code 0 when nothing broke, 1 when something did, 2 for arguments that make no
// sense.

import { Worker } from 'node:worker_threads';
import type { HistoryShare } from './history-share.js';
import type { JudgedHistory } from './judged-history.js';
import { SCENARIOS } from './scenarios/all-scenarios.js';
import { readSimulationArguments, SIMULATION_HELP, type SimulationRequest } from './simulation-arguments.js';

/** After so many failures the rest would only be more of the same. */
const FAILURES_MAX = 5;
const PROGRESS_MS = 10_000;

type RunRequest = Extract<SimulationRequest, { kind: 'run' }>;

function main(args: readonly string[]): void {
  const request = readSimulationArguments(args, SCENARIOS, Date.now() % 2 ** 32);
  switch (request.kind) {
    case 'help':
      console.log(SIMULATION_HELP);
      break;
    case 'list':
      for (const { name, title } of SCENARIOS) console.log(`${name.padEnd(5)} ${title}`);
      break;
    case 'refused':
      console.error(`${request.reason}\n\n${SIMULATION_HELP}`);
      process.exitCode = 2;
      break;
    case 'run':
      new Batch(request).start();
  }
}

/** A batch of histories on its threads. */
class Batch {
  readonly #request: RunRequest;
  readonly #startedAt = Date.now();
  readonly #threads = new Set<Worker>();
  #progressAt = this.#startedAt;
  #done = 0;
  #failures = 0;
  #virtualMs = 0;
  #steps = 0;

  constructor(request: RunRequest) {
    this.#request = request;
  }

  start(): void {
    const { runs, secondsMax, seed, scenarios, told, threads } = this.#request;
    console.log(`${runs} histories from seed ${seed}`);
    const scenarioNames = scenarios.map(({ name }) => name);
    const endsAt = this.#startedAt + secondsMax * 1000;
    const share = { threads, runs, seed, scenarioNames, told, endsAt };
    for (let first = 0; first < threads; first += 1) this.#run({ ...share, first });
  }

  #run(share: HistoryShare): void {
    const thread = new Worker(new URL('./history-thread.js', import.meta.url), { workerData: share });
    this.#threads.add(thread);
    thread.on('message', (judged: JudgedHistory) => this.#take(judged));
    thread.on('error', (error) => {
      console.error(error);
      process.exitCode = 1;
      this.#stop();
    });
    thread.on('exit', () => {
      this.#threads.delete(thread);
      if (this.#threads.size === 0) this.#tellEnd();
    });
  }

  #take({ failed, virtualMs, steps, lines }: JudgedHistory): void {
    this.#done += 1;
    this.#virtualMs += virtualMs;
    this.#steps += steps;
    if (lines.length > 0) console.log(lines.join('\n'));
    if (failed) {
      this.#failures += 1;
      process.exitCode = 1;
    }
    if (this.#failures >= FAILURES_MAX) this.#stop();
    if (Date.now() - this.#progressAt < PROGRESS_MS) return;
    this.#progressAt = Date.now();
    const { runs } = this.#request;
    console.log(`${this.#done} of ${runs} histories, ${this.#failures} violations, ${this.#perSecond()} histories/s`);
  }

  #stop(): void {
    for (const thread of this.#threads) void thread.terminate();
  }

  #tellEnd(): void {
    const seconds = ((Date.now() - this.#startedAt) / 1000).toFixed(1);
    const hours = (this.#virtualMs / 3_600_000).toFixed(1);
    console.log(
      `${this.#done} histories in ${seconds} s (${this.#perSecond()}/s), ${hours} virtual hours, ${this.#steps} steps, ${this.#failures} violations`,
    );
  }

  #perSecond(): string {
    return (this.#done / Math.max(0.001, (Date.now() - this.#startedAt) / 1000)).toFixed(1);
  }
}

main(process.argv.slice(2));
