// Scenario `beat`: beats of 5,000 registered instances, light ones (address only) and full ones (the instance as JSON).
import { withContenders } from '../contender-group.js';
import type { Answer } from '../http-response-reader.js';
import { encodeFullBeats, encodeLightBeats } from '../instance-population.js';
import type { Scenario } from '../scenario.js';
import { compareThroughput } from '../throughput-comparison.js';

/** Light and full beats. */
export const beatScenario: Scenario = {
  name: 'beat',
  title: 'Beats of 5,000 instances in 500 services, light and full',
  defaults: { rounds: 5, seconds: 3 },
  run: (setting) => {
    const population = { prefix: 'bench.beat', instances: setting.scale === 'smoke' ? 50 : 5000 };
    return withContenders(setting, async (group) => {
      const common = {
        // Full beats register what is unknown and make healthy what had expired between two rounds.
        preparation: (endpoint: Parameters<typeof encodeFullBeats>[0]) => encodeFullBeats(endpoint, population),
        accepts: isKnownBeat,
      };
      const light = await compareThroughput(
        group,
        { ...common, label: 'light beat', load: (endpoint) => encodeLightBeats(endpoint, population) },
        setting,
      );
      const full = await compareThroughput(
        group,
        { ...common, label: 'full beat', load: (endpoint) => encodeFullBeats(endpoint, population) },
        setting,
      );
      return { rows: [...light.rows, ...full.rows], failures: [...light.failures, ...full.failures] };
    });
  },
};

const CODE_OK = '10200';

const isKnownBeat = ({ status, body }: Answer): boolean => status === 200 && body.includes(CODE_OK);
