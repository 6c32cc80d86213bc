import { readFileSync } from 'node:fs';
import { RegistryError } from '@rollcall/protocol';
import { describe, expect, test } from 'vitest';
import { CLIENT_ERROR_CODES, CLIENT_ONLY_CODES, ClientError, clientErrorOf, codeOfStatus } from './client-error.js';

describe('codes of the client', () => {
  const page = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');
  const table = page.slice(page.indexOf('## Codes of the TypeScript client'));

  test('that only it has are in docs/errors.md, in order, with whether they are transient', () => {
    const rows = [...table.matchAll(/^\| `([a-z-]+)` \| (yes|no) \|/gm)].map(([, code, transient]) => [
      code,
      transient,
    ]);
    expect(rows).toEqual(CLIENT_ONLY_CODES.map((code) => [code, new ClientError(code, '').transient ? 'yes' : 'no']));
  });

  test('are all different from those of the server', () => {
    expect(new Set(CLIENT_ERROR_CODES).size).toBe(CLIENT_ERROR_CODES.length);
  });

  test.each([
    [400, 'invalid-parameter'],
    [401, 'access-denied'],
    [403, 'access-denied'],
    [404, 'not-found'],
    [429, 'overloaded'],
    [302, 'unexpected-answer'],
    [500, 'unavailable'],
    [503, 'unavailable'],
  ] as const)('status %d is %s', (status, code) => {
    expect(codeOfStatus(status)).toBe(code);
  });

  test('every thrown value becomes a client error that keeps what was thrown', () => {
    const registry = new RegistryError('invalid-weight', 'w');
    expect(clientErrorOf(registry)).toMatchObject({ code: 'invalid-weight', message: 'w', cause: registry });
    const own = new ClientError('closed', 'c');
    expect(clientErrorOf(own)).toBe(own);
    expect(clientErrorOf('text')).toMatchObject({ code: 'internal', cause: 'text' });
    expect(String(own)).toBe('closed: c');
  });
});
