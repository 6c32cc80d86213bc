// R15: malformed targets and bodies are answered or closed within 3 s, and a malformed body is never accepted.
import type { Flow } from '../flow.js';
import type { FlowContext } from '../flow-context.js';
import { RawConnection } from '../raw-connection.js';
import { requireStillAnswers } from '../still-answers.js';

interface Malformed {
  readonly label: string;
  /** Request line without the version, `{base}` is the context path. */
  readonly line: string;
  readonly body?: string;
  /** Whether a 200 would mean that nonsense was accepted. */
  readonly mayBeAccepted: boolean;
}

const CASES: readonly Malformed[] = [
  { label: 'lone percent', line: 'GET {base}/v1/ns/instance/list?serviceName=%', mayBeAccepted: true },
  { label: 'percent without hex', line: 'GET {base}/v1/ns/instance/list?serviceName=%zz', mayBeAccepted: true },
  { label: 'cut UTF-8', line: 'GET {base}/v1/ns/instance/list?serviceName=%e4%b8', mayBeAccepted: true },
  { label: 'overlong UTF-8', line: 'GET {base}/v1/ns/instance/list?serviceName=%c0%af', mayBeAccepted: true },
  { label: 'percent in the path', line: 'GET {base}/v1/ns/inst%ance/list?serviceName=x', mayBeAccepted: true },
  { label: 'doubled slash', line: 'GET {base}//v1//ns/instance/list?serviceName=x', mayBeAccepted: true },
  { label: 'dot segments', line: 'GET {base}/../../v1/ns/./instance/list?serviceName=x', mayBeAccepted: true },
  { label: 'null character', line: 'GET {base}/v1/ns/instance/list?serviceName=a%00b', mayBeAccepted: true },
  { label: 'unknown method', line: 'BREW {base}/v1/ns/instance', mayBeAccepted: false },
  { label: 'no version', line: 'GET', mayBeAccepted: false },
  {
    label: 'beat that is no JSON',
    line: 'PUT {base}/v1/ns/instance/beat?serviceName=r15',
    body: 'beat=%7B%22ip%22%3A',
    mayBeAccepted: false,
  },
  {
    label: 'beat that is an array',
    line: 'PUT {base}/v1/ns/instance/beat?serviceName=r15',
    body: 'beat=%5B1%5D',
    mayBeAccepted: false,
  },
  {
    label: 'body of percent signs',
    line: 'POST {base}/v1/ns/instance',
    body: '%%%=%%%&serviceName=%e4&ip=%&port=%zz',
    mayBeAccepted: false,
  },
];

/** Malformed percent-encoding, paths, methods and bodies. */
export const r15Raw: Flow = {
  id: 'R15',
  client: 'raw',
  title: 'malformed targets and bodies: answered or closed within 3 s, never a 5xx, nonsense never accepted',
  seconds: 2,
  runs: 'alone',
  run: async (context) => {
    for (const malformed of CASES) await sendMalformed(context, malformed);
    await requireStillAnswers(context, `${CASES.length} malformed requests`);
    const { hosts } = await context.api.list({ serviceName: 'r15' });
    context.require(hosts.length === 0, `Hosts registered: found ${hosts.length}, expected 0`);
  },
};

async function sendMalformed(
  context: FlowContext,
  { label, line, body = '', mayBeAccepted }: Malformed,
): Promise<void> {
  const connection = await RawConnection.open(context);
  const type =
    body === '' ? '' : `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n`;
  const target = line.replace('{base}', context.server.endpoint.contextPath);
  connection.write(`${target} HTTP/1.1\r\nHost: r15\r\n${type}\r\n${body}`);
  const waitedMs = await connection.answerOrClose(3000);
  const { status } = connection;
  context.require(waitedMs !== undefined, `${label}: neither answered nor closed within 3 s`);
  const isServerError = context.strength === 'strict' && status !== undefined && status >= 500 && status !== 501;
  context.require(!isServerError, `${label}: found status ${status}, expected no 5xx`);
  context.require(mayBeAccepted || status !== 200, `${label}: accepted with "${connection.received.slice(-100)}"`);
}
