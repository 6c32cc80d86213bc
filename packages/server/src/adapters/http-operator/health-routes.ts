// Health by hand, and the settings of checkers. Source: Nacos 2.5.1 HealthControllerV2, 3.0.3 HealthControllerV3;
// http-v2-v3 contract 5.6, 7.5.

import { RegistryError, readHealthForm, type ServiceKey } from '@rollcall/protocol';
import { addressOf } from '../../core/instance-address.js';
import type { RegistryCore } from '../../core/registry-core.js';
import { preparedAnswer } from '../http/answer-head.js';
import { INSTANCE_PARAMETERS } from '../http/described-parameters.js';
import type { HttpAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { AnswerRoute } from '../http/route.js';
import { OK_RESULT_BODY, resultBody } from '../http-results/answer-schemas.js';
import { type HttpResultContext, resultActor } from '../http-results/http-result-context.js';
import { goodResult, okResult } from '../http-results/result-answer.js';
import { CHECKERS_JSON, setHealthByHand } from '../operator/health-by-hand.js';
import { CHECKERS_SCHEMA } from '../operator/operator-schemas.js';
import type { HttpOperatorOptions, VersionedPath } from './http-operator-context.js';

const PATHS: readonly VersionedPath[] = [
  { via: 'http-v2', path: '/v2/ns/health' },
  { via: 'http-v2', path: '/v2/ns/health/instance' },
  { via: 'http-v3', path: '/v3/admin/ns/health/instance' },
];
const CHECKERS = preparedAnswer(goodResult(CHECKERS_JSON));

/** The routes. */
export function healthRoutes(options: HttpOperatorOptions): readonly AnswerRoute[] {
  return [
    ...PATHS.map(
      ({ via, path }): AnswerRoute => ({
        method: 'PUT',
        path,
        summary: 'Set the health of a persistent instance whose cluster is not probed',
        parameters: [
          ...INSTANCE_PARAMETERS,
          { name: 'healthy', description: 'Its health', type: 'boolean', required: true },
        ],
        produces: OK_RESULT_BODY,
        handle: (request) => setHealth({ ...options, via }, request),
      }),
    ),
    {
      method: 'GET',
      path: '/v3/admin/ns/health/checkers',
      summary: 'Checkers and their members',
      produces: resultBody(CHECKERS_SCHEMA),
      handle: () => CHECKERS,
    },
  ];
}

function setHealth(context: HttpResultContext, request: HttpRequest): HttpAnswer {
  const { registry } = context;
  const { service, address, healthy } = readHealthForm(request.parameters);
  requireNoChecker(registry.core, service, address.cluster);
  const { key } = addressOf(address.ip, address.port, address.cluster);
  const record = registry.core.instance(service.id, 'persistent', key);
  setHealthByHand(registry, record, { healthy, actor: resultActor(context, request) });
  return okResult('journalled');
}

/** A cluster that nobody defined is probed, whether it is there or not. */
function requireNoChecker(core: RegistryCore, service: ServiceKey, cluster: string): void {
  const definition = core.service(service.id)?.definition.clusters.get(cluster);
  if (definition?.healthChecker.type === 'NONE') return;
  const message = `health check is still working, service: ${service.grouped}, cluster: ${cluster}`;
  throw new RegistryError('health-check-running', message, { details: { service: service.id } });
}
