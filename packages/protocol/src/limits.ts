// Every bound on what a peer can send or make us keep: one table with unit and reason, used on every protocol.
// Source: decisions.md (metadata, request head), Nacos 2.5.1 DefaultParamChecker (names), our choice where neither says.

/** Upper bounds, all inclusive. Each one can be raised in the configuration; what exceeds one is refused, never cut. */
export interface Limits {
  /** UTF-16 units of a namespace id. 2.x refuses longer ones. */
  readonly namespaceLength: number;
  /** UTF-16 units of the shown name of a namespace, as the column in the database of Nacos. */
  readonly namespaceNameLength: number;
  /** UTF-16 units of the description of a namespace, as the column in the database of Nacos. */
  readonly namespaceDescriptionLength: number;
  /** UTF-16 units of a group name. 2.x refuses longer ones. */
  readonly groupLength: number;
  /** UTF-16 units of a service name without its group. 2.x refuses longer ones. */
  readonly serviceNameLength: number;
  /** UTF-16 units of a cluster name. 2.x refuses longer ones. */
  readonly clusterLength: number;
  /** UTF-16 units of an IP literal or host name. 2.x refuses longer ones. */
  readonly ipLength: number;
  /** UTF-16 units of an application name; it is only shown, so short is enough. */
  readonly appLength: number;
  /** UTF-8 bytes of all metadata keys plus values of one instance, service or cluster: Dubbo and Spring Cloud pass the 1024 characters of 2.x. */
  readonly metadataBytes: number;
  /** Entries of one metadata map: a map of many tiny keys costs far more memory than its bytes. */
  readonly metadataKeys: number;
  /** Characters of a selector expression or of a checker's text. */
  readonly expressionLength: number;
  /** Bytes of request line plus headers: metadata of 64 KiB, percent-encoded, still fits in a query. */
  readonly requestHeadBytes: number;
  /** Bytes of a request body: far above the largest batch of a known client, far below what hurts. */
  readonly requestBodyBytes: number;
  /** Parameters of one request, query and form together. */
  readonly requestParameters: number;
  /** Instances of one service, both kinds: every change encodes the whole list again. */
  readonly serviceInstances: number;
  /** Clusters of one service; clusters stay once made, so a client could make them without end. */
  readonly serviceClusters: number;
  /** Services on this server, all namespaces. */
  readonly services: number;
  /** Instances on this server, all services. */
  readonly instances: number;
  /** Namespaces that can be created. */
  readonly namespaces: number;
  /** Entries of one page of any listing; more is cut to this. */
  readonly pageSize: number;
  /** Instances that one batch request may name. */
  readonly batchInstances: number;
  /** Subscribers of one service: every change sends to each of them. A query beyond it is answered, its push part refused. */
  readonly serviceSubscribers: number;
  /** Subscriptions on this server, all services. A query beyond it is answered, its push part refused. */
  readonly subscribers: number;
  /** UTF-16 units of what is kept of one subscriber: clusters, agent and application together. A query beyond it is answered, its push part refused. */
  readonly subscriberLength: number;
  /** Bytes of a datagram that a subscriber sends: real acknowledgements have about 100. */
  readonly pushAckBytes: number;
}

/** Limits of a server that is not configured otherwise. */
export const DEFAULT_LIMITS: Limits = {
  namespaceLength: 64,
  namespaceNameLength: 128,
  namespaceDescriptionLength: 256,
  groupLength: 128,
  serviceNameLength: 512,
  clusterLength: 64,
  ipLength: 128,
  appLength: 256,
  metadataBytes: 64 * 1024,
  metadataKeys: 1024,
  expressionLength: 4096,
  requestHeadBytes: 256 * 1024,
  requestBodyBytes: 4 * 1024 * 1024,
  requestParameters: 512,
  serviceInstances: 20_000,
  serviceClusters: 256,
  services: 200_000,
  instances: 1_000_000,
  namespaces: 1000,
  pageSize: 10_000,
  batchInstances: 5000,
  serviceSubscribers: 20_000,
  subscribers: 500_000,
  subscriberLength: 1024,
  pushAckBytes: 1024,
};
