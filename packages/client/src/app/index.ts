// What the app gives to the public door.

export type { AccessKey } from '../adapters/access/request-signing.js';
export type { Credentials } from '../adapters/access/token-login.js';
export type { AddressChoice } from '../adapters/own-address.js';
export type { TlsOptions } from '../adapters/tls-options.js';
export {
  CLIENT_ERROR_CODES,
  ClientError,
  type ClientErrorCode,
  type ClientErrorOptions,
} from '../core/client-error.js';
export {
  type Instance,
  type InstanceMetadata,
  type InstanceOptions,
  isUsable,
  type RegisteredInstance,
} from '../core/instance.js';
export type { InstanceChange } from '../core/instance-change.js';
export type { EjectionSettings } from '../core/outlier-ejection.js';
export type { ServicePage, SubscribersTold } from '../core/registry-call.js';
export { type Announcement, type AnnounceOptions, announce, type StopReport } from './announce.js';
export type { CacheOptions, ConnectOptions, EndpointOptions, PushOptions } from './connect-options.js';
export { type ChangeListener, LiveView, type SelectOptions } from './live-view.js';
export type { CallOptions } from './operations.js';
export { type DeregisterOptions, type InstanceUpdate, RegistrationHandle } from './registration-handle.js';
export { RegistryClient } from './registry-client.js';
export type { CloseOptions, ServicesOptions, SubscribeOptions } from './registry-options.js';
export type { CallReport } from './routed-request.js';
export { consistentHash } from './selection/consistent-hash.js';
export { type LeastActive, leastActive } from './selection/least-active.js';
export { roundRobin } from './selection/round-robin.js';
export type { Picker, SelectionStrategy, SelectRequest } from './selection/selection-strategy.js';
export { weightedRandom } from './selection/weighted-random.js';
export type { DrainReport } from './server-drain.js';
export { type ServiceCaller, serviceCaller } from './service-caller.js';
export type { ServiceCallOptions, ServiceViews } from './service-interceptor.js';
export type { ServiceName } from './service-name.js';
export type { ViewEvent } from './view-event.js';
