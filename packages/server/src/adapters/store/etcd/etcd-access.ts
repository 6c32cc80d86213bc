// How an etcd is reached: in the open or over TLS, and as which user.

/** User and password of etcd's own authentication. */
export interface EtcdLogin {
  readonly user: string;
  readonly password: string;
}

/** Certificates as PEM. `certificate` and `key` show who this server is, where etcd asks for that. */
export interface EtcdTls {
  readonly authority: Buffer;
  readonly certificate?: Buffer;
  readonly key?: Buffer;
}

/** What besides an address is needed to talk to an etcd; nothing for one that is open to all. */
export interface EtcdAccess {
  readonly tls?: EtcdTls;
  readonly login?: EtcdLogin;
}
