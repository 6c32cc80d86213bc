// R02, R03: what is sent again: nothing that was acknowledged by its number, everything else once, after 10 s.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Flow } from '../flow.js';
import type { FlowContext } from '../flow-context.js';
import { PushScene } from '../push-scene.js';
import type { ReceivedPush, UdpReceiver } from '../udp-receiver.js';

const RESEND_LIMITS = { strict: [9_800, 10_500], real: [9_500, 11_500] } as const;
const ALL_COPIES_MS = 24_000;
const POLL_MS = 8_000;

/** A receiver that never acknowledges. */
export const r02Raw: Flow = {
  id: 'R02',
  client: 'raw',
  title: 'never acknowledged: exactly 2 copies 10 s apart, the same bytes',
  seconds: 26,
  runs: 'together',
  run: async (context) => {
    const scene = await PushScene.open(context);
    const receiver = await scene.subscriber();
    const first = await scene.changeAndExpect(receiver, 'change to first copy');
    await waitPolling(receiver, scene.serviceName, ALL_COPIES_MS);
    context.require(receiver.pushes.length === 2, `Copies: found ${receiver.pushes.length}, expected 2`);
    const second = receiver.pushes[1] as ReceivedPush;
    context.requireWithin('distance of the copies', second.atMs - first.atMs, 'ms', RESEND_LIMITS);
    const isSame = second.digits === first.digits && JSON.stringify(second.list) === JSON.stringify(first.list);
    context.require(isSame, `Second copy: number ${second.digits}, expected the first one's ${first.digits}`);
  },
};

/** Receivers that acknowledge late, twice, with another number, and from another port. */
export const r03Raw: Flow = {
  id: 'R03',
  client: 'raw',
  title:
    'acknowledged after 5 s with a bare number: no resend; with a wrong number or from a wrong port: one; twice: no harm',
  seconds: 15,
  runs: 'together',
  run: async (context) => {
    const scene = await PushScene.open(context);
    const [late, wrong, foreign, twice] = [
      await scene.subscriber(),
      await scene.subscriber(),
      await scene.subscriber(),
      await scene.subscriber(),
    ];
    const pushed = await scene.changeAndExpect(late, 'change to datagram');
    const inTime = { timeoutMs: 3000 };
    const toWrong = await wrong.waitForPush('Datagram', () => true, inTime);
    const toForeign = await foreign.waitForPush('Datagram', () => true, inTime);
    const toTwice = await twice.waitForPush('Datagram', () => true, inTime);
    await wrong.acknowledge({ ...toWrong, digits: String(Number(toWrong.digits) + 1000) });
    await wrong.acknowledge({ ...toWrong, digits: '1' });
    await twice.acknowledge(toTwice);
    await twice.acknowledge(toTwice);
    await sleep(5000);
    await late.send(`{"lastRefTime":${pushed.digits}}`, pushed.from);
    // Its own push is acknowledged by now, so that this number means the push to the other one or nothing.
    await late.acknowledge(toForeign);
    await sleep(7000);
    requireCopies(context, 'acknowledged after 5 s', late, 1);
    requireCopies(context, 'acknowledged twice', twice, 1);
    requireCopies(context, 'acknowledged with a wrong number', wrong, 2);
    requireCopies(context, 'acknowledged from a wrong port', foreign, 2);
    for (const receiver of [late, twice]) receiver.acknowledgeAll();
    for (const receiver of [late, twice]) await scene.changeAndExpect(receiver, 'next change to datagram');
  },
};

function requireCopies(context: FlowContext, which: string, { pushes }: UdpReceiver, expected: number): void {
  context.require(pushes.length === expected, `Copies ${which}: found ${pushes.length}, expected ${expected}`);
}

/** Waits while the receiver asks again as clients do, so that it stays subscribed. */
async function waitPolling(receiver: UdpReceiver, serviceName: string, waitMs: number): Promise<void> {
  const endsAtMs = Date.now() + waitMs;
  while (Date.now() < endsAtMs) {
    await sleep(Math.min(POLL_MS, endsAtMs - Date.now()));
    await receiver.query({ serviceName });
  }
}
