// Requests about a namespace on HTTP v2 and v3, and what is checked before them.
// Source: Nacos 2.5.1 NamespaceForm, NamespaceControllerV2, ConsoleDefaultHttpParamExtractor; ops contract 2.3, 2.4.

import { detached } from '../detached-text.js';
import {
  type CreateNamespaceForm,
  type NamespaceLimits,
  type NamespaceRecord,
  readNamespaceDescription,
} from '../http/namespace.js';
import { isBlank } from '../java-text.js';
import type { NameRules } from '../names.js';
import type { Parameters } from '../parameters.js';
import { RegistryError } from '../registry-error.js';
import { DEFAULT_GROUP, DEFAULT_NAMESPACE, serviceKey } from '../service-key.js';
import { TypedParameters } from './typed-parameters.js';

// Control characters are ours: nobody can type them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const NAME = /^[^@#$%^&*\x00-\x1f\x7f]+$/;

/**
 * Checks id and name of a namespace. A refusal is answered as plain text, not in the envelope.
 *
 * @throws RegistryError `invalid-parameter`; what is missing is no concern here
 */
export function checkNamespaceParameters(
  parameters: Parameters,
  { names, limits }: { readonly names: NameRules; readonly limits: NamespaceLimits },
): void {
  const id = parameters.get('namespaceId')?.trim();
  // The name of a service stands for none: only the namespace is looked at.
  if (id !== undefined && id !== '') names.checkService(serviceKey(id, DEFAULT_GROUP, 'none'));
  const name = parameters.get('namespaceName');
  if (name === undefined || isBlank(name)) return;
  if (name.length > limits.namespaceNameLength) {
    throw illegalName(`the param length should not exceed ${limits.namespaceNameLength}.`);
  }
  if (!NAME.test(name)) throw illegalName('illegal characters should not appear in the param.');
}

/** Reads a creation: a blank id asks for a random one. @throws RegistryError `missing-parameter` without id or name, `invalid-namespace` for a long description */
export function readTypedCreateNamespaceForm(parameters: Parameters, limits: NamespaceLimits): CreateNamespaceForm {
  const { id, ...rest } = readTypedUpdateNamespaceForm(parameters, limits);
  return { id: id === '' ? undefined : id, ...rest };
}

/** Reads an update. @throws RegistryError as {@link readTypedCreateNamespaceForm} */
export function readTypedUpdateNamespaceForm(parameters: Parameters, limits: NamespaceLimits): NamespaceRecord {
  const id = detached(present(parameters, 'namespaceId').trim());
  const name = detached(present(parameters, 'namespaceName'));
  return { id, name, description: readNamespaceDescription(parameters, limits) };
}

/** Which namespace is meant; empty for the built-in one. @throws RegistryError `missing-parameter` when it is not sent at all */
export function readNamespaceId(parameters: Parameters): string {
  const sent = parameters.get('namespaceId') ?? new TypedParameters(parameters, 'request').requiredText('namespaceId');
  const id = sent.trim();
  return id === DEFAULT_NAMESPACE ? '' : id;
}

function present(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value !== undefined) return value;
  throw new RegistryError('missing-parameter', `required parameter '${name}' is missing`, {
    details: { parameter: name },
  });
}

function illegalName(reason: string): RegistryError {
  return new RegistryError('invalid-parameter', `Param 'namespaceShowName' is illegal, ${reason}`, {
    details: { parameter: 'namespaceName' },
  });
}
