// Selectors as data: which instances a consumer sees (services), and which services a listing shows.
// Source: Nacos 1.4.8 SelectorType, LabelSelector (expression grammar), ServiceController.list; contract 7.1 and 7.5.

import { isBlank } from './java-text.js';
import { checkJsonParts } from './json-parts.js';
import { jsonText } from './json-text.js';
import type { Limits } from './limits.js';
import { decodeFormText } from './percent-decoding.js';
import { RegistryError } from './registry-error.js';

/** `none`: everything. `label`: instances whose labels equal those of the consumer, label by label. */
export type Selector =
  | { readonly type: 'none' }
  | {
      readonly type: 'label';
      /** Expression as it was sent. */
      readonly expression: string;
      /** Label names in the order of the expression, each once. */
      readonly labels: readonly string[];
    };

/** The selector of a service for which nobody set any. */
export const NO_SELECTOR: Selector = { type: 'none' };

/** What `/service/list` is filtered by: one metadata entry of the service or of any of its instances. */
export type ServiceListSelector =
  | { readonly type: 'none' }
  | { readonly type: 'metadata'; readonly of: 'service' | 'instance'; readonly key: string; readonly value: string };

/** The limits that selectors have. */
export type SelectorLimits = Pick<Limits, 'expressionLength'>;

const NO_LIST_SELECTOR: ServiceListSelector = { type: 'none' };
const CONSUMER = 'CONSUMER.label.';
const PROVIDER = 'PROVIDER.label.';

/**
 * Reads the `selector` parameter of a service: JSON, once more percent-encoded or not. Blank is none.
 *
 * @throws RegistryError `invalid-selector` when it is no JSON object, of another type, or its expression cannot be read
 */
export function parseSelector(text: string, limits: SelectorLimits): Selector {
  if (isBlank(text)) return NO_SELECTOR;
  const json = readSelectorObject(text);
  switch (json.type) {
    case 'none':
      return NO_SELECTOR;
    case 'label': {
      const expression = expressionOf(json, limits);
      return { type: 'label', expression, labels: parseLabelExpression(expression) };
    }
    default:
      throw refused('not match any type of selector!');
  }
}

/** A selector as JSON, as service answers show it. */
export function selectorJson(selector: Selector): string {
  if (selector.type === 'none') return '{"type":"none"}';
  const labels = selector.labels.map(jsonText).join(',');
  return `{"type":"label","expression":${jsonText(selector.expression)},"labels":[${labels}]}`;
}

/**
 * Reads the `selector` parameter of a service listing: type `label` with an expression `INSTANCE.metadata.k = 'v'` or
 * `SERVICE.metadata.k = 'v'`, where the key is what follows the last dot; another left side does not filter.
 *
 * @throws RegistryError `invalid-selector` when it is no JSON object, of another type, or its expression cannot be read
 */
export function parseServiceListSelector(text: string, limits: SelectorLimits): ServiceListSelector {
  if (isBlank(text)) return NO_LIST_SELECTOR;
  const json = readSelectorObject(text);
  if (json.type === 'none') return NO_LIST_SELECTOR;
  if (json.type !== 'label') throw refused('not match any type of selector!');
  const expression = expressionOf(json, limits);
  const equals = expression.indexOf('=');
  if (equals < 0)
    throw refused(`parse expression failed! Found "${expression}", allowed is INSTANCE.metadata.key = 'value'`);
  const left = expression.slice(0, equals).trim();
  const value = unquoted(expression.slice(equals + 1).trim());
  const key = left.slice(left.lastIndexOf('.') + 1);
  if (left.startsWith('INSTANCE.metadata.')) return { type: 'metadata', of: 'instance', key, value };
  if (left.startsWith('SERVICE.metadata.')) return { type: 'metadata', of: 'service', key, value };
  return NO_LIST_SELECTOR;
}

/** Reads `CONSUMER.label.a = PROVIDER.label.a & …`; white space does not count, blank has no labels. */
function parseLabelExpression(expression: string): string[] {
  const bare = expression.replace(/\s+/g, '');
  if (bare === '') return [];
  const labels = new Set<string>();
  for (const term of bare.split('&')) {
    const [consumer = '', provider = '', more] = term.split('=');
    const label = consumer.slice(CONSUMER.length);
    const matches =
      consumer.startsWith(CONSUMER) && label !== '' && provider === PROVIDER + label && more === undefined;
    if (!matches) throw refused('parse expression failed!');
    labels.add(label);
  }
  return [...labels];
}

function readSelectorObject(text: string): Readonly<Record<string, unknown>> {
  const json = jsonObjectOf(text) ?? jsonObjectOf(decodeFormText(text) ?? '');
  if (json === undefined) throw refused('selector is illegal, it should be a JSON object such as {"type":"none"}');
  return json;
}

function jsonObjectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  checkJsonParts(text, "param 'selector'");
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    // Not JSON: the caller tries the other reading, then says so.
    return undefined;
  }
}

function expressionOf(json: Readonly<Record<string, unknown>>, limits: SelectorLimits): string {
  const { expression } = json;
  if (typeof expression !== 'string') throw refused('selector of type label has no expression, it should be a text');
  const { length } = expression;
  if (length <= limits.expressionLength) return expression;
  throw refused(`expression is too long, found ${length} characters, allowed are ${limits.expressionLength}`);
}

function unquoted(text: string): string {
  return text.length >= 2 && text.startsWith("'") && text.endsWith("'") ? text.slice(1, -1) : text;
}

function refused(message: string): RegistryError {
  return new RegistryError('invalid-selector', message, { details: { parameter: 'selector' } });
}
