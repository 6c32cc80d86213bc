// What HTTP v2 and v3 say of clients: who publishes and subscribes what. Both say the same with other members.
// Source: Nacos 2.5.1 ClientInfoControllerV2, 3.0.3 ClientControllerV3; http-v2-v3 contract 5.5, 7.4.

import type { InstanceKind } from '../instance.js';
import { jsonText } from '../json-text.js';
import type { ServiceKey } from '../service-key.js';

/** A client: a connection, or (`ipPort`) what was registered or subscribed from one address over HTTP. */
export interface ShownClient {
  readonly type: 'connection' | 'ipPort';
  readonly id: string;
  readonly kind: InstanceKind;
  /** Last sign of life, epoch ms. */
  readonly lastUpdated: number;
  readonly ip: string;
  readonly port: number;
  /** Of a connection; empty otherwise. */
  readonly app: string;
  /** Of a connection; empty otherwise. */
  readonly version: string;
}

/** An instance that a client registered. */
export interface ShownPublication {
  readonly service: ServiceKey;
  readonly clientId: string;
  readonly kind: InstanceKind;
  readonly ip: string;
  readonly port: number;
  readonly cluster: string;
}

/** A service that a client subscribes. */
export interface ShownSubscription {
  readonly service: ServiceKey;
  readonly clientId: string;
  readonly ip: string;
  /** 0 for a connection. */
  readonly port: number;
  readonly agent: string;
  readonly app: string;
}

/** The answers of one version. */
export interface ClientAnswers {
  client(client: ShownClient): string;
  /** Line of `/publish/list`. */
  publication(publication: ShownPublication): string;
  /** Line of `/subscribe/list`. */
  subscription(subscription: ShownSubscription): string;
  /** Line of `/service/publisher/list`. */
  publisher(publication: ShownPublication): string;
  /** Line of `/service/subscriber/list`. */
  subscriber(subscription: ShownSubscription): string;
}

/** v2, with the members of 2.5.1: ports of clients are texts there. */
export const TERSE_CLIENT_ANSWERS: ClientAnswers = {
  client: (client) => {
    const { type, ip, port } = client;
    const connection =
      type === 'connection'
        ? `"connectType":"GRPC","appName":${jsonText(client.app)},"version":${jsonText(client.version)},`
        : '';
    return `{${clientHead(client)},${connection}"clientIp":${jsonText(ip)},"clientPort":"${port}"}`;
  },
  publication: ({ service, ip, port, cluster }) =>
    `{${serviceHead(service)},"registeredInstance":{"ip":${jsonText(ip)},"port":${port},"cluster":${jsonText(cluster)}}}`,
  subscription: (subscription) =>
    `{${serviceHead(subscription.service)},"subscriberInfo":{"app":${jsonText(subscription.app)},"agent":${jsonText(subscription.agent)},"addr":${jsonText(addressText(subscription))}}}`,
  publisher: ({ ip, port, cluster, clientId }) =>
    `{"ip":${jsonText(ip)},"port":${port},"cluster":${jsonText(cluster)},"clientId":${jsonText(clientId)}}`,
  subscriber: ({ clientId, ip, port }) => `{"clientId":${jsonText(clientId)},"ip":${jsonText(ip)},"port":${port}}`,
};

/** v3, with the members of 3.0.3: all are always there, null or 0 where they say nothing. */
export const FULL_CLIENT_ANSWERS: ClientAnswers = {
  client: (client) => {
    const { type, ip, port, app, version } = client;
    const rest =
      type === 'connection'
        ? `"connectType":"GRPC","appName":${jsonText(app)},"version":${jsonText(version)},"clientIp":${jsonText(ip)},"clientPort":${port}`
        : '"connectType":null,"appName":null,"version":null,"clientIp":null,"clientPort":0';
    return `{${clientHead(client)},${rest}}`;
  },
  publication: (publication) =>
    `{${serviceIdHead(publication.service)},"publisherInfo":${publisherInfo(publication)},"subscriberInfo":null}`,
  subscription: (subscription) =>
    `{${serviceIdHead(subscription.service)},"publisherInfo":null,"subscriberInfo":${subscriberInfo(subscription)}}`,
  publisher: publisherInfo,
  subscriber: subscriberInfo,
};

function clientHead({ id, kind, lastUpdated, type }: ShownClient): string {
  return `"clientId":${jsonText(id)},"ephemeral":${kind === 'ephemeral'},"lastUpdatedTime":${lastUpdated},"clientType":"${type}"`;
}

function serviceHead({ namespace, group, name }: ServiceKey): string {
  return `"namespace":${jsonText(namespace)},"group":${jsonText(group)},"serviceName":${jsonText(name)}`;
}

function serviceIdHead({ namespace, group, name }: ServiceKey): string {
  return `"namespaceId":${jsonText(namespace)},"groupName":${jsonText(group)},"serviceName":${jsonText(name)}`;
}

function publisherInfo({ clientId, ip, port, cluster }: ShownPublication): string {
  return `{"clientId":${jsonText(clientId)},"ip":${jsonText(ip)},"port":${port},"clusterName":${jsonText(cluster)}}`;
}

function subscriberInfo(subscription: ShownSubscription): string {
  const { clientId, app, agent } = subscription;
  return `{"clientId":${jsonText(clientId)},"appName":${jsonText(app)},"agent":${jsonText(agent)},"address":${jsonText(addressText(subscription))}}`;
}

/** The bare ip for connections. */
function addressText({ ip, port }: ShownSubscription): string {
  return port === 0 ? ip : `${ip}:${port}`;
}
