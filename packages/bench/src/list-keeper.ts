// Who keeps lists in a process and chooses from them: our client and npm `nacos`, each without a server, given the JSON that
// its receiver would give it.
import { weightedRandom } from '@rollcall/client';
import { ClientCore, DEFAULT_CORE_SETTINGS, decodeServiceList, LiveView } from '@rollcall/client/internal';
import { serviceKey } from '@rollcall/protocol';
import { NacosNamingClient } from 'nacos';
import { PUSHED_GROUP } from './pushed-list.js';

/** One client's lists. */
export interface ListKeeper {
  /** Takes a list that was pushed. @param text - see `pushedListText` */
  take(text: string): void;
  /** Chooses one instance of a service, as a caller of this client would. */
  choose(service: string): unknown;
  close(): Promise<void>;
}

/** Ours: decoded, joined with the list before it, shown in a view. @param services - names of those that are followed */
export function ownKeeper(services: readonly string[]): ListKeeper {
  const views = new Map<string, LiveView>();
  const core = new ClientCore({
    settings: DEFAULT_CORE_SETTINGS,
    random: () => 0,
    sink: (effect) => {
      if (effect.type === 'listed')
        views.get(effect.service.name)?.take(effect.instances, effect.change, effect.origin);
    },
  });
  const now = { mono: 0, wall: 0 } as Parameters<ClientCore['step']>[1];
  for (const name of services) {
    const service = serviceKey('public', PUSHED_GROUP, name);
    const strategy = weightedRandom();
    views.set(name, new LiveView({ service, clusters: [], strategy, closed: () => {}, listenerFailed: () => {} }));
    core.step({ type: 'follow', service }, now);
  }
  return {
    take: (text) => core.step({ type: 'pushed', list: decodeServiceList(text), source: 'bench', text }, now),
    choose: (service) => views.get(service)?.select(),
    close: async () => {},
  };
}

/** The part of npm `nacos` that takes what was pushed; it is no part of its interface. */
interface HostReactor {
  processServiceJSON(text: string): unknown;
}

const SILENT = { info() {}, warn() {}, error() {}, debug() {}, log() {} };

/** npm `nacos`, which has no choice of one: its caller takes any of the usable ones. */
export function npmKeeper(): ListKeeper {
  const logger = SILENT as unknown as typeof console;
  const client = new NacosNamingClient({ logger, serverList: '127.0.0.1:9', namespace: 'public' });
  const { _hostReactor: reactor } = client as unknown as { readonly _hostReactor: HostReactor };
  return {
    take: (text) => void reactor.processServiceJSON(text),
    choose: async (service) => {
      const usable = await client.selectInstances(service, PUSHED_GROUP, '', true);
      return usable[Math.floor(Math.random() * usable.length)];
    },
    close: async () => {
      await (client as unknown as { close(): Promise<void> }).close();
    },
  };
}
