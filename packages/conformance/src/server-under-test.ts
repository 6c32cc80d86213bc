// The server that flows look at: one that runs already, given by URL, or ours, started from the built command on a data
// directory of its own, or Nacos likewise. Those that were started can be stopped and started again under their clients.

import { NacosProcess } from './nacos-process.js';
import { RollcallProcess } from './rollcall-process.js';
import { parseServerUrl, type ServerEndpoint } from './server-endpoint.js';

/** How a restart stops the server. */
export type StopSignal = 'SIGTERM' | 'SIGKILL';

/** A server under test. */
export interface ServerUnderTest {
  readonly endpoint: ServerEndpoint;
  /** Stops and starts the server; undefined for a server that is not ours to stop. */
  readonly restarts: ServerRestarts | undefined;
  /** Ends the server if this run started it. */
  close(): Promise<void>;
}

/** Stops and starts a server under its clients, on the same port and the same data. */
export interface ServerRestarts {
  stop(signal: StopSignal): Promise<void>;
  /** Resolves at the first answer, with the time it took in milliseconds. */
  start(): Promise<number>;
}

/** What is given for a URL to have Nacos 3.1.0 started. */
const NACOS = 'nacos31';

/** Takes the server at the URL, or starts one: Nacos when its name is given, ours when there is none. */
export async function openServer(url: string | undefined): Promise<ServerUnderTest> {
  if (url !== undefined && url !== NACOS) {
    return { endpoint: parseServerUrl(url), restarts: undefined, close: async () => undefined };
  }
  const server = url === NACOS ? await NacosProcess.create() : await RollcallProcess.create();
  await server.start();
  return {
    endpoint: server.endpoint,
    restarts: { stop: (signal) => server.stop(signal), start: () => server.start() },
    close: () => server.remove(),
  };
}
