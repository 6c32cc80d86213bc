import { expect, it } from 'vitest';
import { hostOf, serviceOf } from '../../testing/core-fixture.js';
import { LedgerFixture } from '../../testing/ledger-fixture.js';
import { accountOf } from './account.js';
import { CAUSES } from './cause.js';
import { sentencesOf, verdictFacts } from './verdict.js';
import type { VerdictFacts } from './verdict-facts.js';

const orders = serviceOf('orders');

it('says where the time went and what to change', () => {
  const fixture = new LedgerFixture();
  fixture.registry.register(orders, hostOf(1));
  fixture.subscribe(orders);
  fixture.registry.advance(15_000);
  fixture.registry.advance(38);
  fixture.acknowledge();
  const question = fixture.question(orders, 1);
  const facts = verdictFacts(accountOf(question), question);
  expect(sentencesOf(facts, 'en')).toEqual({
    verdict: '10.0.0.1:8080 went silent without a word: 15.0 s passed until its heart-beat timeout ended.',
    advice:
      'The 15.0 s are the default heart-beat timeout; set the metadata preserved.heart.beat.timeout (and preserved.heart.beat.interval) of the instance to shorten them.',
  });
  expect(sentencesOf(facts, 'zh').verdict).toContain('10.0.0.1:8080');
});

it('has sentences for every cause in both languages', () => {
  const facts: Omit<VerdictFacts, 'cause'> = {
    instance: '10.0.0.1:8080',
    ms: 1000,
    totalMs: 2000,
    subscriber: '10.0.0.9:4000',
    transport: 'udp',
    beatTimeoutMs: 3000,
    deleteTimeoutMs: 6000,
    beatIntervalMs: 1000,
    actor: '10.0.0.50',
    reason: 'address-not-allowed',
    protection: { healthy: 1, all: 5, threshold: 0.3, dialect: 'v1' },
    elsewhere: ['public DEFAULT_GROUP@@ghosts'],
    publishers: ['http', 'c1'],
    silentMs: 4000,
    state: 'unhealthy',
    takeOver: { from: '10.0.0.1:8848', to: '10.0.0.3:8848', why: 'holder-lost', ms: 7000 },
    holder: '10.0.0.2:8848',
  };
  const texts = new Set<string>();
  for (const cause of CAUSES) {
    for (const language of ['en', 'zh'] as const) {
      const { verdict, advice } = sentencesOf({ ...facts, cause }, language);
      expect(verdict).toMatch(language === 'en' ? /^[^\u4e00-\u9fff]+\.$/ : /[\u4e00-\u9fff].*。$/);
      expect(advice).not.toMatch(/undefined|NaN/);
      texts.add(verdict);
    }
  }
  expect(texts.size).toBe(2 * CAUSES.length);
});
