// Third door of @rollcall/client, for packages of this repository alone: no promise of staying as it is.

export { LiveView } from './app/live-view.js';
export { decodeServiceList } from './core/service-list.js';
