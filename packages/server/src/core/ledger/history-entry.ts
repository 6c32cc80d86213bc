// What a history keeps: an event of this run as the core reported it, or a fact that an earlier run wrote. An event becomes a
// fact when somebody asks: questions are rare, and a second object for each event would be most of what the ledger costs.

import type { RegistryEvent } from '../registry-event.js';
import type { Fact, ServerFact } from './fact.js';
import { factOfEvent } from './fact-of-event.js';
import type { TimeLine } from './time-line.js';

/** An event or a fact. */
export type HistoryEntry = RegistryEvent | Fact;

/** The fact that an entry is. */
export function factOf(entry: HistoryEntry, line: TimeLine): Fact {
  return isEvent(entry) ? factOfEvent(entry, line) : entry;
}

/** When it was, as `Fact.at`. */
export function timeOf(entry: HistoryEntry, line: TimeLine): number {
  return isEvent(entry) ? line.at(entry.at.mono) : entry.at;
}

/** Whom an entry is about inside its service: key for the bound of one instance or subscriber; empty for the service itself. */
export function subjectOf(entry: HistoryEntry): string {
  if ('subscriber' in entry) return entry.subscriber;
  if ('address' in entry) return entry.address.key;
  return 'publisher' in entry ? `${entry.ip}#${entry.port}#${entry.cluster}` : '';
}

/** What an entry is counted as beside its texts, as measured: about twenty values, and the objects around them. */
const ENTRY_BYTES = 350;

/** What one edited field is counted as: an object and three texts. */
const EDIT_BYTES = 200;

/** Estimate of what an entry takes in memory, the same for an event and for its fact. */
export function bytesOf(entry: HistoryEntry | ServerFact): number {
  if ('subscriber' in entry) return ENTRY_BYTES + entry.subscriber.length + entry.clusters.length;
  if (entry.type === 'subscribers-awaited') return ENTRY_BYTES + entry.pending.length * 48;
  return 'edits' in entry && entry.edits !== undefined ? ENTRY_BYTES + entry.edits.length * EDIT_BYTES : ENTRY_BYTES;
}

function isEvent(entry: HistoryEntry): entry is RegistryEvent {
  return 'actor' in entry;
}
