// `/instance`: an operator's changes of one instance. Source: Nacos 1.4.8 InstanceController.update and patch; contract 4.3, 4.4.

import {
  agentText,
  type InstanceKind,
  missingInstanceText,
  parseAgent,
  RegistryError,
  readPatchForm,
  readUpdateForm,
  strictUpdate,
  type UpdateForm,
} from '@rollcall/protocol';
import { planPatch, planUpdate } from '../../core/edit-plan.js';
import { addressOf } from '../../core/instance-address.js';
import type { RegistryCore } from '../../core/registry-core.js';
import { CONTENT_PARAMETERS, INSTANCE_PARAMETERS } from '../http/described-parameters.js';
import type { HttpAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Route } from '../http/route.js';
import { commitEdits } from '../instance-changes/edit-commit.js';
import { foundInstance } from '../instance-changes/found-instance.js';
import { kindOrDefault } from '../instance-changes/instance-kind.js';
import { OK_BODY } from './answer-schemas.js';
import { actorOf, type HttpV1Context } from './http-v1-context.js';
import { okAnswer } from './ok-answer.js';
import { registerInstance } from './registration.js';

/** The routes. */
export function instanceEditRoutes(context: HttpV1Context): readonly Route[] {
  const parameters = [...INSTANCE_PARAMETERS, ...CONTENT_PARAMETERS];
  return [
    {
      method: 'PUT',
      path: '/v1/ns/instance',
      summary: 'Set weight, enabled and metadata of an instance; what is not sent gets its default',
      produces: OK_BODY,
      parameters,
      handle: (request) => update(context, request),
    },
    {
      method: 'PATCH',
      path: '/v1/ns/instance',
      summary: 'Change only what is sent of an instance',
      produces: OK_BODY,
      parameters,
      handle: (request) => patch(context, request),
    },
  ];
}

async function update(context: HttpV1Context, request: HttpRequest): Promise<HttpAnswer> {
  const { registry, rules } = context;
  const form = readUpdateForm(request.parameters, rules);
  const kind = kindOrDefault(form.kind, registry.core);
  const agent = parseAgent(agentText(request.header('user-agent'), request.header('client-version')));
  if (strictUpdate(agent)) requireAddress(registry.core, form, kind);
  const { key } = addressOf(form.address.ip, form.address.port, form.address.cluster);
  if (registry.core.instance(form.service.id, kind, key) === undefined) return registerInstance(context, request, form);
  const fields = { ...form.edit, ...(form.content.app !== undefined && { app: form.content.app }) };
  await commitEdits(registry, actorOf(request), (core) => {
    const record = core.instance(form.service.id, kind, key);
    return record === undefined ? [] : [{ record, plan: planUpdate(record, fields) }];
  });
  return okAnswer(request, 'journalled');
}

/** Java clients want to hear when there is nothing to update: no instance with that ip, port and kind in any cluster. */
function requireAddress(core: RegistryCore, { service, address, content }: UpdateForm, kind: InstanceKind): void {
  const known = core.service(service.id);
  if (known === undefined) {
    const message = `service not found, namespace: ${service.namespace}, service: ${service.grouped}`;
    throw new RegistryError('service-not-found', message, { details: { service: service.id } });
  }
  for (const record of known.recordsOf(kind).values()) {
    if (record.address.ip === address.ip && (address.port === 0 || record.address.port === address.port)) return;
  }
  const message = `instance not exist: ${missingInstanceText(address, content)}`;
  throw new RegistryError('invalid-instance', message, { details: { service: service.id } });
}

async function patch({ registry, rules }: HttpV1Context, request: HttpRequest): Promise<HttpAnswer> {
  const form = readPatchForm(request.parameters, rules);
  const actor = actorOf(request);
  const fields = { ...form.edit, ...(form.app !== undefined && { app: form.app }) };
  await commitEdits(registry, actor, (core) => {
    const record = foundInstance(core, form);
    return [{ record, plan: planPatch(record, fields) }];
  });
  if (form.healthy !== undefined) {
    const { kind, service, address } = foundInstance(registry.core, form);
    registry.step({ type: 'health', service, kind, address, healthy: form.healthy, cause: 'set-by-hand', actor });
  }
  return okAnswer(request, 'journalled');
}
