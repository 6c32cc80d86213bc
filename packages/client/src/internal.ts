// Third door of @rollcall/client, for packages of this repository alone: no promise of staying as it is.

export { LiveView } from './app/live-view.js';
export { ClientCore } from './core/client-core.js';
export { DEFAULT_CORE_SETTINGS } from './core/core-context.js';
export { decodeServiceList } from './core/service-list.js';
