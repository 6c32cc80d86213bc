// R08: the server restarts under its 1.x subscribers, which then poll ever more rarely: it must push to them on its own.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Flow } from '../flow.js';
import { FlowSkip } from '../flow-failure.js';
import { PushScene } from '../push-scene.js';

const MORE_HOSTS = 4;
/** Long enough for what a restart itself would send. */
const QUIET_MS = 1500;

/** kill -9 and an orderly stop; the receiver asks once, before both. */
export const r08Raw: Flow = {
  id: 'R08',
  client: 'raw',
  title: 'restart (kill -9, orderly): told of the first change after it without a poll, never of a shorter list',
  seconds: 8,
  runs: 'alone',
  run: async (context) => {
    const { restarts } = context.server;
    if (restarts === undefined) throw new FlowSkip('the server was given by URL: it is not ours to stop');
    const scene = await PushScene.open(context);
    for (let index = 1; index <= MORE_HOSTS; index += 1) {
      await context.api.register({ serviceName: scene.serviceName, ip: `10.70.8.${index}`, port: '8080' });
    }
    const receiver = await scene.subscriber();
    receiver.acknowledgeAll();
    await scene.changeAndExpect(receiver, 'change to datagram before');
    let lastNumber = Number(receiver.pushes.at(-1)?.digits);
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      await restarts.stop(signal);
      await restarts.start();
      await sleep(QUIET_MS);
      const push = await scene.changeAndExpect(receiver, `${signal}: first change after the restart to datagram`);
      const number = Number(push.digits);
      context.require(number > lastNumber, `${signal}: number ${number}, expected more than ${lastNumber}`);
      lastNumber = number;
    }
    const shortest = Math.min(...receiver.pushes.map(({ list }) => list.hosts.length));
    context.require(shortest === MORE_HOSTS + 1, `Shortest list pushed: ${shortest} hosts, expected ${MORE_HOSTS + 1}`);
  },
};
