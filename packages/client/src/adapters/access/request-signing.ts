// Signs calls with an access key, as Alibaba's hosted Nacos asks for. Source: Nacos 1.4.8 NamingProxy.checkSignature and
// SignUtil; contract client-1x 3.9.

import { createHmac } from 'node:crypto';

/** A pair of keys; both must be there. */
export interface AccessKey {
  readonly accessKey: string;
  readonly secretKey: string;
}

/**
 * The parameters that prove who calls.
 *
 * @param serviceName - the call's parameter, undefined when it has none
 * @param epochMs - wall clock
 */
export function signatureParameters(
  key: AccessKey,
  serviceName: string | undefined,
  epochMs: number,
): readonly (readonly [string, string])[] {
  const data = serviceName === undefined ? String(epochMs) : `${epochMs}@@${serviceName}`;
  const signature = createHmac('sha1', key.secretKey).update(data, 'utf8').digest('base64');
  return [
    ['signature', signature],
    ['data', data],
    ['ak', key.accessKey],
  ];
}
