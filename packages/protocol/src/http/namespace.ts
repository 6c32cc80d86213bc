// Namespaces as `/v1/console/namespaces` lists, shows, takes and refuses them.
// Source: Nacos 1.4.8 and 2.5.1 NamespaceController, NamespaceOperationService; golden namespaces.json.

import { detached } from '../detached-text.js';
import { jsonText } from '../json-text.js';
import type { Limits } from '../limits.js';
import type { Parameters } from '../parameters.js';
import { RegistryError } from '../registry-error.js';
import { DEFAULT_NAMESPACE } from '../service-key.js';

/** A namespace as it is stored. */
export interface NamespaceRecord {
  /** Id; empty here for the built-in one, which the rest of the registry calls `public`. */
  readonly id: string;
  readonly name: string;
  /** Null when nobody gave one, which is shown as null. */
  readonly description: string | null;
}

/** The built-in namespace as v1 and v2 show it. */
export const PUBLIC_NAMESPACE: NamespaceRecord = { id: '', name: 'public', description: 'Default Namespace' };

/** Counts that Rollcall shows besides what Nacos does. */
export interface NamespaceCounts {
  readonly serviceCount: number;
  readonly instanceCount: number;
}

/** A namespace to make. */
export interface CreateNamespaceForm {
  /** Undefined when a random id is wanted. */
  readonly id: string | undefined;
  readonly name: string;
  readonly description: string | null;
}

/** The limits that namespaces have. */
export type NamespaceLimits = Pick<Limits, 'namespaceLength' | 'namespaceNameLength' | 'namespaceDescriptionLength'>;

/** Whose form a namespace is shown in: v1 and v2 agree. */
export type NamespaceDialect = '1.x' | '3.x';

const QUOTA = 200;
const DIALECTS = {
  '1.x': { builtInId: '', madeType: 2 },
  '3.x': { builtInId: DEFAULT_NAMESPACE, madeType: 1 },
} as const;

/** Answer of GET: all namespaces, the built-in one first. */
export function namespaceListJson(namespaces: readonly (NamespaceRecord & NamespaceCounts)[]): string {
  const items = namespaces.map((namespace) => listedNamespaceJson(namespace, '1.x'));
  return `{"code":200,"message":null,"data":[${items.join(',')}]}`;
}

/** One namespace; answer of GET `?show=all`. @param dialect - v3 differs in two members; default `1.x` */
export function namespaceJson(namespace: NamespaceRecord, dialect: NamespaceDialect = '1.x'): string {
  return `{${commonMembers(namespace, dialect)}}`;
}

/** One namespace of a list, with its counts. @param dialect - v3 differs in two members */
export function listedNamespaceJson(namespace: NamespaceRecord & NamespaceCounts, dialect: NamespaceDialect): string {
  const { serviceCount, instanceCount } = namespace;
  return `{${commonMembers(namespace, dialect)},"serviceCount":${serviceCount},"instanceCount":${instanceCount}}`;
}

/** Reads a creation. @throws RegistryError `missing-parameter` without name or id parameter, `invalid-namespace` for texts that are too long */
export function readCreateNamespaceForm(parameters: Parameters, limits: NamespaceLimits): CreateNamespaceForm {
  const id = parameters.boundRequired('customNamespaceId').trim();
  const name = nameOf(parameters, 'namespaceName', limits);
  return { id: id === '' ? undefined : detached(id), name, description: readNamespaceDescription(parameters, limits) };
}

/** Reads an update. @throws RegistryError `missing-parameter` without id or name, `invalid-namespace` for texts that are too long */
export function readUpdateNamespaceForm(parameters: Parameters, limits: NamespaceLimits): NamespaceRecord {
  const id = detached(parameters.boundRequired('namespace'));
  const name = nameOf(parameters, 'namespaceShowName', limits);
  return { id, name, description: readNamespaceDescription(parameters, limits) };
}

/**
 * Whether an id may be given to a new namespace; v1 answers `false` when it may not. The words for the built-in namespace
 * (`public` in any case, `null`) are refused: a second row beside the built-in one would show what it does not hold.
 */
export function isNewNamespaceId(id: string, limits: NamespaceLimits): boolean {
  const word = id.toLowerCase();
  return id.length <= limits.namespaceLength && /^[\w-]+$/.test(id) && word !== 'public' && word !== 'null';
}

function commonMembers(namespace: NamespaceRecord, dialect: NamespaceDialect): string {
  const { builtInId, madeType } = DIALECTS[dialect];
  const [id, type] = namespace.id === '' ? [builtInId, 0] : [namespace.id, madeType];
  const description = namespace.description === null ? 'null' : jsonText(namespace.description);
  return `"namespace":${jsonText(id)},"namespaceShowName":${jsonText(namespace.name)},"namespaceDesc":${description},"quota":${QUOTA},"configCount":0,"type":${type}`;
}

function nameOf(parameters: Parameters, parameter: string, limits: NamespaceLimits): string {
  return withinLength(parameter, parameters.boundRequired(parameter), limits.namespaceNameLength);
}

/** The description that a request gives, null when it gives none. @throws RegistryError `invalid-namespace` when it is too long */
export function readNamespaceDescription(parameters: Parameters, limits: NamespaceLimits): string | null {
  const text = parameters.get('namespaceDesc');
  return text === undefined ? null : withinLength('namespaceDesc', text, limits.namespaceDescriptionLength);
}

function withinLength(parameter: string, text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return detached(text);
  throw new RegistryError(
    'invalid-namespace',
    `Param '${parameter}' is illegal, the param length should not exceed ${lengthMax}.`,
    {
      details: { parameter, found: text.length, allowed: lengthMax },
    },
  );
}
