// One node alone, the case N = 1 of the same code: crashes, pauses, clocks that jump, clients of both kinds.

import { drawClocks } from '../clock-drawing.js';
import type { Scenario } from '../scenario.js';
import { drawDeeds } from './random-deeds.js';

const ACTIVE_MS_MIN = 60_000;
const ACTIVE_MS_MAX = 120_000;

/** A server that is not one of several. */
export const alone: Scenario = {
  name: 'alone',
  title: 'one node without others, a random mix of faults',
  draw(random) {
    const beatClients = random.integer(30, 60);
    const streamClients = random.integer(10, 20);
    const activeMs = random.integer(ACTIVE_MS_MIN, ACTIVE_MS_MAX);
    const plan = drawDeeds(random, { nodes: 1, clients: beatClients + streamClients }, activeMs);
    return { clocks: drawClocks(random, 1), beatClients, streamClients, homing: 'any', plan, activeMs };
  },
};
