// Every kind of history, by name.

import type { Scenario } from '../scenario.js';
import { alone } from './alone.js';

/** The scenarios, in the order in which they are run. */
export const SCENARIOS: readonly Scenario[] = [alone];
