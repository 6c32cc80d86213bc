// Compares one list with what is expected.
import type { ListedHost } from '../../naming-api.js';
import { addressKey, type ExpectedInstance } from './expected-view.js';

/**
 * What can be wrong with an instance in a list: a live one that is missing or unhealthy; one that has not come yet (`missing`);
 * one that is gone and still there (`lingering`); one that nobody registered (`unknown`); an older version; a disabled one
 * that is served as enabled.
 */
export type WrongKind = 'vanished' | 'unhealthy' | 'missing' | 'lingering' | 'unknown' | 'stale' | 'enabled';

/** One thing that is wrong. */
export interface Wrong {
  readonly address: string;
  readonly what: WrongKind;
  /** Undefined for an unknown one. */
  readonly instance: ExpectedInstance | undefined;
}

/**
 * Says what is wrong in a list.
 * @param askedAtMs - when it was asked for; what is expected only since then is not judged
 */
export function judgeList(
  expected: ReadonlyMap<string, ExpectedInstance>,
  hosts: readonly ListedHost[],
  askedAtMs: number,
): readonly Wrong[] {
  const listed = new Map(hosts.map((host) => [addressKey(host), host]));
  const wrong: Wrong[] = [];
  for (const [address, instance] of expected) {
    if (instance.sinceMs > askedAtMs) continue;
    const what = wrongWith(instance, listed.get(address));
    if (what !== undefined) wrong.push({ address, what, instance });
  }
  for (const address of listed.keys()) {
    if (!expected.has(address)) wrong.push({ address, what: 'unknown', instance: undefined });
  }
  return wrong;
}

function wrongWith({ state, version }: ExpectedInstance, host: ListedHost | undefined): WrongKind | undefined {
  switch (state) {
    case 'open':
      return undefined;
    case 'gone':
      return host === undefined ? undefined : 'lingering';
    case 'disabled':
      return host?.enabled === true ? 'enabled' : undefined;
    case 'coming':
      return host?.healthy === true ? undefined : 'missing';
    case 'live':
      if (host === undefined) return 'vanished';
      if (!host.healthy) return 'unhealthy';
      return version === undefined || host.metadata.version === version ? undefined : 'stale';
  }
}
