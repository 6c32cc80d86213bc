// The example dashboard and alert rules name metrics that exist.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { METRIC_GROUPS } from '../../src/adapters/metrics/metric-catalog.js';

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
