// A client's request to one node and its outcome: answered, refused because no process is there, or nothing for 3 s. A
// request that its client has given up may still be taken: that is how late beats and doubled writes come about.

import type { SimNode } from './sim-node.js';
import type { World } from './world.js';

/** A try ends after this, as in the 1.x and 2.x SDKs. */
export const TRY_MS = 3000;
const REQUEST_BYTES = 300;

/** What became of a request. */
export type Outcome<T> =
  | { readonly type: 'answered'; readonly answer: T }
  | { readonly type: 'refused' }
  | { readonly type: 'timeout' };

/** A request. */
export interface Request<T> {
  /** Address of the client. */
  readonly machine: string;
  readonly node: SimNode;
  /** How much later it is read than others, when it waits for a process that stands still: share of its wait, 0 to below 1. */
  drawLag?(): number;
  /** Runs at the node, at most once. @param waitedMs - since it was sent */
  take(node: SimNode, waitedMs: number): T;
  /** Told exactly once. */
  done(outcome: Outcome<T>): void;
}

/** Sends a request. */
export function sendRequest<T>(world: World, { machine, node, drawLag, take, done }: Request<T>): void {
  let finished = false;
  const finish = (outcome: Outcome<T>) => {
    if (finished) return;
    finished = true;
    done(outcome);
  };
  const there = { from: machine, to: node.id, bytes: REQUEST_BYTES, delivery: 'stream' } as const;
  const back = { from: node.id, to: machine, bytes: REQUEST_BYTES, delivery: 'stream' } as const;
  const { run } = node;
  const sentAt = world.now;
  world.network.send(there, () => {
    // A process that has ended took its connections with it.
    if (node.run !== run) {
      world.network.send(back, () => finish({ type: 'refused' }));
      return;
    }
    const answer = () => {
      const answered = take(node, world.now - sentAt);
      world.network.send(back, () => finish({ type: 'answered', answer: answered }));
    };
    const taken = node.deliver(answer, node.state === 'frozen' ? drawLag?.() : undefined);
    if (!taken && node.refuses) world.network.send(back, () => finish({ type: 'refused' }));
  });
  world.queue.after(TRY_MS, () => finish({ type: 'timeout' }));
}
