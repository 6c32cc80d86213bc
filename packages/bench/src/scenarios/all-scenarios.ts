// All scenarios, in the order of the list.
import type { Scenario } from '../scenario.js';
import { beatScenario } from './beat.js';
import { canonicalScenario } from './canonical.js';
import { clientBeatsScenario } from './client-beats.js';
import { clientViewScenario } from './client-view.js';
import { clusterTrafficScenario } from './cluster-traffic.js';
import { growthScenario } from './growth.js';
import { grpcAbuseScenario } from './grpc-abuse.js';
import { grpcMemoryScenario } from './grpc-memory.js';
import { grpcPushScenario } from './grpc-push.js';
import { grpcReconnectScenario } from './grpc-reconnect.js';
import { grpcUnaryScenario } from './grpc-unary.js';
import { idleMemoryScenario } from './idle-memory.js';
import { instanceMemoryScenario } from './instance-memory.js';
import { listScenario } from './list.js';
import { probesScenario } from './probes.js';
import { registerScenario } from './register.js';
import { startupScenario } from './startup.js';
import { steadyScenario } from './steady.js';
import { subscriptionLoadScenario } from './subscription-load.js';
import { subscriptionMemoryScenario } from './subscription-memory.js';
import { udpBurstScenario } from './udp-burst.js';
import { udpPushScenario } from './udp-push.js';

/** Every scenario that `npm run bench` knows. */
export const SCENARIOS: readonly Scenario[] = [
  listScenario,
  registerScenario,
  beatScenario,
  startupScenario,
  idleMemoryScenario,
  instanceMemoryScenario,
  steadyScenario,
  probesScenario,
  udpPushScenario,
  udpBurstScenario,
  subscriptionLoadScenario,
  subscriptionMemoryScenario,
  grpcUnaryScenario,
  grpcPushScenario,
  grpcMemoryScenario,
  grpcReconnectScenario,
  grpcAbuseScenario,
  clientViewScenario,
  clientBeatsScenario,
  clusterTrafficScenario,
  canonicalScenario,
  growthScenario,
];
