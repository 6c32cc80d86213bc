// What the UDP flows share: a service whose one instance needs no beats, changed by its metadata, and how soon a change
// must be pushed.
import type { FlowContext, Limits } from './flow-context.js';
import { FlowSkip } from './flow-failure.js';
import { LONG_LEASE_METADATA } from './lease-watch.js';
import { UdpReceiver } from './udp-receiver.js';

/** From a change to the datagram, in milliseconds. */
export const PUSH_LIMITS: Limits = { strict: [0, 1000], real: [0, 2500] };

/** Metadata of this many characters or more is sent as a form. */
const LONGEST_QUERY = 4000;

/** A service with one instance. */
export class PushScene {
  readonly serviceName: string;
  readonly #context: FlowContext;
  #version = 0;

  private constructor(context: FlowContext, serviceName: string) {
    this.#context = context;
    this.serviceName = serviceName;
  }

  /**
   * Registers the instance.
   * @throws FlowSkip on a server that answers subscriptions as if there were no pushes
   */
  static async open(context: FlowContext): Promise<PushScene> {
    const scene = new PushScene(context, context.uniqueName('service'));
    await scene.change();
    const probe = await UdpReceiver.open(context);
    const { cacheMillis } = await probe.query({ serviceName: context.uniqueName('promise') });
    if (cacheMillis < 10_000) throw new FlowSkip(`the server does not push: cacheMillis ${cacheMillis}, not 10000`);
    return scene;
  }

  /** A receiver that has asked for the list. */
  async subscriber(): Promise<UdpReceiver> {
    const receiver = await UdpReceiver.open(this.#context);
    await receiver.query({ serviceName: this.serviceName });
    return receiver;
  }

  /** Changes the instance. @returns the version that lists now show, and when the request began (wall clock, ms) */
  async change(more: Readonly<Record<string, string>> = {}): Promise<{ version: string; startedAtMs: number }> {
    this.#version += 1;
    const version = `v${this.#version}`;
    const startedAtMs = Date.now();
    const metadata = JSON.stringify({ ...LONG_LEASE_METADATA, ...more, version });
    const form = { serviceName: this.serviceName, ip: '10.70.0.1', port: '8080', metadata };
    // A query for what is short: 1.4 reads no other. A form for what no request line holds.
    const parameters = metadata.length < LONGEST_QUERY ? { query: form } : { form };
    await this.#context.api.mustCall({ method: 'POST', path: '/v1/ns/instance', ...parameters });
    return { version, startedAtMs };
  }

  /**
   * Changes the instance and waits until the receiver is told, within the push limit.
   * @returns the datagram
   * @throws FlowFailure when it comes late or not at all
   */
  async changeAndExpect(receiver: UdpReceiver, name: string) {
    const fromIndex = receiver.pushes.length;
    const { version, startedAtMs } = await this.change();
    const push = await receiver.waitForPush(name, ({ list }) => list.hosts[0]?.metadata.version === version, {
      timeoutMs: PUSH_LIMITS.real[1] + 1000,
      fromIndex,
    });
    this.#context.requireWithin(name, push.atMs - startedAtMs, 'ms', PUSH_LIMITS);
    return push;
  }
}
