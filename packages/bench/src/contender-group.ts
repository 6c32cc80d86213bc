// Our server, the baseline and the peer, started together for one scenario and always stopped together.
import { type BaselineContender, startBaseline } from './baseline-server.js';
import type { Contender } from './contender.js';
import { openPeer, type PeerContender } from './peer-server.js';
import { type RollcallContender, startRollcall } from './rollcall-server.js';
import type { BenchSetting } from './scenario.js';

/** The contenders of one scenario. */
export interface ContenderGroup {
  readonly rollcall: RollcallContender;
  readonly baseline: BaselineContender;
  readonly peer: PeerContender | undefined;
  /** The real servers: ours, and the peer if there is one. */
  readonly servers: readonly Contender[];
  /** All, in the order of the first round. */
  readonly all: readonly Contender[];
}

/** Starts the contenders, hands them to `use`, and stops them however that ends. */
export async function withContenders<T>(setting: BenchSetting, use: (group: ContenderGroup) => Promise<T>): Promise<T> {
  const started: Contender[] = [];
  const keep = <C extends Contender>(contender: C): C => {
    started.push(contender);
    return contender;
  };
  try {
    const rollcall = keep(await startRollcall());
    const baseline = keep(await startBaseline());
    const peer = setting.peer === undefined ? undefined : keep(await openPeer(setting.peer));
    const servers = peer === undefined ? [rollcall] : [rollcall, peer];
    return await use({ rollcall, baseline, peer, servers, all: [rollcall, baseline, ...servers.slice(1)] });
  } finally {
    for (const contender of started.reverse()) await contender.stop();
  }
}
