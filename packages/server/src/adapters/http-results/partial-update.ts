// Changing some fields of one instance, for PATCH of v2 and `/partial` of v3.

import type { PatchForm } from '@rollcall/protocol';
import { planOverridePart } from '../../core/edit-plan.js';
import type { HttpRequest } from '../http/http-request.js';
import { commitEdits } from '../instance-changes/edit-commit.js';
import { foundInstance } from '../instance-changes/found-instance.js';
import { type HttpResultContext, resultActor } from './http-result-context.js';

/** Edits the instance. @throws (rejects with) RegistryError `not-found`, `storage-failed` */
export async function updatePart(context: HttpResultContext, request: HttpRequest, form: PatchForm): Promise<void> {
  await commitEdits(context.registry, resultActor(context, request), (core) => {
    const record = foundInstance(core, form);
    return [{ record, plan: planOverridePart(record, form.edit) }];
  });
}
