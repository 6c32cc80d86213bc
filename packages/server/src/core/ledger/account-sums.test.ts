import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hostOf, serviceOf, TESTER } from '../../testing/core-fixture.js';
import { LedgerFixture } from '../../testing/ledger-fixture.js';

const orders = serviceOf('orders');
const one = hostOf(1);
let fixture: LedgerFixture;

it('adds up exactly, never has a negative stage, whatever happens, also when the wall clock jumps', () => {
  const step = fc.oneof(
    fc.constantFrom(
      'register',
      'beat',
      'full-beat',
      'deregister',
      'subscribe',
      'acknowledge',
      'poll',
      'other' as const,
    ),
    fc.record({ advance: fc.integer({ min: 1, max: 12_000 }) }),
    fc.record({ setBy: fc.integer({ min: -100_000, max: 100_000 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      fixture = new LedgerFixture();
      for (const each of steps) {
        perform(each);
        const account = fixture.account(orders, 1);
        for (const { told, removal } of account.subscribers) {
          for (const chain of removal === null ? [told] : [told, removal]) {
            expect(chain.stages.reduce((sum, { ms }) => sum + ms, 0)).toBe(chain.totalMs);
            expect(chain.stages.every(({ ms, from, to }) => ms >= 0 && to - from === ms)).toBe(true);
            const ends = chain.stages.map(({ to }) => to);
            expect(chain.stages.slice(1).map(({ from }) => from)).toEqual(ends.slice(0, -1));
          }
        }
        const { incident } = account;
        expect(incident?.stages.reduce((sum, { ms }) => sum + ms, 0)).toBe(incident?.totalMs);
      }
    }),
    { numRuns: 100 },
  );
});

function perform(step: string | { advance: number } | { setBy: number }): void {
  const { registry } = fixture;
  if (typeof step === 'object') {
    if ('advance' in step) registry.advance(step.advance);
    else registry.clock.setWall(registry.clock.now().wall + step.setBy);
  } else if (step === 'register') registry.register(orders, one);
  else if (step === 'beat') registry.beat(orders, one);
  else if (step === 'full-beat') registry.beat(orders, one, {});
  else if (step === 'deregister') registry.deregister(orders, one);
  else if (step === 'subscribe') fixture.subscribe(orders);
  else if (step === 'acknowledge') fixture.acknowledge();
  else if (step === 'poll') registry.step({ type: 'list-polled', service: orders, clusters: '', actor: TESTER });
  else registry.register(orders, hostOf(2));
}
