// Logging in to a server that has authentication off and so knows no users: clients with credentials ask, are refused, and
// go on without a token. Source: Nacos 1.4.8 UserController (also mapped on `/users`), 3.0.3 UserControllerV3.

import { RegistryError } from '@rollcall/protocol';
import type { HttpAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Route } from '../http/route.js';

const PATHS = ['/v1/auth/login', '/v1/auth/users/login', '/v3/auth/user/login'];

/** The routes. */
export function loginRoutes(): readonly Route[] {
  return PATHS.map((path) => ({
    method: 'POST',
    path,
    summary: 'Log in; this server knows no users, and asks none of its callers for a token',
    produces: 'refusals-only',
    parameters: [
      { name: 'username', description: 'Login name', required: true },
      { name: 'password', description: 'Password', required: true },
    ],
    handle: refuseLogin,
  }));
}

function refuseLogin({ parameters }: HttpRequest): HttpAnswer {
  parameters.boundRequired('username');
  parameters.boundRequired('password');
  throw new RegistryError('access-denied', 'unknown user!');
}
