import { beforeEach, describe, expect, it } from 'vitest';
import { contentOf, hostOf, metadataOf, serviceOf, TESTER } from '../../testing/core-fixture.js';
import { LedgerFixture } from '../../testing/ledger-fixture.js';
import { DEFAULT_DEFINITION } from '../service.js';
import type { StoreChange } from '../store-change.js';
import { DEFAULT_SWITCHES, type Switches } from '../switches.js';
import type { Account } from './account.js';
import type { Cause } from './cause.js';

const orders = serviceOf('orders');
const one = hostOf(1);
let fixture: LedgerFixture;

beforeEach(() => {
  fixture = new LedgerFixture();
});

const causes = (account: Account): Cause[] => account.causes.map(({ cause }) => cause);
const main = (account: Account): Cause | undefined => account.causes[0]?.cause;
const stages = (account: Account) => account.subscribers[0]?.told.stages.map(({ name, ms }) => [name, ms]);

function store(...changes: StoreChange[]): void {
  fixture.registry.step({ type: 'store', changes, actor: { via: 'operator', address: '10.0.0.50' } });
}

function setSwitches(switches: Partial<Switches>): void {
  store({ type: 'switches', value: { ...DEFAULT_SWITCHES, ...switches } });
}

function beatFor(ms: number, address = one): void {
  for (let passed = 0; passed < ms; passed += 5000) {
    fixture.registry.advance(5000);
    fixture.registry.beat(orders, address);
  }
}

function connection(state: 'ended' | 'reset' | 'open'): void {
  fixture.registry.step({ type: 'beat-connection', service: orders, address: one, state });
}

/** Lets two subscribed consumers follow, of which the one at 4000 acknowledges at once. */
function crash(afterBeats: () => void = () => undefined): void {
  fixture.registry.register(orders, one);
  fixture.subscribe(orders);
  beatFor(10_000);
  fixture.subscribe(orders);
  afterBeats();
  fixture.registry.advance(15_000);
}

describe('an instance that goes silent', () => {
  it('costs its heart-beat timeout, and each stage is told', () => {
    crash();
    fixture.registry.advance(30);
    fixture.acknowledge();
    fixture.registry.advance(60_000);
    const account = fixture.account(orders, 1);
    expect(main(account)).toBe('silent-crash');
    expect(stages(account)).toEqual([
      ['silence', 7500],
      ['timeout', 7500],
      ['push-wait', 0],
      ['acknowledge', 30],
    ]);
    expect(account).toMatchObject({ state: 'removed', incident: { totalMs: 15_000, backAt: null } });
    expect(account.subscribers[0]).toMatchObject({
      subscriber: '10.0.0.9:4000',
      told: { totalMs: 15_030, by: 'push' },
    });
  });

  it.each([
    ['ended', 'exited-without-deregistration'],
    ['reset', 'silent-crash'],
    ['open', 'frozen'],
  ] as const)('with its connection %s is told as %s', (state, cause) => {
    crash(() => connection(state));
    expect(main(fixture.account(orders, 1))).toBe(cause);
  });

  it('and comes back by a beat stood still', () => {
    crash();
    fixture.registry.advance(5000);
    fixture.registry.beat(orders, one);
    const account = fixture.account(orders, 1);
    expect(main(account)).toBe('frozen');
    expect(account).toMatchObject({ state: 'healthy', incident: { backAt: fixture.now } });
  });

  it('again and again beats too late', () => {
    fixture.registry.register(orders, one);
    for (let i = 0; i < 4; i++) {
      fixture.registry.advance(18_000);
      fixture.registry.beat(orders, one);
    }
    expect(main(fixture.account(orders, 1))).toBe('late-beats');
  });

  it('for less than its timeout is late, too', () => {
    fixture.registry.register(orders, one);
    fixture.registry.advance(12_000);
    fixture.registry.beat(orders, one);
    const account = fixture.account(orders, 1);
    expect(main(account)).toBe('late-beats');
    expect(account.incident).toMatchObject({ totalMs: 12_000 });
  });

  it('and is asked about meanwhile has not expired yet', () => {
    fixture.registry.register(orders, one);
    fixture.registry.advance(9000);
    expect(causes(fixture.account(orders, 1))).toContain('not-yet-expired');
  });

  it('and is registered anew by a full beat after its removal was re-created', () => {
    crash();
    fixture.registry.advance(16_000);
    fixture.registry.beat(orders, one, {});
    expect(causes(fixture.account(orders, 1))).toContain('re-created');
  });

  it('here while it beats to another node', () => {
    crash();
    const otherNodes = [{ node: 'node-b:8848', lastBeatAt: fixture.now - 1000 }];
    expect(main(fixture.account(orders, 1, { otherNodes }))).toBe('other-node');
  });

  it('with connections refused is confirmed dead', () => {
    fixture.registry.register(orders, one);
    fixture.registry.advance(7500);
    const health = { type: 'health', service: orders, kind: 'ephemeral', address: one } as const;
    fixture.registry.step({ ...health, healthy: false, cause: 'confirmed-dead', actor: { via: 'server' } });
    const account = fixture.account(orders, 1);
    expect(main(account)).toBe('confirmed-dead');
    expect(account.incident?.totalMs).toBe(7500);
  });

  it('while checks are off costs what the switch costs', () => {
    fixture.registry.register(orders, one);
    setSwitches({ healthCheckEnabled: false });
    fixture.registry.advance(60_000);
    expect(causes(fixture.account(orders, 1))).toContain('switch-off');
    setSwitches({});
    fixture.registry.advance(1);
    expect(fixture.account(orders, 1).incident?.totalMs).toBeGreaterThanOrEqual(60_000);
    expect(causes(fixture.account(orders, 1))).toContain('switch-off');
  });

  it.each([4000, 14_000])('of %i ms when the server restarted had its full time again', (silentMs) => {
    fixture.registry.register(orders, one);
    fixture.registry.advance(silentMs);
    fixture.follow();
    const facts = fixture.ledger.history(orders.id)?.facts ?? [];
    const earlier = { services: new Map([[orders.id, { key: orders, facts }]]), server: fixture.ledger.serverFacts };
    const entries = [...fixture.registry.core.snapshot()];
    fixture = new LedgerFixture(fixture.now + 500);
    fixture.registry.step({ type: 'restore', changes: [], entries });
    fixture.ledger.putBefore(earlier);
    fixture.registry.advance(15_000);
    expect(main(fixture.account(orders, 1))).toBe('restart-grace');
  });
});

describe('an instance that leaves', () => {
  it('by deregistration costs what its subscribers take, and tells of the wait', () => {
    fixture.registry.register(orders, one);
    fixture.subscribe(orders);
    fixture.registry.advance(1000);
    fixture.registry.deregister(orders, one);
    fixture.registry.step({ type: 'await-subscribers', service: orders, id: 1, waitMs: 5000 });
    fixture.registry.advance(40);
    fixture.acknowledge();
    const account = fixture.account(orders, 1);
    expect(main(account)).toBe('deregistered');
    expect(account.subscribers[0]?.told.totalMs).toBe(40);
    expect(account.incident?.awaited).toEqual({ waitedMs: 40, acknowledged: 1, pending: [] });
  });

  it('while a beat was late lived until it left', () => {
    fixture.registry.register(orders, one);
    fixture.subscribe(orders);
    fixture.registry.advance(9000);
    fixture.registry.deregister(orders, one);
    fixture.registry.advance(7);
    fixture.acknowledge();
    const account = fixture.account(orders, 1);
    expect(main(account)).toBe('deregistered');
    expect(account.subscribers[0]?.told.totalMs).toBe(7);
  });

  it('by the end of its connection did not deregister', () => {
    publish('c1');
    fixture.registry.advance(5000);
    fixture.registry.step({ type: 'connection-closed', connection: 'c1', cause: 'connection-closed' });
    expect(main(fixture.account(orders, 1))).toBe('exited-without-deregistration');
  });

  it('by a connection that fell silent stood still since its last message, not since its registration', () => {
    publish('c1');
    fixture.registry.advance(60_000);
    const lastSign = fixture.registry.clock.now().mono;
    fixture.registry.advance(25_000);
    fixture.registry.step({ type: 'connection-closed', connection: 'c1', cause: 'connection-silent', lastSign });
    const account = fixture.account(orders, 1);
    expect(main(account)).toBe('frozen');
    expect(account.incident?.totalMs).toBe(25_000);
  });

  it('by hand was not its own failure', () => {
    fixture.registry.register(orders, one);
    store({ type: 'edit', service: orders, kind: 'ephemeral', address: one, value: { enabled: false } });
    expect(main(fixture.account(orders, 1))).toBe('operator-edit');
  });
});

describe('a subscriber', () => {
  it('whose push was lost waits for the next send', () => {
    crash();
    fixture.registry.advance(10_000);
    fixture.acknowledge();
    const account = fixture.account(orders, 1);
    expect(causes(account)).toContain('push-lost');
    expect(stages(account)?.slice(2)).toEqual([
      ['push-wait', 0],
      ['push-lost', 10_000],
      ['acknowledge', 0],
    ]);
    expect(account.subscribers[0]?.told.totalMs).toBe(25_000);
  });

  it('that never acknowledges is told by its next poll', () => {
    crash();
    fixture.registry.advance(11_000);
    fixture.subscribe(orders);
    const account = fixture.account(orders, 1);
    expect(causes(account)).toContain('push-not-acknowledged');
    expect(account.subscribers[0]?.told).toMatchObject({ end: 'told', by: 'poll', totalMs: 26_000 });
  });

  it('behind an unacknowledged push waits', () => {
    fixture.registry.register(orders, one);
    fixture.subscribe(orders);
    fixture.registry.advance(1000);
    fixture.registry.register(orders, hostOf(2));
    fixture.registry.advance(500);
    fixture.registry.deregister(orders, one);
    fixture.registry.advance(300);
    fixture.acknowledge();
    fixture.registry.advance(5);
    fixture.acknowledge();
    const account = fixture.account(orders, 1);
    expect(causes(account)).toContain('push-queued');
    expect(stages(account)).toEqual([
      ['push-wait', 300],
      ['acknowledge', 5],
    ]);
  });

  it('behind an unacknowledged push may be told by its poll before', () => {
    fixture.registry.register(orders, one);
    fixture.subscribe(orders);
    fixture.registry.advance(1000);
    fixture.registry.register(orders, hostOf(2));
    fixture.registry.advance(500);
    fixture.registry.deregister(orders, one);
    fixture.registry.advance(300);
    fixture.subscribe(orders);
    expect(causes(fixture.account(orders, 1))).toContain('push-queued');
  });

  it('of a change inside the merge window waits for its end', () => {
    fixture.registry.register(orders, one);
    fixture.subscribe(orders);
    fixture.registry.advance(1000);
    fixture.registry.register(orders, hostOf(2));
    fixture.acknowledge();
    fixture.registry.advance(20);
    fixture.registry.deregister(orders, one);
    fixture.registry.advance(90);
    fixture.acknowledge();
    expect(stages(fixture.account(orders, 1))?.[0]).toEqual(['push-wait', 80]);
    expect(causes(fixture.account(orders, 1))).toContain('push-merged');
  });

  it.each([
    ['address-not-allowed', 'push-refused-address'],
    ['agent-not-supported', 'poll-only'],
  ] as const)('that was refused (%s) learns by polling', (reason, cause) => {
    fixture.registry.register(orders, one);
    const actor = { via: 'http-v1', address: '10.0.0.9' } as const;
    fixture.registry.step({ type: 'refuse-subscriber', service: orders, subscriber: '10.0.0.9:1', reason, actor });
    fixture.registry.step({ type: 'list-polled', service: orders, clusters: '', actor });
    fixture.registry.advance(15_000);
    fixture.registry.advance(2000);
    fixture.registry.step({ type: 'list-polled', service: orders, clusters: '', actor });
    const account = fixture.account(orders, 1);
    expect(causes(account)).toContain(cause);
    expect(account.subscribers.map(({ told }) => told.totalMs)).toContain(17_000);
  });

  it('whose list is too large for a datagram learns by polling', () => {
    crash();
    const number = fixture.registry.pushes().at(-1)?.number ?? 0;
    fixture.registry.step({ type: 'push-failed', ip: '10.0.0.9', port: 4000, number, reason: 'too-large' });
    fixture.registry.advance(3000);
    fixture.subscribe(orders);
    const account = fixture.account(orders, 1);
    expect(causes(account)).toContain('push-refused-size');
    expect(account.subscribers[0]?.told).toMatchObject({ by: 'poll', totalMs: 18_000 });
  });

  it('that only polls', () => {
    fixture.registry.register(orders, one);
    const poll = { type: 'list-polled', service: orders, clusters: '', actor: TESTER } as const;
    fixture.registry.step(poll);
    fixture.registry.advance(15_000);
    fixture.registry.advance(4000);
    fixture.registry.step(poll);
    const account = fixture.account(orders, 1);
    expect(causes(account)).toContain('poll-only');
    expect(account.subscribers[0]).toMatchObject({ subscriber: '127.0.0.1', told: { by: 'poll', totalMs: 19_000 } });
  });

  it('that is gone was not told', () => {
    fixture.registry.register(orders, one);
    fixture.subscribe(orders);
    fixture.registry.advance(15_000);
    fixture.registry.advance(15_000);
    const account = fixture.account(orders, 1);
    expect(account.subscribers[0]?.told.end).toBe('gone');
    expect(causes(account)).toContain('subscriber-gone');
  });

  it('is not pushed while the switch is off', () => {
    fixture.registry.register(orders, one);
    fixture.subscribe(orders);
    setSwitches({ pushEnabled: false });
    fixture.registry.advance(15_000);
    fixture.registry.advance(5000);
    const account = fixture.account(orders, 1);
    expect(account.subscribers[0]?.told.end).toBe('open');
    expect(causes(account)).toContain('switch-off');
  });

  it('of other clusters is not in the account', () => {
    fixture.registry.register(orders, one);
    fixture.subscribe(orders, 4000, 'other');
    fixture.registry.advance(15_000);
    expect(fixture.account(orders, 1).subscribers).toEqual([]);
  });

  it('that was told long before calls on its own account', () => {
    crash();
    fixture.registry.advance(20);
    fixture.acknowledge();
    fixture.registry.advance(5000);
    const { now } = fixture;
    fixture.registry.advance(9980);
    fixture.acknowledge();
    fixture.registry.advance(10_000);
    expect(main(fixture.account(orders, 1, { at: now }))).toBe('filter');
    fixture.registry.advance(50_000);
    fixture.subscribe(orders);
    expect(main(fixture.account(orders, 1, { at: fixture.now, subscriber: '10.0.0.9:4000' }))).toBe('consumer-cache');
  });
});

describe('an instance that is listed as healthy', () => {
  it('because of health protection', () => {
    store({ type: 'service', service: orders, value: { ...DEFAULT_DEFINITION, protectThreshold: 0.5 } });
    fixture.registry.register(orders, one);
    fixture.registry.register(orders, hostOf(2));
    beatFor(10_000, hostOf(2));
    fixture.registry.advance(5000);
    fixture.registry.beat(orders, hostOf(2));
    expect(main(fixture.account(orders, 1))).toBe('protection');
    expect(fixture.types(orders)).toContain('protection-on');
  });

  it('because its connection lives', () => {
    publish('c1');
    fixture.registry.advance(60_000);
    expect(causes(fixture.account(orders, 1))).toEqual(['still-connected']);
  });

  it('because two publishers hold it', () => {
    publish('c1');
    fixture.registry.register(orders, one);
    expect(causes(fixture.account(orders, 1))).toContain('two-publishers');
  });

  it('because somebody else beats for it', () => {
    fixture.registry.register(orders, one);
    const actor = { via: 'http-v1', address: '10.0.0.77' } as const;
    fixture.registry.step({ type: 'beat', service: orders, address: one, content: undefined, actor });
    expect(causes(fixture.account(orders, 1))).toContain('beats-by-another');
  });

  it('because it is persistent and nothing probes it', () => {
    persist('NONE');
    expect(causes(fixture.account(orders, 1))).toEqual(['persistent-without-probe']);
  });

  it('until its probes have failed often enough', () => {
    persist('TCP');
    fixture.registry.advance(10_000);
    expect(causes(fixture.account(orders, 1))).toEqual(['probe-interval']);
    const lastGood = fixture.registry.clock.now().mono;
    const probe = { type: 'probe', service: orders, address: one, lastGood } as const;
    fixture.registry.advance(4000);
    fixture.registry.step({ ...probe, result: 'failed' });
    fixture.registry.advance(500);
    expect(main(fixture.account(orders, 1))).toBe('probe-interval');
    fixture.registry.advance(500);
    const health = { type: 'health', service: orders, kind: 'persistent', address: one } as const;
    fixture.registry.step({ ...health, healthy: false, cause: 'probe', actor: { via: 'server' } });
    expect(fixture.account(orders, 1)).toMatchObject({
      causes: [{ cause: 'probe-interval', ms: 5000 }],
      incident: { stages: [{ ms: 4000 }, { ms: 1000 }], totalMs: 5000 },
    });
  });

  it('while single probes fail', () => {
    persist('TCP');
    fixture.registry.advance(10_000);
    const probe = { type: 'probe', service: orders, address: one } as const;
    const lastGood = fixture.registry.clock.now().mono;
    fixture.registry.advance(2000);
    fixture.registry.step({ ...probe, result: 'failed', lastGood });
    fixture.registry.advance(2000);
    fixture.registry.step({ ...probe, result: 'passed', lastGood: fixture.registry.clock.now().mono });
    expect(fixture.account(orders, 1)).toMatchObject({
      state: 'healthy',
      causes: [{ cause: 'probe-interval', ms: 4000 }],
      incident: { totalMs: 4000 },
    });
  });

  it('in another service', () => {
    fixture.registry.register(serviceOf('ghosts'), one);
    fixture.registry.register(orders, one);
    fixture.registry.deregister(orders, one);
    const question = fixture.question(orders, 1);
    expect(question.elsewhere).toEqual(['public DEFAULT_GROUP@@ghosts']);
    expect(causes(fixture.account(orders, 1))).toContain('registered-elsewhere');
  });

  it('in another service, too, is told of last', () => {
    fixture.registry.register(serviceOf('ghosts'), one);
    publish('c1');
    expect(causes(fixture.account(orders, 1))).toEqual(['still-connected', 'registered-elsewhere']);
  });

  it('and well has no cause', () => {
    fixture.registry.register(orders, one);
    expect(fixture.account(orders, 1)).toMatchObject({ state: 'healthy', incident: null, causes: [] });
  });
});

it('asks about a past moment, or the first incident since one', () => {
  crash();
  fixture.registry.beat(orders, one);
  const between = fixture.now;
  beatFor(20_000);
  fixture.registry.advance(15_000);
  const [first, last] = [fixture.account(orders, 1, { at: between }), fixture.account(orders, 1)];
  expect(last.incident?.from).toBeGreaterThan(first.incident?.from ?? 0);
  expect(fixture.account(orders, 1, { since: 0 }).incident?.from).toBe(first.incident?.from);
  expect(fixture.account(orders, 1, { since: between }).incident?.from).toBe(last.incident?.from);
});

function publish(connectionId: string): void {
  const instances = [{ address: one, content: contentOf() }];
  fixture.registry.step({
    type: 'publish',
    service: orders,
    connection: connectionId,
    instances,
    means: 'list',
    actor: { via: 'grpc' },
  });
}

function persist(type: 'NONE' | 'TCP'): void {
  const cluster = { healthChecker: { type }, metadata: metadataOf({}) };
  const clusters = new Map([['DEFAULT', cluster]]) as unknown as (typeof DEFAULT_DEFINITION)['clusters'];
  const content = contentOf();
  store(
    { type: 'service', service: orders, value: { ...DEFAULT_DEFINITION, clusters } },
    { type: 'persistent-instance', service: orders, address: one, value: { registered: content, base: content } },
  );
}
