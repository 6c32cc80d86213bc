// Subjects for what operators define: services with a protection threshold, and namespaces with a name.
import type { SubjectKind, SubjectWrite } from './crash-subject.js';
import type { SeededRandom } from './seeded-random.js';

/** A service definition without instances. State: its protection threshold. */
export function serviceSubject(serviceName: string): SubjectKind {
  const write = (method: 'POST' | 'PUT', random: SeededRandom): SubjectWrite => {
    const protectThreshold = (random.wholeNumber(1, 99) / 100).toString();
    const call = { method, path: '/v1/ns/service', query: { serviceName, protectThreshold } };
    return { call, leaves: protectThreshold, acknowledges: isOk };
  };
  return {
    label: `service definition "${serviceName}"`,
    nextWrite: (state, random) => {
      if (state === undefined) return write('POST', random);
      if (random.happens(0.6)) return write('PUT', random);
      const call = { method: 'DELETE', path: '/v1/ns/service', query: { serviceName } } as const;
      return { call, leaves: undefined, acknowledges: isOk };
    },
    read: (server) => server.protectThreshold(serviceName),
  };
}

/** An empty namespace. State: its name. */
export function namespaceSubject(namespaceId: string): SubjectKind {
  return {
    label: `namespace "${namespaceId}"`,
    nextWrite: (state, random) => {
      const name = `name ${random.wholeNumber(1, 1_000_000)}`;
      if (state === undefined) return createNamespace(namespaceId, name);
      return random.happens(0.6) ? renameNamespace(namespaceId, name) : deleteNamespace(namespaceId);
    },
    read: async (server) => {
      const namespaces = await server.namespaces();
      return namespaces.find(({ namespace }) => namespace === namespaceId)?.namespaceShowName;
    },
  };
}

const PATH = '/v1/console/namespaces';

function createNamespace(namespaceId: string, name: string): SubjectWrite {
  const query = { customNamespaceId: namespaceId, namespaceName: name, namespaceDesc: 'crash test' };
  return { call: { method: 'POST', path: PATH, query }, leaves: name, acknowledges: isTrue };
}

function renameNamespace(namespaceId: string, name: string): SubjectWrite {
  const query = { namespace: namespaceId, namespaceShowName: name, namespaceDesc: 'crash test' };
  return { call: { method: 'PUT', path: PATH, query }, leaves: name, acknowledges: isTrue };
}

function deleteNamespace(namespaceId: string): SubjectWrite {
  return { call: { method: 'DELETE', path: PATH, query: { namespaceId } }, leaves: undefined, acknowledges: isTrue };
}

const isOk = ({ status, body }: { readonly status: number; readonly body: string }): boolean =>
  status === 200 && body === 'ok';

const isTrue = ({ status, body }: { readonly status: number; readonly body: string }): boolean =>
  status === 200 && body === 'true';
