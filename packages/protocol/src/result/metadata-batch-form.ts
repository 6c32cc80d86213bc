// Setting or removing metadata keys on many instances, as HTTP v2 and v3 ask for it.
// Source: Nacos 2.5.1 InstanceMetadataBatchOperationForm, InstanceOperatorClientImpl.batchUpdateMetadata; contract 5.3.

import { detached } from '../detached-text.js';
import type { FormRules } from '../http/instance-form.js';
import { type BatchTargets, type MetadataBatchForm, readInstanceRefs } from '../http/metadata-batch.js';
import { parseMetadata } from '../metadata-text.js';
import type { Parameters } from '../parameters.js';
import { RegistryError } from '../registry-error.js';
import { readTypedServiceKey } from './service-form.js';
import { TypedParameters } from './typed-parameters.js';

/**
 * Reads a batch request. Without `instances` all of the kind are meant. The real servers also mean all when the text cannot
 * be read; here that is refused, since a slip in a list must not reach every instance.
 *
 * @throws RegistryError for the first thing that is missing or not allowed
 */
export function readTypedMetadataBatchForm(parameters: Parameters, rules: FormRules): MetadataBatchForm {
  const typed = new TypedParameters(parameters, 'form');
  const service = readTypedServiceKey(typed);
  const metadata = parseMetadata(detached(typed.requiredText('metadata')), rules.limits);
  return { service, metadata, targets: targetsOf(typed, rules) };
}

function targetsOf(typed: TypedParameters, rules: FormRules): BatchTargets {
  const kind = typed.text('consistencyType') === 'persist' ? 'persistent' : 'ephemeral';
  const text = typed.text('instances');
  if (text === undefined) return { type: 'kind', kind };
  const named = readInstanceRefs(text, rules);
  if (named === undefined) {
    const allowed = 'allowed is a JSON array of objects with ip, port and clusterName';
    throw new RegistryError(
      'invalid-parameter',
      `Param 'instances' is illegal, found "${text.slice(0, 200)}", ${allowed}`,
    );
  }
  if (named.length === 0) return { type: 'kind', kind };
  return { type: 'named', instances: named.map((ref) => ({ ...ref, kind })) };
}
