// Histories that once broke a promise, kept so that they do not break it again.

import { expect, it } from 'vitest';
import { judgeHistory } from './judged-history.js';
import type { Scenario } from './scenario.js';
import { SCENARIOS } from './scenarios/all-scenarios.js';

const KEPT: readonly (readonly [scenario: string, seed: number, what: string])[] = [
  ['mix', 161, 'a node whose clock was set back takes a write for what its own journal brought back'],
  ['mix', 765785276, 'a node tells after a pause of the run of another one that it heard last before it'],
  [
    'mix',
    769212345,
    'a node gets the newest copy of a lost set late, and had an older one, of which the time is nearly over',
  ],
  ['F18', 62, 'a lease moves while its holder reads slowly: what was dropped goes before what is unhealthy'],
  ['F2', 756848018, 'a client dies shortly before the views are compared'],
  ['mix', 756848236, 'a node that reads slowly is restarted and reads late what was heard of its earlier run'],
  ['F14', 757385464, 'a lease moves between the copies of two sets, of which a starting node takes the one as a whole'],
  ['F14', 760747233, 'a sign of life waits behind a relay that is lost, and its lease has just been given up'],
  ['F14', 765783749, 'a lease is given up to a node of which only a third one tells'],
  ['edits', 768909499, 'a node that stood still tells that it hears one that was lost meanwhile'],
  ['mix', 783000011, 'a node restarted without its disk is heard, and others tell of the run that it had before'],
  [
    'F15',
    910000054,
    'a node takes a snapshot of a moment ago for an old one, since its clock was set ahead while it was down',
  ],
  ['edits', 5, 'an edit is replaced: what it replaced does not come back from the set of a node that is gone'],
  ['edits', 14, 'all nodes are restarted, and some have an older edit on disk'],
  ['edits', 758225573, 'a set is copied as a whole after a lease in it moved to a set that comes later'],
  ['edits', 141, 'an edit from before a restart that is too old to be believed is shown at one node only'],
  ['edits', 763426932, 'a node that starts is told of a lease that was dropped long ago for one of a run that is over'],
  ['edits', 765784031, 'an edit is taken back at a node that is lost before a third one, which made it, hears of that'],
  ['leases', 772028932, 'a node that reads slowly learns late that a lease ended for which a beat came to it'],
  ['edits', 769567181, 'a node was cut off from a lost one earlier than others, and has an older copy of its set'],
  ['leases', 774735435, 'an unhealthy lease hears that another one ended, while an old copy of that one is shown'],
  ['leases', 774735410, 'a node that starts shows what an earlier run of it held'],
  ['leases', 774927609, 'a write arrives at two nodes, of which the one with the later version loses its disk'],
  ['apart', 774736187, 'a node that stood still takes what it has heard of the store meanwhile'],
  ['apart', 776103083, 'a node stops at the very instant at which a lease turns unhealthy'],
  ['F5', 210225759, 'a node that stands still while it starts reads what was sent before its end'],
  ['leases', 114, 'a beat comes at the very instant at which its lease is over'],
  ['edits', 760745847, 'a beat comes to a node that has just started, then the ended lease of an earlier run of it'],
  ['leases', 46, 'a node that reads slowly still reads what an earlier run of another one said'],
  ['mix', 774802238, 'a node that starts is told of a lease of an earlier run of it, and then how that ended'],
  ['F7', 5, 'a full beat that lay unread in a pause comes after the deregistration of its client is known'],
  ['F15', 21, 'a namespace is made at a node that first hears from the store, while another node has just made it'],
  ['F15', 900243, 'two cuts overlap, and the holder is lost when the end of its lease comes from behind the first one'],
  ['F15', 152, 'a try without an answer arrives when its conflict was reported, and what was in its way is removed'],
  [
    'F15',
    781682322,
    'an instance comes back at a node, while another is away from the store and forgets the edit of it',
  ],
  [
    'F15',
    786103149,
    'a node whose clock is an hour behind loses its disk and with it a removal, which nobody else has heard of',
  ],
  ['F18', 788490959, 'a node that reads slowly takes a deregistration that was given up, and tells late of it'],
  ['mix', 789689778, 'a node away for 83 s comes with a lease whose removal went with the copy of its lost author'],
  ['mix', 787609103, 'a relay names a lease as it was called before its holder dropped it and took it again'],
  ['F7', 787612185, 'a beat that was sent just before a deregistration arrives just after it'],
  [
    'leases',
    781679404,
    'a lease is dropped for a removal that a third node knew and forgot with the set of its author',
  ],
  ['apart', 773988086, 'a node stood still when another was lost, and has its copy for longer than others a removal'],
  [
    'apart',
    50,
    'a node stands still between two tries for longer than marks stay, and had heard that the first was made',
  ],
];

it.each(KEPT)('%s, seed %i: %s', async (name, seed) => {
  const scenario = SCENARIOS.find((known) => known.name === name) as Scenario;
  expect((await judgeHistory({ scenario, seed, run: 'once', told: 'failures' })).lines).toEqual([]);
});
