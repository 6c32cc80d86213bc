// A whole server on a free port and a directory of its own, for tests of what only the whole server does.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RecordingLogger } from '@rollcall/runtime/testing';
import { loadConfig } from '../../src/app/config.js';
import type { OptionKey } from '../../src/app/config-schema.js';
import { type RegistryServer, startRegistryServer } from '../../src/app/registry-server.js';

/** Starts servers on one directory, one after another, and cleans up. */
export class ServerFixture {
  readonly directory = mkdtempSync(join(tmpdir(), 'rollcall-server-'));
  readonly logger = new RecordingLogger();
  readonly #servers: RegistryServer[] = [];

  /** Starts a server. @param flags - options beside the directory and a free port */
  async start(flags: { readonly [K in OptionKey]?: string } = {}): Promise<StartedServer> {
    const { config } = loadConfig({
      flags: { port: '0', grpcPortOffset: '0', dataDir: this.directory, ...flags },
      environment: {},
      readFile: () => '{}',
    });
    const server = await startRegistryServer({ config, logger: this.logger });
    this.#servers.push(server);
    return new StartedServer(server);
  }

  /** Ends all servers and removes the directory. */
  async remove(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** A running server and requests to it. */
export class StartedServer {
  readonly server: RegistryServer;
  readonly url: string;

  constructor(server: RegistryServer) {
    this.server = server;
    this.url = server.facts.urls[0] ?? '';
  }

  /** One request; parameters go into the query. */
  fetch(method: string, path: string, parameters: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.url}${path}?${new URLSearchParams(parameters)}`, { method });
  }

  /** Text of an answer. */
  async text(method: string, path: string, parameters: Record<string, string> = {}): Promise<string> {
    return (await this.fetch(method, path, parameters)).text();
  }

  /** JSON of an answer. */
  async json<T>(method: string, path: string, parameters: Record<string, string> = {}): Promise<T> {
    return (await this.fetch(method, path, parameters)).json() as Promise<T>;
  }
}
