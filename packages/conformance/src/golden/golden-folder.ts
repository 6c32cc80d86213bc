// Where the golden data lies in this package, seen from the source as well as from the built files.

import { fileURLToPath } from 'node:url';

/** Folder with `cases/`, `answers/` and `expectations.json`. */
export const GOLDEN_FOLDER = fileURLToPath(new URL('../../testdata/golden', import.meta.url));
