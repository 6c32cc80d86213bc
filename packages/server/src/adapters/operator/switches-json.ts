// All switches as one JSON object, the answer of GET `/operator/switches`. Members and their order are those of Nacos 1.4.8
// SwitchDomain; those that no version lets anybody set are written as they are in a fresh server.

import { jsonFloat, jsonText } from '@rollcall/protocol';
import type { ProbeIntervals, Switches } from '../../core/switches.js';
import { PUSH_VERSION_MEMBERS } from './operator-schemas.js';

/** The key under which Nacos stores its switches; shown in the object. */
const NAME = '00-00---000-NACOS_SWITCH_DOMAIN-000---00-00';

/** The switches as JSON. @param names - whose names the versions of clients have; 1.x has those of 2.x */
export function switchesJson(switches: Switches, names: keyof typeof PUSH_VERSION_MEMBERS): string {
  const [go, java, python, c, csharp] = PUSH_VERSION_MEMBERS[names];
  const { masters, overriddenServerStatus: status } = switches;
  const members: readonly (readonly [member: string, json: string])[] = [
    ['masters', masters === null ? 'null' : JSON.stringify(masters)],
    ['adWeightMap', '{}'],
    ['defaultPushCacheMillis', `${switches.defaultPushCacheMillis}`],
    ['clientBeatInterval', `${switches.clientBeatInterval}`],
    ['defaultCacheMillis', `${switches.defaultCacheMillis}`],
    ['distroThreshold', jsonFloat(switches.distroThreshold)],
    ['healthCheckEnabled', `${switches.healthCheckEnabled}`],
    ['autoChangeHealthCheckEnabled', `${switches.autoChangeHealthCheckEnabled}`],
    ['distroEnabled', `${switches.distroEnabled}`],
    ['enableStandalone', `${switches.enableStandalone}`],
    ['pushEnabled', `${switches.pushEnabled}`],
    ['checkTimes', `${switches.checkTimes}`],
    ['httpHealthParams', intervalsJson(switches.httpHealthParams)],
    ['tcpHealthParams', intervalsJson(switches.tcpHealthParams)],
    ['mysqlHealthParams', intervalsJson(switches.mysqlHealthParams)],
    ['incrementalList', '[]'],
    ['serverStatusSynchronizationPeriodMillis', `${switches.serverStatusSynchronizationPeriodMillis}`],
    ['serviceStatusSynchronizationPeriodMillis', `${switches.serviceStatusSynchronizationPeriodMillis}`],
    ['disableAddIP', `${switches.disableAddIP}`],
    ['sendBeatOnly', `${switches.sendBeatOnly}`],
    ['lightBeatEnabled', `${switches.lightBeatEnabled}`],
    ['limitedUrlMap', JSON.stringify(switches.limitedUrlMap)],
    ['distroServerExpiredMillis', `${switches.distroServerExpiredMillis}`],
    [go, jsonText(switches.pushGoVersion)],
    [java, jsonText(switches.pushJavaVersion)],
    [python, jsonText(switches.pushPythonVersion)],
    [c, jsonText(switches.pushCVersion)],
    [csharp, jsonText(switches.pushCSharpVersion)],
    ['enableAuthentication', `${switches.enableAuthentication}`],
    ['overriddenServerStatus', status === null ? 'null' : jsonText(status)],
    ['defaultInstanceEphemeral', `${switches.defaultInstanceEphemeral}`],
    ['healthCheckWhiteList', '[]'],
    ['name', jsonText(NAME)],
    ['checksum', 'null'],
  ];
  return `{${members.map(([member, json]) => `"${member}":${json}`).join(',')}}`;
}

function intervalsJson({ max, min, factor }: ProbeIntervals): string {
  return `{"max":${max},"min":${min},"factor":${jsonFloat(factor)}}`;
}
