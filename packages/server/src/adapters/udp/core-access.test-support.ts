// A core on a manual clock as adapters see it.

import type { CoreFixture } from '../../testing/core-fixture.js';
import type { RegistryAccess } from '../registry-access.js';

/** Access to the core of a fixture; nothing durable can be done through it. */
export function coreAccess(fixture: CoreFixture): RegistryAccess {
  return {
    core: fixture.core,
    now: () => fixture.clock.now(),
    step: (input) => fixture.step(input),
    commit: () => Promise.reject(new Error('Nothing is durable here')),
    afterJournal: (callback) => callback(),
    awaitSubscribers: () => Promise.reject(new Error('Nobody waits here')),
  };
}
