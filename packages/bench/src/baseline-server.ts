// The bare TCP baseline as a contender: started beside the server, it answers the very bytes that the server answered.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { stopChildServer } from './child-server.js';
import type { Contender } from './contender.js';
import { pinnedCommand } from './core-pinning.js';
import type { Endpoint } from './endpoint.js';
import { HttpResponseReader } from './http-response-reader.js';

/** The baseline, with the time that its start took. */
export interface BaselineContender extends Contender {
  readonly pid: number;
  /** From the spawn call to the first connection accepted, in milliseconds: what Node itself needs. */
  readonly firstAnswerMs: number;
  /** Makes it answer these bytes from now on. */
  prepare(answer: Buffer): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('./bare-tcp-baseline.js', import.meta.url));
const CAPTURE_TIMEOUT_MS = 5000;

/** Starts the baseline on the servers' core. */
export async function startBaseline(): Promise<BaselineContender> {
  const startedAtMs = performance.now();
  const [program = '', ...args] = pinnedCommand([process.execPath, PROGRAM]);
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const { port } = await nextMessage<{ readonly port: number }>(child);
  const endpoint = { host: '127.0.0.1', port, contextPath: '/nacos' };
  await captureAnswer(endpoint, Buffer.from('GET / HTTP/1.1\r\nHost: bench\r\n\r\n'));
  return {
    name: 'bare-tcp',
    endpoint,
    pid: child.pid ?? 0,
    firstAnswerMs: performance.now() - startedAtMs,
    prepare: async (answer) => {
      child.send({ answerBase64: answer.toString('base64') });
      await nextMessage(child);
    },
    stop: () => stopChildServer(child),
  };
}

/**
 * Sends one request and returns the answer exactly as it came, head and body.
 * @throws Error when no complete answer comes within 5 s
 */
export function captureAnswer(endpoint: Endpoint, request: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: endpoint.host, port: endpoint.port });
    const parts: Buffer[] = [];
    const fail = (error: Error): void => {
      socket.destroy();
      reject(error);
    };
    const reader = new HttpResponseReader(() => {
      socket.destroy();
      resolve(Buffer.concat(parts));
    });
    socket.setTimeout(CAPTURE_TIMEOUT_MS, () => fail(new Error('Cannot capture an answer: none came within 5 s')));
    socket.on('error', fail);
    socket.on('data', (chunk) => {
      parts.push(chunk);
      try {
        reader.push(chunk);
      } catch (error) {
        fail(error as Error);
      }
    });
    socket.write(request);
  });
}

async function nextMessage<T>(child: ChildProcess): Promise<T> {
  const [message] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('The bare TCP baseline ended before it was ready'))),
  ]);
  return message as T;
}
