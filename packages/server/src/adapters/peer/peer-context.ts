// What every connection between nodes works with.

import type { Clock, Timers } from '@rollcall/runtime';
import type { PeerIdentity } from './control-message.js';
import type { PeerBounds } from './peer-bounds.js';
import type { PeerCounters } from './peer-counters.js';
import type { PeerNotices } from './peer-notices.js';

/** Shared by all connections of a transport. */
export interface PeerContext {
  /** This node. */
  readonly identity: PeerIdentity;
  /** Secret of the cluster; undefined without one. */
  readonly secret: string | undefined;
  readonly bounds: PeerBounds;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly counters: PeerCounters;
  readonly notices: PeerNotices;
}
