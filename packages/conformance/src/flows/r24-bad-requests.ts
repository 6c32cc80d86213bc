// R24: what a server must say no to, in the words that clients understand.
import type { Flow } from '../flow.js';

const ADDRESS = { ip: '10.24.0.1', port: '8080' } as const;

/** Parameters of registrations that must be refused; `serviceName` is filled in where it is not given. */
const REFUSED: readonly { readonly label: string; readonly query: Readonly<Record<string, string | undefined>> }[] = [
  { label: 'no service name', query: { ...ADDRESS, serviceName: undefined } },
  { label: 'no ip', query: { port: '8080' } },
  { label: 'no port', query: { ip: ADDRESS.ip } },
  { label: 'port that is no number', query: { ...ADDRESS, port: 'http' } },
  { label: 'weight that is no number', query: { ...ADDRESS, weight: 'heavy' } },
  { label: 'weight out of range', query: { ...ADDRESS, weight: '10001' } },
  { label: 'metadata without a value', query: { ...ADDRESS, metadata: 'key' } },
];

/** A light beat of an unknown instance, and seven bad registrations. */
export const r24Raw: Flow = {
  id: 'R24',
  client: 'raw',
  title: 'light beat of an unknown instance 20404; seven bad registrations refused, nothing registered',
  seconds: 1,
  runs: 'together',
  run: async (context) => {
    const namespaceId = context.uniqueName('ns');
    const { code } = await context.api.beat({ namespaceId, serviceName: 'unknown', ...ADDRESS });
    context.require(code === 20_404, `Light beat of an unknown instance: found ${code}, expected 20404`);

    for (const { label, query } of REFUSED) {
      const given = Object.entries({ namespaceId, serviceName: 'refused', ...query }).filter(
        ([, value]) => value !== undefined,
      );
      const sent = Object.fromEntries(given) as Readonly<Record<string, string>>;
      const { status, body } = await context.api.call({ method: 'POST', path: '/v1/ns/instance', query: sent });
      const isRefused = status >= 400 && (context.strength === 'real' || status < 500);
      context.require(isRefused, `Registration with ${label}: found ${status} "${body}", expected a 4xx`);
    }

    const query = { namespaceId, pageNo: '1', pageSize: '10' };
    const list = await context.api.mustCall({ method: 'GET', path: '/v1/ns/service/list', query });
    const { count } = JSON.parse(list) as { readonly count: number };
    context.require(count === 0, `Services in the namespace afterwards: found ${count}, expected 0`);
  },
};
