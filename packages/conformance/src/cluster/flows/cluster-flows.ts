// The flows over a cluster, in the order of the list in docs/conformance.md.
import type { ClusterFlow } from '../cluster-flow.js';
import { c01Visible } from './c01-visible.js';
import { c02Steady } from './c02-steady.js';
import { c03Killed } from './c03-killed.js';
import { c04Returned } from './c04-returned.js';
import { c05Rolling } from './c05-rolling.js';
import { c06Frozen } from './c06-frozen.js';
import { c07Cut } from './c07-cut.js';
import { c08Dead } from './c08-dead.js';
import { c09Deregistered } from './c09-deregistered.js';
import { c10Persistent } from './c10-persistent.js';
import { c11Disabled } from './c11-disabled.js';
import { c12Churn } from './c12-churn.js';

/** All of them. */
export const CLUSTER_FLOWS: readonly ClusterFlow[] = [
  c01Visible,
  c02Steady,
  c03Killed,
  c04Returned,
  c05Rolling,
  c06Frozen,
  c07Cut,
  c08Dead,
  c09Deregistered,
  c10Persistent,
  c11Disabled,
  c12Churn,
];
