import { describe, expect, test } from 'vitest';
import { ERROR_CODES, errorMapping } from './error-code.js';
import { RegistryError } from './registry-error.js';

describe('error codes', () => {
  test.each(ERROR_CODES)('%s maps to an HTTP error, a Nacos code and a gRPC code', (code) => {
    const mapping = errorMapping(code);
    expect(mapping.httpStatus).toBeGreaterThanOrEqual(400);
    expect(mapping.httpStatus).toBeLessThan(600);
    expect(mapping.resultCode).toBeGreaterThanOrEqual(10000);
    expect(mapping.resultText).not.toBe('');
    expect(mapping.grpcCode).toBeGreaterThanOrEqual(300);
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });

  test.each([
    ['missing-parameter', 400, 10000, 'parameter missing', 400],
    ['invalid-parameter', 400, 20002, 'parameter validate error', 400],
    ['not-found', 404, 20004, 'resource not found', 404],
    ['invalid-weight', 400, 21001, 'weight error', 400],
    ['invalid-metadata', 400, 21002, 'instance metadata error', 400],
    ['namespace-not-found', 404, 22001, 'namespace not exist', 404],
    ['kind-conflict', 400, 30000, 'server error', 400],
    ['access-denied', 403, 10001, 'access denied', 403],
    ['unavailable', 503, 30000, 'server error', 300],
  ] as const)('%s has the numbers and text of Nacos', (code, httpStatus, resultCode, resultText, grpcCode) => {
    expect(errorMapping(code)).toEqual({ httpStatus, resultCode, resultText, grpcCode });
  });
});

describe('RegistryError', () => {
  test('keeps the message as the wire text and puts the code first in its own text', () => {
    const error = new RegistryError('missing-parameter', "Param 'ip' is required.", { details: { parameter: 'ip' } });
    expect(error.message).toBe("Param 'ip' is required.");
    expect(String(error)).toBe("missing-parameter: Param 'ip' is required.");
    expect(error.details).toEqual({ parameter: 'ip' });
    expect(error.name).toBe('RegistryError');
  });

  test('carries its cause only when there is one', () => {
    const cause = new Error('disk full');
    expect(new RegistryError('storage-failed', 'write failed', { cause }).cause).toBe(cause);
    expect('cause' in new RegistryError('internal', 'x')).toBe(false);
  });
});
