// What somebody probably meant.

import { expect, it } from 'vitest';
import { closestName } from './closest-name.js';

const NAMES = ['start', 'status', 'services', 'instances', 'port'];

it.each([
  ['strat', 'start'],
  ['staus', 'status'],
  ['SERVICE', 'services'],
  ['prot', 'port'],
  ['porrt', 'port'],
  ['x', undefined],
  ['deploy', undefined],
  ['', undefined],
])('takes %j for %j', (typed, meant) => {
  expect(closestName(typed, NAMES)).toBe(meant);
});
