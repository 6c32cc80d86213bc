// `/instance/metadata/batch`: setting or removing metadata keys on many instances of a service.
// Source: Nacos 1.4.8 InstanceController.batchUpdateInstanceMetadata and its DELETE; contract 4.6.

import { type MetadataBatchForm, metadataBatchJson, readMetadataBatchForm } from '@rollcall/protocol';
import { type EditPlan, planMetadataRemoval, planMetadataSet } from '../../core/edit-plan.js';
import type { InstanceRecord } from '../../core/instance-record.js';
import { SERVICE_PARAMETERS } from '../http/described-parameters.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Route, RouteParameter } from '../http/route.js';
import { editMetadata } from '../instance-changes/metadata-batch.js';
import { BATCH_BODY } from './answer-schemas.js';
import { actorOf, type HttpV1Context } from './http-v1-context.js';

const PARAMETERS: readonly RouteParameter[] = [
  ...SERVICE_PARAMETERS,
  { name: 'metadata', description: 'JSON object or k=v pairs; a removal only looks at the keys', required: true },
  { name: 'consistencyType', description: 'ephemeral or persist for all instances of that kind' },
  { name: 'instances', description: 'JSON array of objects with ip, port, clusterName, ephemeral', type: 'json' },
];

/** The routes. */
export function metadataBatchRoutes(context: HttpV1Context): readonly Route[] {
  return [
    {
      method: 'PUT',
      path: '/v1/ns/instance/metadata/batch',
      summary: 'Set metadata keys on many instances of a service',
      produces: BATCH_BODY,
      parameters: PARAMETERS,
      handle: (request) => edit(context, request, (record, form) => planMetadataSet(record, form.metadata)),
    },
    {
      method: 'DELETE',
      path: '/v1/ns/instance/metadata/batch',
      summary: 'Remove metadata keys from many instances of a service',
      produces: BATCH_BODY,
      parameters: PARAMETERS,
      handle: (request) => edit(context, request, (record, form) => planMetadataRemoval(record, form.metadata.keys())),
    },
  ];
}

async function edit(
  { registry, rules }: HttpV1Context,
  request: HttpRequest,
  planOf: (record: InstanceRecord, form: MetadataBatchForm) => EditPlan,
): Promise<HttpAnswer> {
  const form = readMetadataBatchForm(request.parameters, rules);
  const updated = await editMetadata(registry, actorOf(request), form, planOf);
  return jsonAnswer(200, metadataBatchJson(updated), { afterJournal: true });
}
