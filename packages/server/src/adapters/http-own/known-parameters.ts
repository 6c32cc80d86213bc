// Questions to the ledger refuse parameters that their route does not have: an answer to a question with `at` or `subscriber`
// misspelt, or on a route that has none, would be taken for the answer to what was meant.

import { type Parameters, RegistryError } from '@rollcall/protocol';
import type { RouteParameter } from '../http/route.js';

/** Characters of an unknown name that are quoted back. */
const NAME_CHARS_SHOWN = 64;

/** Looks at every name. @param known - those of the route @throws RegistryError `invalid-parameter` that names the first one unknown */
export function requireKnown(parameters: Parameters, known: readonly RouteParameter[]): void {
  for (const [name] of parameters.entries()) {
    if (known.some((parameter) => parameter.name === name)) continue;
    const shown = name.slice(0, NAME_CHARS_SHOWN);
    const allowed = known.map((parameter) => `"${parameter.name}"`).join(', ');
    throw new RegistryError('invalid-parameter', `Param '${shown}' is unknown here, allowed are ${allowed}`, {
      details: { parameter: shown },
    });
  }
}
