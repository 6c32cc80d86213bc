// The example dashboard and alert rules name metrics that exist; the manifest for Kubernetes is well-formed, fits together,
// and names options that exist.

import { readFileSync } from 'node:fs';
import { ManualClock, ManualTimers, RecordingLogger } from '@rollcall/runtime/testing';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { METRIC_GROUPS } from '../../src/adapters/metrics/metric-catalog.js';
import { clusterPlanOf } from '../../src/app/cluster-plan.js';
import { loadConfig } from '../../src/app/config.js';
import { OPTION_KEYS, variableOf } from '../../src/app/config-schema.js';

const names = new Set(
  METRIC_GROUPS.flatMap(({ metrics }) => metrics).flatMap(({ name, type }) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  ),
);

it.each(['grafana/rollcall-time.json', 'prometheus/rollcall-alerts.yml'])('%s', (file) => {
  const text = readFileSync(new URL(`../../../../deploy/${file}`, import.meta.url), 'utf8');
  const named = [...text.matchAll(/rollcall_\w+/g)].map(([name]) => name);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !names.has(name))).toEqual([]);
});

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: {
    readonly serviceName?: string;
    readonly replicas?: number;
    readonly selector?: Readonly<Record<string, unknown>>;
    readonly template?: {
      readonly metadata: { readonly labels: object };
      readonly spec: {
        readonly containers: readonly {
          readonly env: readonly { readonly name: string; readonly value?: string }[];
          readonly ports: readonly { readonly containerPort: number }[];
          readonly volumeMounts: readonly { readonly name: string }[];
        }[];
        readonly volumes: readonly { readonly name: string }[];
      };
    };
    readonly volumeClaimTemplates?: readonly Manifest[];
  };
}

describe('the manifest for Kubernetes', () => {
  const text = readFileSync(new URL('../../../../deploy/kubernetes/rollcall.yaml', import.meta.url), 'utf8');
  const documents = parseAllDocuments(text, { uniqueKeys: true, strict: true });
  const manifests = documents.map((document) => document.toJS() as Manifest);
  const set = manifests.find(({ kind }) => kind === 'StatefulSet');
  const template = set?.spec?.template;
  const [container] = template?.spec.containers ?? [];
  const variables = Object.fromEntries((container?.env ?? []).map(({ name, value = '' }) => [name, value]));

  it('is well-formed', () => {
    for (const { errors, warnings } of documents) expect([...errors, ...warnings]).toEqual([]);
    expect(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'Secret rollcall-cluster',
      'Service rollcall-nodes',
      'Service rollcall',
      'PodDisruptionBudget rollcall',
      'StatefulSet rollcall',
    ]);
  });

  it('fits together', () => {
    expect(manifests.map(({ metadata }) => metadata.name)).toContain(set?.spec?.serviceName);
    expect(set?.spec?.selector).toEqual({ matchLabels: template?.metadata.labels });
    const volumes = [...(template?.spec.volumes ?? []), ...(set?.spec?.volumeClaimTemplates ?? [])].map((volume) =>
      'metadata' in volume ? volume.metadata.name : volume.name,
    );
    expect(container?.volumeMounts.map(({ name }) => name).sort()).toEqual(volumes.sort());
    expect(container?.ports.map(({ containerPort }) => containerPort)).toEqual([8848, 9848, 10_848]);
  });

  it('sets options that exist, to values that start a node of three', async () => {
    const known = OPTION_KEYS.map(variableOf);
    const set = Object.keys(variables).filter((name) => name.startsWith('ROLLCALL_'));
    expect(set.filter((name) => !known.includes(name))).toEqual([]);
    const pod = { ...variables, ROLLCALL_NODE: variables.ROLLCALL_NODE?.replace('$(POD_NAME)', 'rollcall-1') };
    const environment = { ...pod, ROLLCALL_CLUSTER_SECRET_FILE: '', ROLLCALL_CLUSTER_SECRET: 'a secret for a test' };
    const { config, notices } = loadConfig({ flags: {}, environment, readFile: () => '' });
    expect(notices).toEqual([]);
    const timers = new ManualTimers(new ManualClock());
    const plan = await clusterPlanOf(config, { timers, logger: new RecordingLogger() });
    expect(plan?.members).toHaveLength(3);
    expect(plan?.members).toContain(plan?.self);
  });
});
