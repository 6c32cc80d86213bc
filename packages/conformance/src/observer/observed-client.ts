// A real client in a process of its own, whichever it is, as the flows that watch it from outside use it.
import { NpmClient } from '../client/npm-client.js';
import type { FlowClient } from '../flow.js';
import type { FlowContext } from '../flow-context.js';
import type { ListedHost } from '../naming-api.js';
import type { SdkDriver } from '../sdk/sdk-driver.js';
import { SdkProcess, sdkInstance } from '../sdk/sdk-process.js';
import type { ServerEndpoint } from '../server-endpoint.js';

/** An instance that a flow registers. */
export type ObservedInstance = Pick<ListedHost, 'ip' | 'metadata'>;

/** The process of one client. */
export interface ObservedClient {
  register(service: string, instance: ObservedInstance): Promise<void>;
  deregister(service: string, instance: ObservedInstance): Promise<void>;
  subscribe(service: string): Promise<void>;
  /** Waits until a listener of the service has had a list, new ones or one that is here. @returns wall-clock ms */
  told(service: string, matches: (hosts: readonly ListedHost[]) => boolean, timeoutMs: number): Promise<number>;
  /** kill -9. */
  kill(): Promise<void>;
  /** SIGSTOP. */
  freeze(): void;
}

/** A kind of client. */
export interface ObservedKind {
  readonly client: FlowClient;
  /** `http`: its instances live with their beats. `grpc`: with its connection. */
  readonly transport: 'http' | 'grpc';
  /** Starts one that finds the server at the endpoint; killed when the flow ends. */
  start(context: FlowContext, endpoint: ServerEndpoint): Promise<ObservedClient>;
}

/** The package `nacos`. */
export const observedNpm: ObservedKind = {
  client: 'npm',
  transport: 'http',
  start: async (context, endpoint) => {
    const client = await NpmClient.start(context, { endpoint });
    return {
      register: (service, instance) => client.register(service, sdkInstance(instance)),
      deregister: (service, instance) => client.deregister(service, sdkInstance(instance)),
      subscribe: (serviceName) => client.subscribe({ serviceName }),
      told: async (service, matches, timeoutMs) => {
        const isMeant = (event: { readonly serviceName: string; readonly hosts: readonly ListedHost[] }) =>
          event.serviceName === service && matches(event.hosts);
        return (await client.waitForEvent('List at the listener', isMeant, { timeoutMs })).atMs;
      },
      kill: () => client.kill(),
      freeze: () => client.freeze(),
    };
  },
};

/** An SDK. */
export function observedSdk(driver: SdkDriver): ObservedKind {
  return {
    client: driver.client,
    transport: driver.transport,
    start: async (context, endpoint) => {
      const sdk = await SdkProcess.start(context, driver, { servers: [endpoint] });
      return {
        register: (service, instance) => sdk.register(service, sdkInstance(instance)),
        deregister: (service, instance) => sdk.deregister(service, sdkInstance(instance)),
        subscribe: (service) => sdk.subscribe(service),
        told: async (service, matches, timeoutMs) => {
          const isMeant = (event: { readonly service: string; readonly hosts: readonly ListedHost[] }) =>
            event.service === service && matches(event.hosts);
          return (await sdk.waitForEvent('List at the listener', isMeant, { timeoutMs })).atMs;
        },
        kill: () => sdk.kill(),
        freeze: () => sdk.freeze(),
      };
    },
  };
}
