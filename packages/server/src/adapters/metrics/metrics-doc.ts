// The text of docs/metrics.md, made from the catalog.

import type { Metric } from './metric.js';
import { METRIC_GROUPS } from './metric-catalog.js';

const HEAD = `# Metrics

\`GET /rollcall/v1/metrics\`, \`/nacos/actuator/prometheus\` and \`/metrics\` answer the same page in the text format of
Prometheus. Metrics of our own begin with \`rollcall_\`; the names that dashboards for Nacos ask for are in the last
section. Counters begin at 0 with the process.

\`\`\`yaml
scrape_configs:
  - job_name: rollcall
    metrics_path: /rollcall/v1/metrics
    static_configs:
      - targets: ["localhost:8848"]
\`\`\`

Registered instances can be scraped as well: \`GET /nacos/prometheus\` (\`/namespaceId/{id}\`, \`/service/{name}\` behind
it) lists them for the \`http_sd_configs\` of Prometheus, with namespace, group, service, cluster, health and metadata as labels.

A page counts instances and subscribers by walking through them, a part at a time, so that beats and lists go on
meanwhile; who asks while a page is being made gets that page. Requests, beats and pushes only add to numbers.

This page is made by \`node tools/configuration-doc.mjs\` from the catalog of metrics; do not edit it by hand.
`;

/** The whole page. */
export function metricsPage(): string {
  return [HEAD, ...METRIC_GROUPS.map(({ title, metrics }) => section(title, metrics))].join('\n');
}

function section(title: string, metrics: readonly Metric[]): string {
  const rows = metrics.map(({ name, type, unit, labels, help }) => {
    const cells = [`\`${name}\``, type, unit, labels.map((label) => `\`${label}\``).join(', '), help];
    return `| ${cells.join(' | ')} |`;
  });
  return `## ${title}\n\n| name | type | unit | labels | meaning |\n|---|---|---|---|---|\n${rows.join('\n')}\n`;
}
