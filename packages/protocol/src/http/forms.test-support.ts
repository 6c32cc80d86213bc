// Rules and requests that tests of forms share.

import { DEFAULT_LIMITS } from '../limits.js';
import { httpV1NameRules } from '../names.js';
import { Parameters } from '../parameters.js';
import type { FormRules } from './instance-form.js';

/** Rules of a server that is not configured otherwise. */
export const RULES: FormRules = { names: httpV1NameRules(DEFAULT_LIMITS), limits: DEFAULT_LIMITS };

/** The parameters of a request with these values, percent-encoded once. */
export function request(values: Readonly<Record<string, string>>): Parameters {
  return new Parameters(new URLSearchParams(values).toString());
}
