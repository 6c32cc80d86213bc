// Where lists lie on the disk, and under which names: those of the Java client, so that both can share a folder.
// Source: Nacos 1.4.8 NacosNamingService.initCacheDir, DiskCache, FailoverReactor; contract client-1x 5.2 and 6.

import { createHash } from 'node:crypto';
import path from 'node:path';

/** Longest name of a file, characters; file systems take 255 bytes, and a temporary name is a little longer. */
const NAME_LENGTH_MAX = 200;
const SWITCH_NAME = '00-00---000-VIPSRV_FAILOVER_SWITCH-000---00-00';

/** Folder of the lists of one namespace. @param root - what the caller chose */
export function cacheFolderOf(root: string, namespace: string): string {
  return path.join(root, 'nacos', 'naming', fileNameOf(namespace));
}

/** Folder of the fail-over lists. */
export function failoverFolderOf(cacheFolder: string): string {
  return path.join(cacheFolder, 'failover');
}

/** Where the switch of fail-over may lie: inside the folder as 2.x looks for it, or beside it as 1.x does. */
export function failoverSwitchesOf(cacheFolder: string): readonly string[] {
  const folder = failoverFolderOf(cacheFolder);
  return [path.join(folder, SWITCH_NAME), folder + SWITCH_NAME];
}

/** Whether a file is the switch and no list. */
export function isFailoverSwitch(name: string): boolean {
  return name.endsWith(SWITCH_NAME);
}

/**
 * Name of the file of a service: form-encoded as Java does it, which no name can leave its folder with. A name that would
 * be too long ends in a digest instead; then the list inside says whose it is.
 *
 * @param grouped - `group@@name`
 */
export function fileNameOf(grouped: string): string {
  const encoded = new URLSearchParams({ '': grouped }).toString().slice(1).replaceAll('*', '%2A');
  const safe = /^\.+$/.test(encoded) ? encoded.replaceAll('.', '%2E') : encoded;
  if (safe.length <= NAME_LENGTH_MAX) return safe;
  const digest = createHash('sha256').update(grouped).digest('hex').slice(0, 32);
  return `${safe.slice(0, NAME_LENGTH_MAX - 33)}-${digest}`;
}
