// Setting or removing metadata keys on many instances of a service, on v2 and v3.
// Source: Nacos 2.5.1 InstanceControllerV2.batchUpdateInstanceMetadata, batchDeleteInstanceMetadata; contract 5.3.

import { type MetadataBatchForm, metadataBatchJson, readTypedMetadataBatchForm } from '@rollcall/protocol';
import { type EditPlan, planMetadataRemoval, planMetadataSet } from '../../core/edit-plan.js';
import type { InstanceRecord } from '../../core/instance-record.js';
import { SERVICE_PARAMETERS } from '../http/described-parameters.js';
import type { HttpAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { AnswerRoute, RouteParameter } from '../http/route.js';
import { editMetadata } from '../instance-changes/metadata-batch.js';
import { BATCH_RESULT_BODY } from './answer-schemas.js';
import { type HttpResultContext, resultActor } from './http-result-context.js';
import { journalledResult } from './result-answer.js';

const PARAMETERS: readonly RouteParameter[] = [
  ...SERVICE_PARAMETERS,
  { name: 'metadata', description: 'JSON object or k=v pairs; a removal only looks at the keys', required: true },
  { name: 'consistencyType', description: 'persist for persistent instances', defaultValue: 'ephemeral' },
  { name: 'instances', description: 'JSON array of objects with ip, port, clusterName; all without it', type: 'json' },
];

/** PUT and DELETE. @param path - such as `/v2/ns/instance/metadata/batch` */
export function metadataBatchRoutes(context: HttpResultContext, path: string): readonly AnswerRoute[] {
  return [
    {
      method: 'PUT',
      path,
      summary: 'Set metadata keys on many instances of a service',
      parameters: PARAMETERS,
      produces: BATCH_RESULT_BODY,
      handle: (request) => edit(context, request, (record, { metadata }) => planMetadataSet(record, metadata)),
    },
    {
      method: 'DELETE',
      path,
      summary: 'Remove metadata keys from many instances of a service',
      parameters: PARAMETERS,
      produces: BATCH_RESULT_BODY,
      handle: (request) =>
        edit(context, request, (record, { metadata }) => planMetadataRemoval(record, metadata.keys())),
    },
  ];
}

async function edit(
  context: HttpResultContext,
  request: HttpRequest,
  planOf: (record: InstanceRecord, form: MetadataBatchForm) => EditPlan,
): Promise<HttpAnswer> {
  const form = readTypedMetadataBatchForm(request.parameters, context.rules);
  const updated = await editMetadata(context.registry, resultActor(context, request), form, planOf);
  return journalledResult(metadataBatchJson(updated));
}
