// Where the golden data lies in this package, seen from the source as well as from the built files.

import { fileURLToPath } from 'node:url';

/** Folder with `cases/`, `answers/` and `expectations.json`. */
export const GOLDEN_FOLDER = fileURLToPath(new URL('../../testdata/golden', import.meta.url));

/** The same for gRPC, with cases and answers in the form of `golden-grpc`. */
export const GRPC_GOLDEN_FOLDER = fileURLToPath(new URL('../../testdata/golden-grpc', import.meta.url));
