// What a running server says of itself on its own routes and on the page for browsers.

/** Facts that hold while the server runs. */
export interface ServerFacts {
  readonly version: string;
  /** Epoch ms. */
  readonly startedAt: number;
  /** Where it is reached, one URL per address. */
  readonly urls: readonly string[];
  /** Without trailing slash; empty for none. */
  readonly contextPath: string;
  /** Absolute path. */
  readonly dataDirectory: string;
}
