// Routes of the contract that this server leaves out: each is there, says why, and does nothing. docs/compatibility.md lists them.

import { RegistryError } from '@rollcall/protocol';
import type { AnswerRoute, RouteMethod } from '../http/route.js';

const MEMBERSHIP = 'servers find each other by their configuration';
const NO_USERS = 'this server has authentication off and knows no users';

const USERS: readonly (readonly [RouteMethod, string])[] = [
  ['POST', '/v3/auth/user'],
  ['PUT', '/v3/auth/user'],
  ['DELETE', '/v3/auth/user'],
  ['POST', '/v3/auth/user/admin'],
  ['GET', '/v3/auth/user/list'],
  ['GET', '/v3/auth/user/search'],
  ['POST', '/v3/auth/role'],
  ['DELETE', '/v3/auth/role'],
  ['GET', '/v3/auth/role/list'],
  ['GET', '/v3/auth/role/search'],
  ['POST', '/v3/auth/permission'],
  ['DELETE', '/v3/auth/permission'],
  ['GET', '/v3/auth/permission/list'],
];

/** Method, path, reason. */
const NOT_OFFERED: readonly (readonly [RouteMethod, string, string])[] = [
  ['PUT', '/v2/core/cluster/node/list', MEMBERSHIP],
  ['PUT', '/v2/core/cluster/lookup', MEMBERSHIP],
  ['PUT', '/v3/admin/core/cluster/node/list', MEMBERSHIP],
  ['PUT', '/v3/admin/core/cluster/lookup', MEMBERSHIP],
  ['DELETE', '/v3/admin/core/cluster/nodes', MEMBERSHIP],
  ['POST', '/v3/admin/core/ops/raft', 'there is no JRaft group to command'],
  ['GET', '/v3/admin/core/ops/ids', 'there is no generator of distributed ids'],
  ...USERS.map(([method, path]) => [method, path, NO_USERS] as const),
];

/** The routes. */
export function notOfferedRoutes(): readonly AnswerRoute[] {
  return NOT_OFFERED.map(([method, path, reason]) => ({
    method,
    path,
    summary: `Not offered: ${reason}`,
    produces: 'refusals-only',
    handle: () => {
      throw new RegistryError('not-implemented', `Route "${method} ${path}" is not offered: ${reason}`);
    },
  }));
}
