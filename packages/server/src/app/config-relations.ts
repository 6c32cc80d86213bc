// Rules between options: values that are each allowed but contradict one another.

import type { Config, OptionKey } from './config-schema.js';

/** The value of `lesser` must not be above that of `greater`. */
interface Relation {
  readonly lesser: OptionKey;
  readonly greater: OptionKey;
  readonly reason: string;
}

/** All relations; each also stands in docs/configuration.md. */
export const RELATIONS: readonly Relation[] = [
  { lesser: 'subscriberMs', greater: 'quietSubscriberMs', reason: 'quiet subscribers ask more rarely' },
  {
    lesser: 'limitServiceSubscribers',
    greater: 'limitSubscribers',
    reason: 'the subscribers of a service count in both',
  },
  { lesser: 'limitServiceInstances', greater: 'limitInstances', reason: 'the instances of a service count in both' },
  { lesser: 'limitBatchInstances', greater: 'limitServiceInstances', reason: 'a batch names instances of one service' },
  {
    lesser: 'limitMetadataBytes',
    greater: 'limitRequestBodyBytes',
    reason: 'metadata that fits its limit must fit into a request',
  },
];

/**
 * The first contradiction, as a message.
 *
 * @param source - says where a value came from
 * @returns undefined when there is none
 */
export function relationProblem(config: Config, source: (key: OptionKey) => string): string | undefined {
  for (const { lesser, greater, reason } of RELATIONS) {
    if (Number(config[lesser]) <= Number(config[greater])) continue;
    return (
      `Cannot use option "${lesser}" (${source(lesser)}) with option "${greater}" (${source(greater)}): ` +
      `found ${config[lesser]} above ${config[greater]}, allowed is at most that, because ${reason}`
    );
  }
  return undefined;
}
