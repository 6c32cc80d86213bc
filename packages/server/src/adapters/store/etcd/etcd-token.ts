// The token of a login at etcd: asked for once, sent with every call, asked for again when etcd does not know it any more
// (tokens end after five minutes without a call, and with changes of users).

import { Metadata, type ServiceError } from '@grpc/grpc-js';

/** Keeps the token. */
export class EtcdToken {
  readonly #ask: () => Promise<string>;
  #token: Promise<string> | undefined;

  /** @param ask - logs in */
  constructor(ask: () => Promise<string>) {
    this.#ask = ask;
  }

  /** What calls carry. @throws ServiceError when the login fails; the next call tries again */
  async metadata(): Promise<Metadata> {
    this.#token ??= this.#ask();
    const metadata = new Metadata();
    try {
      metadata.set('token', await this.#token);
    } catch (error) {
      this.#token = undefined;
      throw error;
    }
    return metadata;
  }

  /** Whether a call failed because of its token, which is dropped then. */
  isRefusedBy(error: unknown): boolean {
    const { details = '' } = error as Partial<ServiceError>;
    if (!/invalid auth token|revision of auth store is old/.test(details)) return false;
    this.#token = undefined;
    return true;
  }
}
