import { beforeEach, describe, expect, it } from 'vitest';
import { ClusterFixture } from '../../testing/cluster-fixture.js';
import { hostOf, serviceOf } from '../../testing/core-fixture.js';
import { type Account, type AccountQuestion, accountOf } from './account.js';
import { Ledger } from './ledger.js';
import { DEFAULT_LEDGER_BOUNDS } from './ledger-bounds.js';
import { presentInstance } from './present-instance.js';
import { sentencesOf, verdictFacts } from './verdict.js';

const orders = serviceOf('orders');
const one = hostOf(1);
const HOLDER = 0;
const OTHER = 1;
let cluster: ClusterFixture;
let ledgers: Ledger[];
let taken: number[];

beforeEach(() => {
  cluster = ClusterFixture.ready(2);
  ledgers = cluster.nodes.map(() => new Ledger(DEFAULT_LEDGER_BOUNDS, cluster.clock.now()));
  taken = cluster.nodes.map(() => 0);
});

function question(index: number): AccountQuestion {
  const { core, effects } = cluster.nodes[index] as (typeof cluster.nodes)[number];
  const ledger = ledgers[index] as Ledger;
  for (const effect of effects.slice(taken[index])) if (effect.type === 'event') ledger.take(effect.event);
  taken[index] = effects.length;
  const instance = { ip: one.ip, port: one.port };
  const now = cluster.clock.now();
  return {
    instance,
    facts: ledger.history(orders.id)?.facts ?? [],
    server: ledger.serverFacts,
    now: ledger.at(now),
    present: presentInstance(core, core.service(orders.id), instance, now),
  };
}

const account = (index: number): Account => accountOf(question(index));
const verdict = (index: number, language: 'en' | 'zh' = 'en'): string => {
  const asked = question(index);
  return sentencesOf(verdictFacts(accountOf(asked), asked), language).verdict;
};

function beatFor(ms: number): void {
  for (let passed = 0; passed < ms; passed += 5000) {
    cluster.beat(HOLDER, orders, one);
    cluster.advance(5000);
  }
}

describe('an instance whose lease another node holds', () => {
  it('is well, whatever time passed without a beat here, and its holder is named', () => {
    cluster.register(HOLDER, orders, one);
    beatFor(60_000);
    expect(account(HOLDER)).toMatchObject({ state: 'healthy', holder: null, causes: [] });
    expect(account(OTHER)).toMatchObject({ state: 'healthy', holder: cluster.ids[HOLDER], causes: [] });
  });

  it('was silent for its timeout, not since it came to be known here', () => {
    cluster.register(HOLDER, orders, one);
    beatFor(60_000);
    cluster.advance(12_000);
    const [there, here] = [account(HOLDER), account(OTHER)];
    expect(there).toMatchObject({ state: 'unhealthy', holder: null, incident: { totalMs: 15_000 } });
    expect(here).toMatchObject({ state: 'unhealthy', holder: cluster.ids[HOLDER], incident: { totalMs: 15_000 } });
    expect((here.incident?.from ?? 0) - (there.incident?.from ?? 0)).toBeLessThan(100);
    expect(verdict(OTHER)).toContain(`Node ${cluster.ids[HOLDER]} held its lease`);
    expect(verdict(OTHER, 'zh')).toMatch(new RegExp(`${cluster.ids[HOLDER]}.*。$`));
    expect(verdict(HOLDER)).not.toContain('Node');
  });
});
