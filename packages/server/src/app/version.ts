// The version of this program, from its package file: sources, build and bundle lie equally deep beside one. The bundle's is that
// of the command, which has the same version.

import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Version of the server, such as `0.1.0`. */
export const SERVER_VERSION: string = version;
