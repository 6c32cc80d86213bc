import fc from 'fast-check';
import { expect, test } from 'vitest';
import { detached } from './detached-text.js';

test('a copy has the same characters, whatever its length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.constantFrom(1, 30, 200), (text, times) => {
      const whole = text.repeat(times);
      expect(detached(whole)).toBe(whole);
    }),
  );
});
