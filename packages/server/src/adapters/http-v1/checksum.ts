// The checksum of a list: opaque to clients, equal as long as service settings and instances are.
// Source: Nacos 1.4.8 Service.recalculateChecksum (MD5 over settings and sorted `ip:port_weight_healthy_cluster`).

import { createHash } from 'node:crypto';
import { jsonDouble, jsonFloat, metadataJson, selectorJson } from '@rollcall/protocol';
import type { ServiceView } from '../../core/service-view.js';

/** 32 lower-case hexadecimal digits, worked out once per view. */
export function checksumOf(view: ServiceView): string {
  return view.prepared('checksum', (of) => {
    const { protectThreshold, metadata, selector } = of.definition;
    const hash = createHash('md5');
    hash.update(`${of.key.id} ${jsonFloat(protectThreshold)} ${metadataJson(metadata)} ${selectorJson(selector)}`);
    for (const { ip, port, weight, healthy, cluster } of of.hosts) {
      hash.update(` ${ip}:${port}_${jsonDouble(weight)}_${healthy}_${cluster}`);
    }
    return hash.digest('hex');
  });
}
