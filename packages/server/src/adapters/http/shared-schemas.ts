// Schemas of what several protocols show alike.

import { anyOf, arrayOf, INTEGER, mapOf, NULL, named, objectOf, oneOfTexts, STRING } from './answer-schema.js';

/** Metadata: texts by key. */
export const METADATA_SCHEMA = mapOf(STRING);

/** A text that may be missing. */
export const TEXT_OR_NULL = anyOf(STRING, NULL);

/** Which instances consumers may select. */
export const SELECTOR_SCHEMA = named(
  'Selector',
  objectOf(
    { type: oneOfTexts('none', 'label') },
    { expression: STRING, labels: arrayOf(STRING), contextType: oneOfTexts('NONE', 'CMDB') },
  ),
);

/** How the persistent instances of a cluster are probed. */
export const CHECKER_SCHEMA = named(
  'HealthChecker',
  objectOf(
    { type: oneOfTexts('TCP', 'HTTP', 'MYSQL', 'NONE') },
    { path: STRING, headers: STRING, expectedResponseCode: INTEGER, user: STRING, pwd: STRING, cmd: STRING },
  ),
);
