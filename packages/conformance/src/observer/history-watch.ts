// The facts of a service as they reach an outsider, with the time of their arrival: `/rollcall/v1/history/follow`.
import { get, type IncomingMessage } from 'node:http';
import type { FlowContext } from '../flow-context.js';

/** A fact that arrived. */
export interface ArrivedFact {
  /** Wall-clock time of its arrival, ms. */
  readonly atMs: number;
  readonly type: string;
  readonly ip: string | undefined;
}

/** A stream of facts. */
export class HistoryWatch {
  /** Everything so far, in order. */
  readonly facts: ArrivedFact[] = [];
  #rest = '';

  private constructor(answer: IncomingMessage) {
    answer.setEncoding('utf8').on('data', (part: string) => this.#take(part));
  }

  /** Follows a service until the flow ends. */
  static open(context: FlowContext, serviceName: string): Promise<HistoryWatch> {
    const { host, port, contextPath } = context.server.endpoint;
    const path = `${contextPath}/rollcall/v1/history/follow?serviceName=${serviceName}`;
    return new Promise((resolve, reject) => {
      const request = get({ host, port, path, agent: false }, (answer) => resolve(new HistoryWatch(answer)));
      request.once('error', reject);
      context.defer(() => void request.destroy());
    });
  }

  #take(part: string): void {
    const atMs = Date.now();
    const lines = (this.#rest + part).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: ')) continue;
      const { type, ip } = JSON.parse(line.slice('data: '.length)) as { type: string; ip?: string };
      this.facts.push({ atMs, type, ip });
    }
  }
}
