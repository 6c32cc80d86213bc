// A bit of everything at random times: what nobody thought of.

import { drawClocks } from '../clock-drawing.js';
import type { Scenario } from '../scenario.js';
import { drawDeeds } from './random-deeds.js';

const ACTIVE_MS_MIN = 60_000;
const ACTIVE_MS_MAX = 120_000;

/** Random mixes. */
export const mix: Scenario = {
  name: 'mix',
  title: 'a random mix of all faults',
  draw(random) {
    const nodes = random.pick([3, 3, 3, 5]);
    const beatClients = random.integer(30, 60);
    const streamClients = random.integer(10, 20);
    const activeMs = random.integer(ACTIVE_MS_MIN, ACTIVE_MS_MAX);
    const plan = drawDeeds(random, { nodes, clients: beatClients + streamClients }, activeMs);
    return { clocks: drawClocks(random, nodes), beatClients, streamClients, homing: 'mixed', plan, activeMs };
  },
};

/** The same with clients that ask for shorter leases and for longer ones. */
export const ownLeases: Scenario = {
  name: 'leases',
  title: 'instances with lease times of their own, in a random mix of all faults',
  draw: (random) => ({ ...mix.draw(random), leases: 'own' }),
};
