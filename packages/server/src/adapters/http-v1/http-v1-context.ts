// What all v1 handlers work with.

import type { FormRules } from '@rollcall/protocol';
import type { Logger } from '@rollcall/runtime';
import type { Actor } from '../../core/actor.js';
import type { HttpRequest } from '../http/http-request.js';
import type { RegistryAccess } from '../registry-access.js';

/** The registry, the rules that requests are read by, and where remarkable ones are told of. */
export interface HttpV1Context {
  readonly registry: RegistryAccess;
  readonly rules: FormRules;
  readonly logger: Logger;
}

/** Who is behind a request. */
export function actorOf(request: HttpRequest): Actor & { readonly address: string } {
  return { via: 'http-v1', address: request.remoteAddress };
}
