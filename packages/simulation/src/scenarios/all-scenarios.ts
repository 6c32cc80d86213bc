// Every kind of history, by name.

import type { Scenario } from '../scenario.js';
import { alone } from './alone.js';
import { brokenCopy, deathWithHolder, goodbyes, nodeBack, nodeLost, rollingRestart, twins } from './crashes.js';
import { cutInHalves, farewells, flappingLink, oneWayCut } from './cuts.js';
import {
  badPaths,
  differentLists,
  frozenNode,
  lateBeats,
  massDeath,
  slowPeer,
  writesThatMove,
  wrongClocks,
} from './disturbances.js';
import { edits } from './edits.js';
import { mix, ownLeases } from './mix.js';
import { storeApart, storeFaults } from './store-faults.js';

/** The scenarios, in the order in which they are run. */
export const SCENARIOS: readonly Scenario[] = [
  mix,
  cutInHalves,
  oneWayCut,
  badPaths,
  nodeLost,
  nodeBack,
  rollingRestart,
  frozenNode,
  wrongClocks,
  differentLists,
  farewells,
  writesThatMove,
  deathWithHolder,
  massDeath,
  brokenCopy,
  storeFaults,
  twins,
  flappingLink,
  slowPeer,
  lateBeats,
  alone,
  edits,
  ownLeases,
  goodbyes,
  storeApart,
];
