// Options of the store that holds durable data.

import { readFileSync } from 'node:fs';
import type { EtcdAccess, EtcdTls } from '../adapters/store/etcd/etcd-access.js';
import { EMBEDDED_STORE, readEtcdAddress } from '../adapters/store/etcd/etcd-address.js';
import { textOption, type ValueOf } from './option.js';
import { StartError } from './start-error.js';

const isPath = (text: string): boolean => /^[^\0]{0,1024}$/.test(text);
const PATH_ALLOWED = 'a path of at most 1024 characters';
const isLoginText = (text: string): boolean => /^[^\0]{0,256}$/.test(text);

/** Every option of the store by its key. */
export const STORE_OPTIONS = {
  store: textOption({
    group: 'Data',
    doc: 'Where persistent instances, service definitions, namespaces and switches are kept: "embedded" in the data folder of this server, or in an etcd that all nodes of a cluster share, "etcd://host:port,host:port/root".',
    placeholder: 'embedded|etcd://address',
    allowed:
      '"embedded", or "etcd://" with 1 to 32 addresses "host:port", separated by commas, and a path for the keys ("/rollcall" without one)',
    default: EMBEDDED_STORE,
    isAllowed: (text) => text === EMBEDDED_STORE || readEtcdAddress(text) !== undefined,
  }),
  storeTlsCa: textOption({
    group: 'Data',
    doc: 'Authority that signed the certificates of the etcd (PEM file): the store is then reached over TLS.',
    placeholder: 'path',
    allowed: PATH_ALLOWED,
    default: '',
    isAllowed: isPath,
  }),
  storeTlsCert: textOption({
    group: 'Data',
    doc: 'Certificate of this server for an etcd that asks its clients for one (PEM file).',
    placeholder: 'path',
    allowed: PATH_ALLOWED,
    default: '',
    isAllowed: isPath,
  }),
  storeTlsKey: textOption({
    group: 'Data',
    doc: 'Its key (PEM file).',
    placeholder: 'path',
    allowed: PATH_ALLOWED,
    default: '',
    isAllowed: isPath,
  }),
  storeUser: textOption({
    group: 'Data',
    doc: 'User of the etcd with the right to read and write below the path of the keys; none by default.',
    placeholder: 'name',
    allowed: 'at most 256 characters',
    default: '',
    isAllowed: isLoginText,
  }),
  storePassword: textOption({
    group: 'Data',
    doc: 'Its password. A flag can be seen by other users of the machine: better a variable or the configuration file.',
    placeholder: 'text',
    allowed: 'at most 256 characters',
    default: '',
    isSecret: true,
    isAllowed: isLoginText,
  }),
};

/** What a configuration says of the store. */
export type StoreConfig = { readonly [K in keyof typeof STORE_OPTIONS]: ValueOf<(typeof STORE_OPTIONS)[K]> };

/** How the etcd of a configuration is reached. Reads the files of TLS. @throws StartError `bad-config` when one cannot be read */
export function etcdAccessOf(config: StoreConfig): EtcdAccess {
  const { storeTlsCa, storeTlsCert, storeTlsKey, storeUser, storePassword } = config;
  if ((storeTlsCert === '') !== (storeTlsKey === '') || (storeTlsCa === '' && storeTlsCert !== '')) {
    const found = `found storeTlsCa "${storeTlsCa}", storeTlsCert "${storeTlsCert}", storeTlsKey "${storeTlsKey}"`;
    const allowed = 'allowed is none of them, the authority alone, or all three';
    throw new StartError('bad-config', `Cannot reach the store "${config.store}" with TLS: ${found}; ${allowed}`);
  }
  const tls: EtcdTls | undefined =
    storeTlsCa === ''
      ? undefined
      : {
          authority: pemOf('storeTlsCa', storeTlsCa),
          ...(storeTlsCert !== '' && {
            certificate: pemOf('storeTlsCert', storeTlsCert),
            key: pemOf('storeTlsKey', storeTlsKey),
          }),
        };
  const login = storeUser === '' ? undefined : { user: storeUser, password: storePassword };
  return { ...(tls && { tls }), ...(login && { login }) };
}

function pemOf(option: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const found = (error as Error).message;
    throw new StartError('bad-config', `Cannot use option "${option}": ${found}; allowed is a readable PEM file`, {
      cause: error,
    });
  }
}
