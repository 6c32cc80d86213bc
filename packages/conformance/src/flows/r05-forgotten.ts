// R05: a subscriber that asks no more is forgotten.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Flow } from '../flow.js';
import { PushScene } from '../push-scene.js';

const SILENT_MS = 42_000;

/** One query, then silence; another receiver that goes on asking shows that the change was pushed. */
export const r05Raw: Flow = {
  id: 'R05',
  client: 'raw',
  title: 'no datagram to a subscriber that has not polled for 42 s, though another one gets it',
  seconds: 46,
  runs: 'together',
  run: async (context) => {
    const scene = await PushScene.open(context);
    const silent = await scene.subscriber();
    await sleep(SILENT_MS);
    const polling = await scene.subscriber();
    await scene.changeAndExpect(polling, 'change to the polling one');
    await sleep(1000);
    context.require(
      silent.pushes.length === 0,
      `Datagrams to the silent one: found ${silent.pushes.length}, expected 0`,
    );
  },
};
