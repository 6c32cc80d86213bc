// Operators at work at any node while everything goes wrong.

import { drawClocks } from '../clock-drawing.js';
import type { PlannedDeed } from '../plan.js';
import type { Scenario } from '../scenario.js';
import { drawDeeds } from './random-deeds.js';

const ACTIVE_MS = 90_000;
const EDITS_FROM_MS = 6000;
const EDITS_MIN = 10;
const EDITS_MAX = 30;
const RESET_SHARE = 0.2;

/** Edits in a random mix. */
export const edits: Scenario = {
  name: 'edits',
  title: 'operators edit instances at any node, in a random mix of all faults',
  draw(random) {
    const nodes = random.pick([3, 3, 3, 5]);
    const beatClients = random.integer(20, 30);
    const streamClients = random.integer(5, 10);
    const clients = beatClients + streamClients;
    const drawEdit = (): PlannedDeed => ({
      atMs: random.integer(EDITS_FROM_MS, ACTIVE_MS),
      deed: {
        type: 'edit',
        node: random.integer(0, nodes - 1),
        // A few instances are edited again and again.
        client: random.integer(0, Math.floor(clients / 3)),
        does: random.chance(RESET_SHARE) ? 'take-back' : 'set-weight',
      },
    });
    const plan = [
      ...drawDeeds(random, { nodes, clients }, ACTIVE_MS),
      ...Array.from({ length: random.integer(EDITS_MIN, EDITS_MAX) }, drawEdit),
    ];
    return {
      clocks: drawClocks(random, nodes),
      beatClients,
      streamClients,
      homing: 'mixed',
      plan: plan.sort((a, b) => a.atMs - b.atMs),
      activeMs: ACTIVE_MS,
    };
  },
};
