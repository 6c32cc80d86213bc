// Scenario `list`: the answer that a consumer's poll gets when nothing changed, for a service of ten hosts.
import { withContenders } from '../contender-group.js';
import { encodeFullBeats, encodeLists } from '../instance-population.js';
import type { Scenario } from '../scenario.js';
import { compareThroughput, isOk } from '../throughput-comparison.js';

const POPULATION = { prefix: 'bench.list', instances: 10 };
/** Copies of the request with a `RequestId` each, as a client's are. */
const REQUEST_COPIES = 64;

/** List queries for one unchanged service. */
export const listScenario: Scenario = {
  name: 'list',
  title: 'Query of a service with 10 hosts that does not change',
  defaults: { rounds: 5, seconds: 3 },
  run: (setting) =>
    withContenders(setting, (group) =>
      compareThroughput(
        group,
        {
          label: 'list',
          // Full beats register the hosts the first time and keep them healthy, which is no change, before each round.
          preparation: (endpoint) => encodeFullBeats(endpoint, POPULATION),
          load: (endpoint) => Array.from({ length: REQUEST_COPIES }, () => encodeLists(endpoint, POPULATION)).flat(),
          accepts: isOk,
        },
        setting,
      ),
    ),
};
