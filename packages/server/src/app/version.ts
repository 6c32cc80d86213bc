// The version of this program, from its package file: the build and the sources lie equally deep beside it.

import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Version of the server, such as `0.1.0`. */
export const SERVER_VERSION: string = version;
