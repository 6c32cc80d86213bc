// The journal's word for a claim, the same when it is journalled and when a snapshot is taken.

import type { Registration } from './instance-record.js';
import type { JournalEntry } from './journal-entry.js';
import type { Service } from './service.js';

/** The entry from which the claim can be made again. */
export function registeredEntry({ key, refTime }: Service, registration: Registration): JournalEntry {
  const { record, publisher, registered, base, healthy, version } = registration;
  return {
    type: 'registered',
    service: key,
    address: record.address,
    publisher,
    registered,
    ...(base !== registered && { base }),
    healthy,
    ...(record.numericId !== undefined && { instanceId: record.numericId }),
    ...(version !== undefined && { version }),
    refTime,
  };
}
