// Certificates of a client, the same for each protocol.

/** Certificates for servers that are asked over TLS. */
export interface TlsOptions {
  /** Authorities to trust instead of the usual ones, PEM. */
  readonly ca?: string | undefined;
  /** Certificate of this client, PEM. */
  readonly cert?: string | undefined;
  /** Key of that certificate, PEM. */
  readonly key?: string | undefined;
}
