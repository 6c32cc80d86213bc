import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { etcdAccessOf, type StoreConfig } from './store-options.js';

const PLAIN: StoreConfig = {
  store: 'etcd://a',
  storeTlsCa: '',
  storeTlsCert: '',
  storeTlsKey: '',
  storeUser: '',
  storePassword: '',
};
const directory = mkdtempSync(join(tmpdir(), 'rollcall-store-options-'));
const pem = join(directory, 'pem');
writeFileSync(pem, 'PEM');
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('nothing is needed for a store that is open to all', () => {
  expect(etcdAccessOf(PLAIN)).toEqual({});
});

test('files of TLS are read, and a user goes along', () => {
  const content = Buffer.from('PEM');
  expect(etcdAccessOf({ ...PLAIN, storeTlsCa: pem })).toEqual({ tls: { authority: content } });
  const all = { ...PLAIN, storeTlsCa: pem, storeTlsCert: pem, storeTlsKey: pem, storeUser: 'u', storePassword: 'p' };
  expect(etcdAccessOf(all)).toEqual({
    tls: { authority: content, certificate: content, key: content },
    login: { user: 'u', password: 'p' },
  });
});

test('a file that cannot be read is named', () => {
  expect(() => etcdAccessOf({ ...PLAIN, storeTlsCa: join(directory, 'none') })).toThrow(
    /^Cannot use option "storeTlsCa": ENOENT.*none'; allowed is a readable PEM file$/,
  );
});

test.each([{ storeTlsCert: pem }, { storeTlsKey: pem, storeTlsCa: pem }, { storeTlsCert: pem, storeTlsKey: pem }])(
  'certificates that are not complete are refused (%j)',
  (part) => {
    expect(() => etcdAccessOf({ ...PLAIN, ...part })).toThrow(
      'allowed is none of them, the authority alone, or all three',
    );
  },
);
