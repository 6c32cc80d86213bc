import { expect, it } from 'vitest';
import { parseMetadata } from './metadata-text.js';
import { RegistryError } from './registry-error.js';

it('quotes a value of megabytes in part', () => {
  const limits = { metadataBytes: 1_000_000, metadataKeys: 100 };
  let caught: unknown;
  try {
    parseMetadata('x'.repeat(4_000_000), limits);
  } catch (error) {
    caught = error;
  }
  expect(caught).toBeInstanceOf(RegistryError);
  expect((caught as RegistryError).message).toMatch(/^metadata format incorrect:x+…$/);
  expect((caught as RegistryError).message.length).toBe(4097);
});
