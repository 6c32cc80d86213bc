// Scenario `register`: registrations of 5,000 addresses in 500 services. Each pass carries other metadata than the pass
// before, so that every registration is a real change while the number of instances stays the same.
import { withContenders } from '../contender-group.js';
import { encodeRegistrations } from '../instance-population.js';
import type { Scenario } from '../scenario.js';
import { compareThroughput, isOk } from '../throughput-comparison.js';

/** Registrations that change content. */
export const registerScenario: Scenario = {
  name: 'register',
  title: 'Registrations of 5,000 instances in 500 services, each one a change',
  defaults: { rounds: 5, seconds: 3 },
  run: (setting) => {
    const population = { prefix: 'bench.register', instances: setting.scale === 'smoke' ? 50 : 5000 };
    return withContenders(setting, (group) =>
      compareThroughput(
        group,
        {
          label: 'register',
          preparation: (endpoint) => encodeRegistrations(endpoint, population, 'a'),
          load: (endpoint) => [
            ...encodeRegistrations(endpoint, population, 'b'),
            ...encodeRegistrations(endpoint, population, 'a'),
          ],
          accepts: isOk,
        },
        setting,
      ),
    );
  },
};
