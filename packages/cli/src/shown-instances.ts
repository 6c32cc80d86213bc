// Tables of instances and services.

import type { InstanceLine, InstancesAnswer, ServiceLine } from '@rollcall/server';
import { durationText } from './duration-text.js';
import { addressText } from './instance-address.js';
import { type Column, safeText, tableText } from './table.js';
import type { Terminal } from './terminal.js';

/** Longest metadata text on a terminal; elsewhere it is not cut. */
const METADATA_LENGTH_MAX = 60;

const SERVICE_COLUMNS: readonly Column<ServiceLine>[] = [
  { title: 'NAMESPACE', text: ({ namespaceId }) => safeText(namespaceId) },
  { title: 'GROUP', text: ({ groupName }) => safeText(groupName) },
  { title: 'SERVICE', text: ({ serviceName }) => safeText(serviceName) },
  { title: 'INSTANCES', align: 'right', text: ({ instances }) => String(instances) },
  {
    title: 'HEALTHY',
    align: 'right',
    text: ({ healthyInstances, instances }, colors) =>
      (healthyInstances < instances ? colors.yellow : colors.green)(String(healthyInstances)),
  },
  { title: 'SUBSCRIBERS', align: 'right', text: ({ subscribers }) => String(subscribers) },
  { title: 'CLUSTERS', align: 'right', text: ({ clusters }) => String(clusters) },
  { title: 'PROTECTION', text: (line, colors) => protectionText(line, colors.yellow) },
];

/** Services as a table. */
export function servicesText(services: readonly ServiceLine[], { colors }: Terminal): string {
  return tableText(SERVICE_COLUMNS, services, colors);
}

/** Instances of a service as a table. @param now - epoch ms, for the time since the last beat */
export function instancesText({ instances }: InstancesAnswer, terminal: Terminal, now: number): string {
  const columns: readonly Column<InstanceLine>[] = [
    { title: 'ADDRESS', text: (line) => safeText(addressText(line)) },
    { title: 'CLUSTER', text: ({ cluster }) => safeText(cluster) },
    { title: 'KIND', text: ({ kind }) => kind },
    { title: 'HEALTH', text: (line, colors) => (line.healthy ? colors.green('healthy') : colors.red('unhealthy')) },
    { title: 'ENABLED', text: ({ enabled }, colors) => (enabled ? 'yes' : colors.yellow('no')) },
    { title: 'WEIGHT', align: 'right', text: ({ weight }) => String(weight) },
    {
      title: 'LAST BEAT',
      align: 'right',
      text: (line) => (line.kind === 'ephemeral' ? durationText(now - line.lastBeat) : '-'),
    },
    { title: 'EDITED', text: ({ edited }, colors) => colors.cyan(safeText(edited.join(' '))) },
    { title: 'METADATA', text: ({ metadata }) => metadataText(metadata, terminal) },
  ];
  return tableText(columns, instances, terminal.colors);
}

/** Metadata in one line, cut on a terminal. */
function metadataText(metadata: Readonly<Record<string, string>>, { isInteractive }: Terminal): string {
  const text = safeText(
    Object.entries(metadata)
      .map(([key, value]) => `${key}=${value}`)
      .join(' '),
  );
  return isInteractive && text.length > METADATA_LENGTH_MAX ? `${text.slice(0, METADATA_LENGTH_MAX - 1)}…` : text;
}

function protectionText({ protecting, protectThreshold }: ServiceLine, warning: (text: string) => string): string {
  if (protecting) return warning(`on, below ${protectThreshold}`);
  return protectThreshold > 0 ? `off, below ${protectThreshold}` : '';
}
