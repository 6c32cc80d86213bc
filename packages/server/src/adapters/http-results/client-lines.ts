// Registrations and subscriptions as lines that name their client. HTTP has no connections, so 2.x makes one client of each
// address and kind: `10.0.0.1:8080#true`. Source: Nacos 2.5.1 IpPortBasedClient.getClientId.

import { type InstanceKind, PORT_MAX, type ShownPublication, type ShownSubscription } from '@rollcall/protocol';
import type { InstanceRecord } from '../../core/instance-record.js';
import { isConnection } from '../../core/publisher.js';
import type { Subscriber } from '../../core/subscriber.js';

/** The address and kind in the id of a client without connection. */
export interface ClientAddress {
  readonly ip: string;
  readonly port: number;
  readonly kind: InstanceKind;
}

const ADDRESS_ID = /^(.+):(\d{1,5})#(true|false)$/;

/** What the id of a client without connection says; undefined for another id. */
export function clientAddressIn(id: string): ClientAddress | undefined {
  const [, ip, portText, ephemeral] = ADDRESS_ID.exec(id) ?? [];
  const port = Number(portText);
  if (ip === undefined || port > PORT_MAX) return undefined;
  return { ip, port, kind: ephemeral === 'true' ? 'ephemeral' : 'persistent' };
}

/** Id of the client behind a registration. */
export function publisherIdOf({ address, kind }: InstanceRecord, publisher: string): string {
  return isConnection(publisher) ? publisher : `${address.ip}:${address.port}#${kind === 'ephemeral'}`;
}

/** Id of the client behind a subscription. */
export function subscriberIdOf({ transport, connection, ip, port }: Subscriber): string {
  return transport === 'stream' ? connection : `${ip}:${port}#true`;
}

/** The line of a registration. */
export function publicationOf(record: InstanceRecord, publisher: string): ShownPublication {
  const { service, kind } = record;
  const { ip, port, cluster } = record.address;
  return { service, clientId: publisherIdOf(record, publisher), kind, ip, port, cluster };
}

/** The line of a subscription. */
export function subscriptionOf(subscriber: Subscriber): ShownSubscription {
  const { service, ip, port, agent, app } = subscriber;
  return { service, clientId: subscriberIdOf(subscriber), ip, port, agent, app };
}
