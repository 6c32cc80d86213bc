// Scenario `grpc-reconnect`: the server restarts under 5,000 gRPC clients, each with an instance and a subscription. All come
// back at once and publish and subscribe again; meanwhile the lists, asked for and pushed, must not become shorter.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Endpoint } from '../endpoint.js';
import { GrpcSubscriber, instanceMessage, openSubscribers } from '../grpc-subscriber.js';
import { readCpuSeconds } from '../process-figures.js';
import { startRollcall } from '../rollcall-server.js';
import type { FigureRow } from '../round-table.js';
import type { BenchSetting, Scenario } from '../scenario.js';
import { spreadOf } from '../spread.js';

const SERVICES = 50;
/** Between two looks at a list over HTTP. */
const LOOK_MS = 20;
/** After everybody is back: the grace period of the restart ends at 30 s, and pushes come as well. */
const SETTLE_MS = 2000;
/** Clients that reconnect at a time: as many as the server may have waiting to be accepted. */
const TOGETHER = 4000;

/** Everybody comes back at once. */
export const grpcReconnectScenario: Scenario = {
  name: 'grpc-reconnect',
  title: 'Restart under 5,000 gRPC clients: time until all have registered and subscribed again, lists meanwhile',
  defaults: { rounds: 3, seconds: 1 },
  run: async (setting) => {
    const rounds: Round[] = [];
    for (let round = 0; round < setting.rounds; round++) rounds.push(await runRound(setting));
    const row = (figure: string, unit: string, of: (round: Round) => number): FigureRow => ({
      figure: `reconnect, ${figure}`,
      contender: 'rollcall',
      unit,
      value: spreadOf(rounds.map(of)),
    });
    const failures = rounds.flatMap(({ shortLists, firstShort }) =>
      shortLists === 0 ? [] : [`${shortLists} lists were shorter than before the restart, first: ${firstShort}`],
    );
    const rows = [
      row('all redone after the first answer', 'ms', ({ redoneMs }) => redoneMs),
      row('CPU of the server until then, its start included', 'ms', ({ cpuMs }) => cpuMs),
      row('lists looked at', '', ({ lists }) => lists),
      row('shortened lists', '', ({ shortLists }) => shortLists),
    ];
    return { rows, failures };
  },
};

interface Round {
  readonly redoneMs: number;
  readonly cpuMs: number;
  readonly lists: number;
  readonly shortLists: number;
  readonly firstShort: string;
}

async function runRound(setting: BenchSetting): Promise<Round> {
  const clients = setting.scale === 'smoke' ? 100 : 5000;
  const server = await startRollcall();
  const watch = new ListWatch(clients / SERVICES);
  try {
    const before = await fill(server.endpoint, clients);
    await server.restart();
    for (const client of before) client.close();
    const startedAtMs = performance.now();
    const looking = watch.look(server.endpoint);
    const after = await connectAll(server.endpoint, clients, watch);
    const redoneMs = performance.now() - startedAtMs;
    const cpuMs = (readCpuSeconds(server.pid) ?? Number.NaN) * 1000;
    await sleep(SETTLE_MS);
    watch.end();
    await looking;
    for (const client of after) client.close();
    const { lists, shortLists, firstShort } = watch;
    setting.log(
      `  ${clients} clients redone after ${Math.round(redoneMs)} ms, ${lists} lists, ${shortLists} shortened`,
    );
    return { redoneMs, cpuMs, lists, shortLists, firstShort };
  } finally {
    await server.stop();
  }
}

/** All publish before anybody subscribes: each of 5,000 changes pushed to everybody is what this scenario is not about. */
async function fill(endpoint: Endpoint, clients: number): Promise<GrpcSubscriber[]> {
  const subscribers = await openSubscribers(clients, () => new GrpcSubscriber(endpoint), publish);
  await Promise.all(subscribers.map((client, n) => client.subscribe(serviceOf(n))));
  return subscribers;
}

const serviceOf = (n: number) => `bench.grpc.redo.${n % SERVICES}`;

function publish(client: GrpcSubscriber, n: number): Promise<unknown> {
  const ip = `10.${n >> 16}.${(n >> 8) & 0xff}.${n & 0xff}`;
  return client.call(instanceMessage('registerInstance', { serviceName: serviceOf(n), ip, version: 'a' }));
}

function connectAll(endpoint: Endpoint, clients: number, watch: ListWatch): Promise<GrpcSubscriber[]> {
  return openSubscribers(
    clients,
    () => new GrpcSubscriber(endpoint, (list) => watch.take(list)),
    async (client, n) => {
      await publish(client, n);
      watch.take(await client.subscribe(serviceOf(n)));
    },
    TOGETHER,
  );
}

/** Counts the hosts of every list that it is shown. */
class ListWatch {
  readonly #hosts: number;
  #looking = true;
  lists = 0;
  shortLists = 0;
  firstShort = '';

  /** @param hosts - what each list has at least */
  constructor(hosts: number) {
    this.#hosts = hosts;
  }

  /** Looks at a list. */
  take(list: Buffer): void {
    const hosts = list.toString('latin1').split('"instanceId"').length - 1;
    this.lists++;
    if (hosts >= this.#hosts) return;
    this.shortLists++;
    this.firstShort ||= `${hosts} of ${this.#hosts} hosts`;
  }

  /** Asks for one list after another over HTTP. @returns after `end` */
  async look({ host, port, contextPath }: Endpoint): Promise<void> {
    for (let n = 0; this.#looking; n = (n + 1) % SERVICES) {
      const url = `http://${host}:${port}${contextPath}/v1/ns/instance/list?serviceName=bench.grpc.redo.${n}`;
      this.take(Buffer.from(await (await fetch(url)).arrayBuffer()));
      await sleep(LOOK_MS);
    }
  }

  end(): void {
    this.#looking = false;
  }
}
