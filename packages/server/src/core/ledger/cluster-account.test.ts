import { beforeEach, describe, expect, it } from 'vitest';
import { ClusterFixture } from '../../testing/cluster-fixture.js';
import { hostOf, metadataOf, serviceOf, TESTER } from '../../testing/core-fixture.js';
import { type Account, type AccountQuestion, accountOf } from './account.js';
import { Ledger } from './ledger.js';
import { DEFAULT_LEDGER_BOUNDS } from './ledger-bounds.js';
import { presentInstance } from './present-instance.js';
import { sentencesOf, verdictFacts } from './verdict.js';

const orders = serviceOf('orders');
const one = hostOf(1);
const HOLDER = 0;
const OTHER = 1;
/** A client beats at another node while this is set. */
const AT_OTHER = { node: OTHER };
let cluster: ClusterFixture;
let ledgers: Ledger[];
let taken: number[];

beforeEach(() => {
  cluster = ClusterFixture.ready(3);
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

function beatFor(ms: number, { node } = { node: HOLDER }): void {
  for (let passed = 0; passed < ms; passed += 5000) {
    cluster.beat(node, orders, one);
    cluster.advance(5000);
  }
}

/** Which nodes the first stage is about. */
const moveOf = ({ incident }: Account) => incident?.stages[0]?.move;

/** Names and lengths of the stages, which must follow each other and add up. */
function stagesOf({ incident, subscribers }: Account): readonly (readonly [string, number])[] {
  for (const { stages, totalMs } of [
    ...(incident === null ? [] : [incident]),
    ...subscribers.map(({ told }) => told),
  ]) {
    expect(stages.reduce((sum, { ms }) => sum + ms, 0)).toBe(totalMs);
    expect(stages.slice(1).map(({ from }) => from)).toEqual(stages.slice(0, -1).map(({ to }) => to));
    expect(stages.every(({ ms, from, to }) => ms >= 0 && to - from === ms)).toBe(true);
  }
  return incident?.stages.map(({ name, ms }) => [name, ms] as const) ?? [];
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

describe('an instance that dies with the node that held its lease', () => {
  const [from, to] = ['10.9.0.1:8848', '10.9.0.2:8848'];

  it('is silent since the last word of that node: the take-over is the first stage', () => {
    cluster.register(HOLDER, orders, one);
    beatFor(20_000);
    const killedAt = (ledgers[OTHER] as Ledger).at(cluster.clock.now());
    cluster.kill(HOLDER);
    cluster.advance(24_000);
    const there = account(OTHER);
    const [first, ...rest] = stagesOf(there);
    expect(first?.[0]).toBe('lease-moved');
    expect(first?.[1]).toBeGreaterThanOrEqual(7000);
    expect(first?.[1]).toBeLessThan(8100);
    expect(rest).toEqual([
      ['silence', 7500],
      ['timeout', 7500],
    ]);
    expect(there).toMatchObject({ state: 'unhealthy', holder: null });
    expect(there.incident?.stages[0]).toMatchObject({ cause: 'take-over', move: { from, to, why: 'holder-lost' } });
    expect(killedAt - (there.incident?.from ?? 0)).toBeLessThan(1100);
    expect(there.causes.map(({ cause }) => cause)).toEqual(['silent-crash', 'take-over']);
    expect(verdict(OTHER)).toContain(`node ${from}, which held its lease, did not answer for 7.`);
    expect(verdict(OTHER, 'zh')).toMatch(new RegExp(`${from}.*${to}.*。$`));
  });

  it('has its take-over as the cause when that is most of the time', () => {
    const metadata = metadataOf({ 'preserved.heart.beat.timeout': '3000', 'preserved.heart.beat.interval': '1000' });
    cluster.register(HOLDER, orders, one, { metadata });
    cluster.advance(1000);
    cluster.kill(HOLDER);
    cluster.advance(11_000);
    expect(stagesOf(account(OTHER)).map(([name]) => name)).toEqual(['lease-moved', 'silence', 'timeout']);
    expect(account(OTHER).causes[0]?.cause).toBe('take-over');
    expect(verdict(OTHER)).toContain(`Node ${from} held the lease of 10.0.0.1:8080`);
    expect(verdict(OTHER)).toContain(`until node ${to} took it over`);
    expect(verdict(OTHER, 'zh')).toContain('接管');
  });

  it('is told to subscribers by the same stages, and its removal has the take-over where it was', () => {
    cluster.register(HOLDER, orders, one);
    cluster.advance(5000);
    const query = { ip: '10.0.0.9', port: 4000, clusters: '', agent: 'Nacos-Java-Client:v1.4.8', app: '' };
    cluster.step(OTHER, { type: 'subscribe-udp', service: orders, query, answerEmpty: false, actor: TESTER });
    // Unhealthy at its holder, which dies before it may remove it.
    cluster.advance(15_000);
    cluster.kill(HOLDER);
    cluster.advance(50_000);
    const there = account(OTHER);
    stagesOf(there);
    const removal = there.subscribers[0]?.removal;
    expect(removal?.stages.reduce((sum, { ms }) => sum + ms, 0)).toBe(removal?.totalMs);
    expect(removal?.stages.slice(0, 4).map(({ name }) => name)).toEqual([
      'silence',
      'listed-unhealthy',
      'lease-moved',
      'listed-unhealthy',
    ]);
    expect(removal?.stages[2]).toMatchObject({ cause: 'take-over', move: { from, to } });
  });

  it('is accounted for alike by a node that only looks on', () => {
    cluster.register(HOLDER, orders, one);
    beatFor(20_000);
    cluster.kill(HOLDER);
    cluster.advance(24_000);
    const accounts = [1, 2].map(account);
    for (const each of accounts) expect(stagesOf(each)[0]?.[0]).toBe('lease-moved');
    const [totals, moves] = [accounts.map(({ incident }) => incident?.totalMs ?? 0), accounts.map(moveOf)];
    expect(Math.abs((totals[0] ?? 0) - (totals[1] ?? 0))).toBeLessThan(1200);
    expect(moves[0]).toEqual(moves[1]);
    expect(accounts.filter(({ holder }) => holder === null)).toHaveLength(1);
  });
});

describe('a lease that moves by a beat', () => {
  it('at once: the beat is the last sign of life, and the move takes no time', () => {
    cluster.register(HOLDER, orders, one);
    cluster.advance(20_000);
    cluster.beat(OTHER, orders, one);
    cluster.advance(16_000);
    expect(stagesOf(account(OTHER))[0]).toEqual(['lease-moved', 0]);
    expect(moveOf(account(OTHER))).toMatchObject({ why: 'beat' });
    expect(account(OTHER).incident?.totalMs).toBe(15_000);
    expect(verdict(OTHER)).not.toContain('did not answer');
  });

  it('after its holder was asked in vain: from the beat until the lease was here', () => {
    cluster.register(HOLDER, orders, one);
    cluster.advance(4000);
    cluster.freeze(HOLDER);
    cluster.advance(500);
    beatFor(5000, AT_OTHER);
    cluster.advance(15_000);
    const [first] = stagesOf(account(OTHER));
    expect(first?.[0]).toBe('lease-moved');
    expect(first?.[1]).toBeGreaterThanOrEqual(1000);
    expect(first?.[1]).toBeLessThan(1500);
    expect(moveOf(account(OTHER))).toMatchObject({ why: 'beat' });
  });
});

describe('a change that came late from the node that made it', () => {
  const at = (index: number) => account(index).incident;

  it('has its way between the nodes as a stage of its own', () => {
    cluster.register(HOLDER, orders, one);
    beatFor(5000);
    cluster.advance(7000);
    // Unhealthy 15 s after its last beat: 3 s from here, at a moment at which nobody hears the holder.
    cluster.isolate(HOLDER);
    cluster.advance(5000);
    cluster.heal();
    cluster.advance(1500);
    const there = account(HOLDER);
    expect(stagesOf(there).map(([name]) => name)).toEqual(['silence', 'timeout']);
    for (const index of [1, 2]) {
      const stages = stagesOf(account(index));
      expect(stages.map(([name]) => name)).toEqual(['silence', 'replication']);
      expect(Math.abs((stages[0]?.[1] ?? 0) - 15_000)).toBeLessThan(50);
      expect(stages[1]?.[1]).toBeGreaterThan(1900);
      expect(Math.abs((at(index)?.from ?? 0) - (there.incident?.from ?? 0))).toBeLessThan(50);
      expect(account(index).causes.map(({ cause }) => cause)).toContain('replication');
    }
  });

  it('may be a deregistration: then the way is all that there is to tell', () => {
    cluster.register(HOLDER, orders, one);
    cluster.advance(2000);
    cluster.isolate(HOLDER);
    cluster.advance(500);
    cluster.deregister(HOLDER, orders, one);
    cluster.advance(4000);
    cluster.heal();
    cluster.advance(1500);
    for (const index of [1, 2]) {
      const [first, ...rest] = stagesOf(account(index));
      expect([first?.[0], rest]).toEqual(['replication', []]);
      expect(first?.[1]).toBeGreaterThan(3900);
      expect(account(index).causes[0]?.cause).toBe('replication');
      expect(verdict(index)).toContain(`Node ${cluster.ids[HOLDER]} had seen 10.0.0.1:8080 change`);
      expect(verdict(index, 'zh')).toContain('消息来得晚');
    }
  });

  it('is not told of one that came as soon as a flush allowed', () => {
    cluster.register(HOLDER, orders, one);
    cluster.advance(40_000);
    const facts = [1, 2].flatMap((index) => question(index).facts);
    expect(facts.map(({ type }) => type)).toContain('instance-removed');
    expect(facts.filter((fact) => 'ageMs' in fact && fact.ageMs !== undefined)).toEqual([]);
  });
});

describe('a partition', () => {
  it('is the cause when the node that held the lease has it again', () => {
    cluster.register(HOLDER, orders, one);
    beatFor(5000);
    cluster.isolate(HOLDER);
    beatFor(25_000);
    expect(account(OTHER)).toMatchObject({ state: 'unhealthy', causes: [{ cause: 'silent-crash' }, {}] });
    cluster.heal();
    beatFor(5000);
    expect(account(OTHER)).toMatchObject({ state: 'healthy', causes: [{ cause: 'partition' }] });
    expect(stagesOf(account(OTHER)).map(([name]) => name)).toEqual(['lease-moved', 'silence', 'timeout']);
    expect(verdict(OTHER)).toContain(`Node ${cluster.ids[HOLDER]} held the lease`);
    expect(verdict(OTHER, 'zh')).toContain('接管');
    expect(account(HOLDER)).toMatchObject({ state: 'healthy', incident: null });
  });
});
