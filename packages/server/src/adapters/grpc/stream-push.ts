// One push to a connection: which list, for whom, under which number.

import type { ServiceView } from '../../core/service-view.js';
import type { Subscriber } from '../../core/subscriber.js';

/** A list to be sent. */
export interface StreamPush {
  readonly subscriber: Subscriber;
  readonly view: ServiceView;
  readonly number: number;
}
