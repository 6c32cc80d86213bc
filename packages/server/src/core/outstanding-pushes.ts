// Pushes that wait for an acknowledgement, found by what an acknowledgement says: the number, and where it came from.
// All subscribers of one round may share a number, so that its bytes are made once; none has two pushes of one number.

import type { Subscriber } from './subscriber.js';

/** The pushes on their way. */
export class OutstandingPushes {
  readonly #byAnswer = new Map<string, Subscriber>();

  /** How many there are. */
  get count(): number {
    return this.#byAnswer.size;
  }

  /** Whether an acknowledgement of the number by this subscriber would be taken for that of another push. */
  isTaken(number: number, subscriber: Subscriber): boolean {
    return this.#byAnswer.has(answerOf(number, subscriber));
  }

  /** A push of this number is on its way. */
  add(number: number, subscriber: Subscriber): void {
    this.#byAnswer.set(answerOf(number, subscriber), subscriber);
  }

  /** It no longer waits for an acknowledgement. */
  remove(number: number, subscriber: Subscriber): void {
    this.#byAnswer.delete(answerOf(number, subscriber));
  }

  /** Whom a datagram from one of these addresses acknowledges; undefined when nobody waits for it. */
  findUdp(number: number, ips: readonly string[], port: number): Subscriber | undefined {
    for (const ip of ips) {
      const subscriber = this.#byAnswer.get(udpAnswer(number, ip, port));
      if (subscriber !== undefined) return subscriber;
    }
    return undefined;
  }

  /** Whom a message of the connection acknowledges; undefined when it waits for none of this number. */
  findStream(number: number, connection: string): Subscriber | undefined {
    return this.#byAnswer.get(streamAnswer(number, connection));
  }
}

function answerOf(number: number, subscriber: Subscriber): string {
  return subscriber.transport === 'udp'
    ? udpAnswer(number, subscriber.ip, subscriber.port)
    : streamAnswer(number, subscriber.connection);
}

/** A Debian host calls itself 127.0.1.1 and answers as 127.0.0.1: loopback addresses are one. */
function udpAnswer(number: number, ip: string, port: number): string {
  return `${number} udp ${ip.startsWith('127.') ? 'loopback' : ip}:${port}`;
}

function streamAnswer(number: number, connection: string): string {
  return `${number} stream ${connection}`;
}
