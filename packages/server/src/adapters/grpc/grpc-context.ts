// What all gRPC handlers work with.

import type { NamingRequestRules } from '@rollcall/protocol';
import type { RegistryAccess } from '../registry-access.js';

/** The registry and the rules that requests are read by. */
export interface GrpcContext {
  readonly registry: RegistryAccess;
  readonly rules: NamingRequestRules;
}
