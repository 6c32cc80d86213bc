// One node of a cluster as a process: started in its place of the network, stopped, killed and frozen there.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NamingApi } from '../naming-api.js';
import type { ServerEndpoint } from '../server-endpoint.js';
import { endsWithThisProcess, temporaryFolder } from './exit-cleanup.js';
import type { NodePlace } from './network/cluster-network.js';

const PROGRAM = fileURLToPath(new URL('../../../cli/bin/rollcall.js', import.meta.url));
const FIRST_QUESTION = 'conformance.first.answer';
const POLL_PAUSE_MS = 10;
const POLL_TIMEOUT_MS = 3000;
const READY_TIMEOUT_MS = 45_000;
/** A server promises to end within 5 s. */
const STOP_TIMEOUT_MS = 10_000;
const OUTPUT_CHARS_KEPT = 400_000;

/** What the harness knows of a node: `starting` until its first list, `up` while it should answer. */
export type NodeState = 'down' | 'starting' | 'up' | 'frozen';

/** What all nodes of a cluster are told. */
export interface ClusterPlan {
  readonly places: readonly NodePlace[];
  readonly secret: string;
  /** URL of a store for what must be the same everywhere; undefined for none. */
  readonly store: string | undefined;
}

/** A node. */
export class ClusterNode {
  readonly index: number;
  readonly endpoint: ServerEndpoint;
  readonly #place: NodePlace;
  readonly #plan: ClusterPlan;
  readonly #dataDirectory: string;
  readonly #api: NamingApi;
  #state: NodeState = 'down';
  #child: ChildProcess | undefined;
  #output = '';

  private constructor(index: number, plan: ClusterPlan, dataDirectory: string) {
    const place = plan.places[index] as NodePlace;
    this.index = index;
    this.endpoint = { host: place.host, port: place.port, contextPath: '/nacos' };
    this.#place = place;
    this.#plan = plan;
    this.#dataDirectory = dataDirectory;
    this.#api = new NamingApi(this.endpoint, { answerTimeoutMs: POLL_TIMEOUT_MS });
  }

  /** Makes its data directory; nothing runs yet. @param index - of its place */
  static async create(index: number, plan: ClusterPlan): Promise<ClusterNode> {
    return new ClusterNode(index, plan, await temporaryFolder(`rollcall-cluster-${index}-`));
  }

  get state(): NodeState {
    return this.#state;
  }

  /** The end of what it printed, all starts together. */
  get output(): string {
    return this.#output;
  }

  /**
   * Starts the process and waits for its first list; the time that took is returned in milliseconds.
   * @throws Error when it ends or gives no list, with what it printed
   */
  async start(): Promise<number> {
    const startedAtMs = performance.now();
    const child = this.#spawn();
    this.#state = 'starting';
    while (!(await this.#answers())) {
      const waitedMs = performance.now() - startedAtMs;
      if (isOver(child) || waitedMs > READY_TIMEOUT_MS) {
        throw new Error(`Node ${this.index} gave no list in ${Math.round(waitedMs)} ms; it printed:\n${this.#output}`);
      }
      await sleep(POLL_PAUSE_MS);
    }
    this.#state = 'up';
    return performance.now() - startedAtMs;
  }

  /** Stops it in order (SIGTERM). @throws Error when it has not ended 10 s later */
  async stop(): Promise<void> {
    this.#state = 'down';
    await this.#end('SIGTERM');
  }

  /** Kills it (SIGKILL) and waits until it is gone. */
  async kill(): Promise<void> {
    this.#state = 'down';
    await this.#end('SIGKILL');
  }

  /** Stops it where it is (SIGSTOP): its connections stay open and silent. */
  freeze(): void {
    this.#state = 'frozen';
    this.#child?.kill('SIGSTOP');
  }

  /** Lets it go on (SIGCONT). */
  thaw(): void {
    this.#child?.kill('SIGCONT');
    this.#state = 'up';
  }

  /** Kills it and removes its data. */
  async remove(): Promise<void> {
    await this.kill();
    this.#api.close();
    await rm(this.#dataDirectory, { recursive: true, force: true });
  }

  #spawn(): ChildProcess {
    const { command } = this.#place;
    const [program, ...args] = [...command, process.execPath, PROGRAM, 'start', ...this.#arguments()] as [string];
    const env = { ...process.env, ROLLCALL_CLUSTER_SECRET: this.#plan.secret };
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
    endsWithThisProcess(child);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part: string) => {
        this.#output = (this.#output + part).slice(-OUTPUT_CHARS_KEPT);
      });
    }
    this.#child = child;
    return child;
  }

  #arguments(): readonly string[] {
    const { host, port, clusterPortOffset } = this.#place;
    const members = this.#plan.places.map((place) => `${place.host}:${place.port}`).join();
    const own = ['--host', host, '--port', String(port), '--data-dir', this.#dataDirectory];
    const cluster = ['--members', members, '--cluster-port-offset', String(clusterPortOffset)];
    const store = this.#plan.store === undefined ? [] : ['--store', this.#plan.store];
    return [...own, ...cluster, '--node', `${host}:${port}`, ...store];
  }

  async #end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (child === undefined || isOver(child)) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    const hasEnded = await Promise.race([exited.then(() => true), sleep(STOP_TIMEOUT_MS, false, { ref: false })]);
    if (hasEnded) return;
    child.kill('SIGKILL');
    throw new Error(`Node ${this.index} did not end within ${STOP_TIMEOUT_MS} ms after ${signal}`);
  }

  async #answers(): Promise<boolean> {
    const query = { serviceName: FIRST_QUESTION };
    const call = { method: 'GET', path: '/v1/ns/instance/list', query } as const;
    return this.#api.call(call).then(
      ({ status }) => status === 200,
      () => false,
    );
  }
}

function isOver(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
