// A client of the 2.x protocol as an SDK is one: it sets up its stream, then publishes, subscribes and acknowledges.
import type { Endpoint } from './endpoint.js';
import { GrpcClient } from './grpc-client.js';
import { grpcMessage } from './grpc-message.js';

const SETUP = grpcMessage('ConnectionSetupRequest', {
  clientVersion: 'Nacos-Java-Client:v2.5.1',
  tenant: 'public',
  labels: { source: 'sdk', module: 'naming', AppName: 'bench' },
  abilityTable: {},
});
const HEALTH = grpcMessage('HealthCheckRequest', { module: 'internal' });
const OK = Buffer.from('"resultCode":200');
const REQUEST_ID = Buffer.from('"requestId":"');
const PUSH = Buffer.from('NotifySubscriberRequest');
const DETECTION = Buffer.from('ClientDetectionRequest');
/** Pause between two questions whether the set-up has been noticed. */
const RETRY_MS = 20;
const READY_TRIES = 500;

/** Where a service is: namespace `public`, group `DEFAULT_GROUP`. */
export function serviceFields(serviceName: string): object {
  return { namespace: 'public', serviceName, groupName: 'DEFAULT_GROUP' };
}

/** A registration, or its end. @param version - goes into the metadata, so that another one is a change */
export function instanceMessage(
  type: 'registerInstance' | 'deregisterInstance',
  instance: { readonly serviceName: string; readonly ip: string; readonly version: string },
): Buffer {
  const { serviceName, ip, version } = instance;
  const fields = { ip, port: 8080, weight: 1, healthy: true, enabled: true, ephemeral: true, clusterName: 'DEFAULT' };
  return grpcMessage('InstanceRequest', {
    ...serviceFields(serviceName),
    type,
    instance: { ...fields, metadata: { version } },
  });
}

/** One client. */
export class GrpcSubscriber {
  readonly #client: GrpcClient;
  readonly #waiting = new Map<number, (body: Buffer) => void>();
  #lostBecause: string | undefined;

  /** @param onList - gets each pushed list, which is acknowledged already */
  constructor(endpoint: Endpoint, onList: (message: Buffer) => void = () => undefined) {
    this.#client = new GrpcClient(endpoint, {
      answered: (streamId, body) => {
        const done = this.#waiting.get(streamId);
        this.#waiting.delete(streamId);
        done?.(body);
      },
      pushed: (message) => {
        if (this.#acknowledge(message)) onList(message);
      },
      lost: (reason) => {
        this.#lostBecause ??= reason;
        for (const done of this.#waiting.values()) done(Buffer.alloc(0));
        this.#waiting.clear();
      },
    });
  }

  /** Why the connection is gone; undefined while it is not. */
  get lostBecause(): string | undefined {
    return this.#lostBecause;
  }

  /**
   * Sets the stream up.
   *
   * @returns when the server has noticed
   * @throws Error when it does not
   */
  async setUp(): Promise<void> {
    this.#client.openStream(SETUP);
    for (let tries = 0; tries < READY_TRIES && this.#lostBecause === undefined; tries++) {
      if ((await this.#ask(HEALTH)).includes(OK)) return;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    throw new Error(`Server did not take the set-up of a client: ${this.#lostBecause ?? 'it is still not registered'}`);
  }

  /** Makes a call. @returns its answer's bytes @throws Error unless it says success */
  async call(message: Buffer): Promise<Buffer> {
    const body = await this.#ask(message);
    if (body.includes(OK)) return body;
    throw new Error(`Call failed: ${this.#lostBecause ?? JSON.stringify(body.toString('latin1').slice(0, 200))}`);
  }

  /** Subscribes. @returns the list at that moment */
  subscribe(serviceName: string): Promise<Buffer> {
    return this.call(
      grpcMessage('SubscribeServiceRequest', { ...serviceFields(serviceName), subscribe: true, clusters: '' }),
    );
  }

  /** Ends the connection. */
  close(): void {
    this.#client.close();
  }

  #ask(message: Buffer): Promise<Buffer> {
    if (this.#lostBecause !== undefined) return Promise.resolve(Buffer.alloc(0));
    return new Promise((done) => this.#waiting.set(this.#client.call(message), done));
  }

  /** Answers as SDKs do. @returns whether the message was a list */
  #acknowledge(message: Buffer): boolean {
    const isList = message.includes(PUSH);
    if (!isList && !message.includes(DETECTION)) return false;
    const start = message.indexOf(REQUEST_ID) + REQUEST_ID.length;
    const requestId = message.toString('latin1', start, message.indexOf('"', start));
    this.#client.say(acknowledgementOf(isList ? 'NotifySubscriberResponse' : 'ClientDetectionResponse', requestId));
    return isList;
  }
}

let lastAcknowledgement: { readonly name: string; readonly message: Buffer } = { name: '', message: Buffer.alloc(0) };

/** Subscribers of one round mostly answer the same: what the receiving process costs is not what is measured. */
function acknowledgementOf(type: string, requestId: string): Buffer {
  const name = `${type} ${requestId}`;
  if (lastAcknowledgement.name !== name) {
    const message = grpcMessage(type, { requestId, resultCode: 200, errorCode: 0, success: true });
    lastAcknowledgement = { name, message };
  }
  return lastAcknowledgement.message;
}

/** Opens many clients, a few at a time. @param prepare - what each does once it is set up */
export async function openSubscribers(
  count: number,
  open: (index: number) => GrpcSubscriber,
  prepare: (subscriber: GrpcSubscriber, index: number) => Promise<unknown> = async () => undefined,
  together = 100,
): Promise<GrpcSubscriber[]> {
  const subscribers: GrpcSubscriber[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      const index = next++;
      const subscriber = open(index);
      subscribers.push(subscriber);
      await subscriber.setUp();
      await prepare(subscriber, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(together, count) }, work));
  return subscribers;
}
