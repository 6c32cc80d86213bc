// The log with the real core: whatever happens and whenever the process dies, the next one has the state of the last
// flush; and a snapshot that is taken while things change does no harm.

import { DEFAULT_LIMITS, type InstanceContent, NO_METADATA, serviceKey } from '@rollcall/protocol';
import { ManualClock } from '@rollcall/runtime/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_CORE_SETTINGS } from '../../core/core-settings.js';
import { addressOf } from '../../core/instance-address.js';
import type { JournalEntry } from '../../core/journal-entry.js';
import { RegistryCore } from '../../core/registry-core.js';
import type { RegistryInput } from '../../core/registry-input.js';
import { LogHarness } from './ephemeral-log.test-support.js';

const actor = { via: 'http-v1' } as const;
const services = fc.constantFrom('a', 'b').map((name) => serviceKey('public', 'DEFAULT_GROUP', name));
const at = {
  service: services,
  address: fc.constantFrom('10.0.0.1', '10.0.0.2').map((ip) => addressOf(ip, 80, 'DEFAULT')),
  actor: fc.constant(actor),
};
const content: fc.Arbitrary<InstanceContent> = fc.record({
  weight: fc.nat(3),
  enabled: fc.boolean(),
  healthy: fc.boolean(),
  metadata: fc.constantFrom(NO_METADATA, new Map([['zone', 'east']])),
  app: fc.constantFrom(undefined, 'shop'),
});
const inputs: fc.Arbitrary<RegistryInput> = fc.oneof(
  fc.record({ type: fc.constant('register' as const), ...at, content, kindRule: fc.constant('mixed' as const) }),
  fc.record({ type: fc.constant('deregister' as const), ...at }),
  fc.record({ type: fc.constant('beat' as const), ...at, content: fc.option(content, { nil: undefined }) }),
  fc.record({ type: fc.constant('rebase' as const), ...at, content }),
  fc.record({
    type: fc.constant('publish' as const),
    means: fc.constant('list' as const),
    service: services,
    connection: fc.constantFrom('c1', 'c2'),
    instances: fc.array(fc.record({ address: at.address, content }), { maxLength: 2 }),
    actor: at.actor,
  }),
  fc.record({
    type: fc.constant('connection-closed' as const),
    connection: fc.constantFrom('c1', 'c2'),
    cause: fc.constant('connection-closed' as const),
  }),
  fc.record({
    type: fc.constant('subscribe-udp' as const),
    service: services,
    query: fc.record({
      ip: fc.constant('10.0.0.9'),
      port: fc.constantFrom(5000, 5001),
      clusters: fc.constantFrom('', 'DEFAULT'),
      agent: fc.constant('Nacos-Java-Client:v1.4.8'),
      app: fc.constant('unknown'),
    }),
    answerEmpty: fc.boolean(),
    actor: at.actor,
  }),
);
/** What a run does: an input, then time passes, then the turn may end, and a snapshot that is being written may be finished. */
const moves = fc.array(
  fc.record({
    input: inputs,
    passMs: fc.constantFrom(0, 0, 100, 9000),
    endTurn: fc.constantFrom('no', 'yes', 'settle'),
  }),
  {
    minLength: 1,
    maxLength: 40,
  },
);

function coreWith(
  entries: Iterable<JournalEntry>,
  clock: ManualClock,
  journal: (entry: JournalEntry) => void = () => {},
) {
  const sink = (effect: { type: string; entry?: unknown }) => {
    if (effect.type === 'journal') journal(effect.entry as JournalEntry);
  };
  const core = new RegistryCore({ sink, settings: DEFAULT_CORE_SETTINGS, limits: DEFAULT_LIMITS });
  core.step({ type: 'restore', changes: [], entries }, clock.now());
  return core;
}

/** The state as entries in an order of their own. List versions count where there is something to list. */
function stateOf(core: RegistryCore): string[] {
  const entries = [...core.snapshot()].filter(({ type }) => type !== 'list-version');
  return entries
    .map((entry) => JSON.stringify(entry, (_, value) => (value instanceof Map ? [...value] : value)))
    .sort();
}

test('a kill at any flush leaves the state of that flush, with snapshots being written all the time', async () => {
  await fc.assert(
    fc.asyncProperty(moves, async (run) => {
      const harness = new LogHarness();
      try {
        const log = harness.log({ compactAtBytes: 300 });
        const core = coreWith(log.load(), harness.clock, (entry) => log.append(entry));
        log.start(() => core.snapshot());
        for (const { input, passMs, endTurn } of run) {
          core.step(input, harness.clock.now());
          harness.timers.advance(passMs);
          if (endTurn === 'no') continue;
          harness.endTurn();
          await new Promise(setImmediate);
          if (endTurn === 'settle') await harness.snapshotWritten();
          expect(stateOf(coreWith(harness.afterKill(), harness.clock))).toEqual(stateOf(core));
        }
        log.close();
        expect(stateOf(coreWith(harness.afterKill(), harness.clock))).toEqual(stateOf(core));
        expect(harness.logger.notable).toEqual([]);
      } finally {
        harness.remove();
      }
    }),
    { numRuns: 25 },
  );
}, 60_000);

test('a snapshot taken slowly while the state changes, and the journal since before it, lead to the last state', () => {
  const paces = fc.record({ journalAt: fc.nat(40), snapshotAt: fc.nat(40), perInput: fc.nat(3) });
  fc.assert(
    fc.property(moves, paces, (run, { journalAt, snapshotAt, perInput }) => {
      const clock = new ManualClock();
      const journal: JournalEntry[] = [];
      const core = coreWith([], clock, (entry) => journal.push(entry));
      const begin = Math.min(journalAt, snapshotAt);
      let begun = 0;
      let source: Iterator<JournalEntry> = [].values();
      const snapshot: JournalEntry[] = [];
      const take = (count: number) => {
        for (let next = source.next(); !next.done; next = source.next())
          if (snapshot.push(next.value) % count === 0) return;
      };
      for (const [index, { input, passMs }] of run.entries()) {
        // What happens between the beginnings of journal and snapshot is in both.
        if (index === begin % run.length) begun = journal.length;
        if (index === Math.max(begin % run.length, snapshotAt % run.length))
          source = core.snapshot()[Symbol.iterator]();
        if (perInput > 0) take(perInput);
        core.step(input, clock.now());
        clock.advance(passMs);
      }
      take(Number.MAX_SAFE_INTEGER);
      expect(stateOf(coreWith([...snapshot, ...journal.slice(begun)], clock))).toEqual(stateOf(core));
    }),
    { numRuns: 500 },
  );
});
