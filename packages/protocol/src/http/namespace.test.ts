import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../limits.js';
import { refusalOf } from '../refusal.test-support.js';
import { request } from './forms.test-support.js';
import {
  isNewNamespaceId,
  namespaceJson,
  namespaceListJson,
  PUBLIC_NAMESPACE,
  readCreateNamespaceForm,
  readUpdateNamespaceForm,
} from './namespace.js';

const create = (values: Record<string, string>) => readCreateNamespaceForm(request(values), DEFAULT_LIMITS);
const update = (values: Record<string, string>) => readUpdateNamespaceForm(request(values), DEFAULT_LIMITS);

describe('answers', () => {
  test('list, the built-in one with an empty id', () => {
    const own = { id: 'dev', name: '开发', description: null, serviceCount: 2, instanceCount: 3 };
    expect(JSON.parse(namespaceListJson([{ ...PUBLIC_NAMESPACE, serviceCount: 0, instanceCount: 0 }, own]))).toEqual({
      code: 200,
      message: null,
      data: [
        {
          namespace: '',
          namespaceShowName: 'public',
          namespaceDesc: 'Default Namespace',
          quota: 200,
          configCount: 0,
          type: 0,
          serviceCount: 0,
          instanceCount: 0,
        },
        {
          namespace: 'dev',
          namespaceShowName: '开发',
          namespaceDesc: null,
          quota: 200,
          configCount: 0,
          type: 2,
          serviceCount: 2,
          instanceCount: 3,
        },
      ],
    });
  });

  test('one', () => {
    expect(namespaceJson({ id: 'dev', name: 'n', description: 'd' })).toBe(
      '{"namespace":"dev","namespaceShowName":"n","namespaceDesc":"d","quota":200,"configCount":0,"type":2}',
    );
  });
});

describe('create', () => {
  test.each([
    [
      { customNamespaceId: 'dev', namespaceName: 'a@b#c', namespaceDesc: '' },
      { id: 'dev', name: 'a@b#c', description: '' },
    ],
    [
      { customNamespaceId: ' ', namespaceName: 'n' },
      { id: undefined, name: 'n', description: null },
    ],
  ])('%j', (values, form) => {
    expect(create(values as Record<string, string>)).toEqual(form);
  });

  test.each([
    [{ namespaceName: 'n' }, "missing-parameter: Parameter 'customNamespaceId' is missing"],
    [{ customNamespaceId: 'x' }, "missing-parameter: Parameter 'namespaceName' is missing"],
    [
      { customNamespaceId: 'x', namespaceName: 'n'.repeat(129) },
      "invalid-namespace: Param 'namespaceName' is illegal, the param length should not exceed 128.",
    ],
    [
      { customNamespaceId: 'x', namespaceName: 'n', namespaceDesc: 'd'.repeat(257) },
      "invalid-namespace: Param 'namespaceDesc' is illegal, the param length should not exceed 256.",
    ],
  ])('%j is refused', (values, refusal) => {
    expect(refusalOf(() => create(values as Record<string, string>))).toBe(refusal);
  });
});

test('update clears a description that is not sent', () => {
  expect(update({ namespace: 'dev', namespaceShowName: 'new' })).toEqual({ id: 'dev', name: 'new', description: null });
  expect(refusalOf(() => update({ namespaceShowName: 'new' }))).toBe(
    "missing-parameter: Parameter 'namespace' is missing",
  );
  expect(refusalOf(() => update({ namespace: 'dev' }))).toBe(
    "missing-parameter: Parameter 'namespaceShowName' is missing",
  );
});

test.each([
  ['dev-1_A', true],
  ['n'.repeat(64), true],
  ['n'.repeat(65), false],
  ['a.b', false],
  ['a/b', false],
  ['空间', false],
  ['', false],
  ['Public', false],
  ['null', false],
])('a new namespace may be called %j: %s', (id, allowed) => {
  expect(isNewNamespaceId(id, DEFAULT_LIMITS)).toBe(allowed);
});
