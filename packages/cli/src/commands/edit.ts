// `rollcall edit <service> <ip:port>`: what an operator lays over what the client sent, and the way back. Weight and enabled
// go by PATCH; metadata by the batch routes, because a PATCH replaces the whole map and with it keys that nobody named.

import type { InstanceAnswer, ResetAnswer } from '@rollcall/server';
import { apiOf, type InstanceOptions, instanceParameters } from '../client-options.js';
import { CommandError } from '../command-error.js';
import type { ApiParameters, ServerApi } from '../server-api.js';
import { type Column, safeText, tableText } from '../table.js';
import type { Terminal } from '../terminal.js';

/** Options of the command. */
export interface EditOptions extends Omit<InstanceOptions, 'persistent'> {
  readonly weight?: number;
  readonly enabled?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly removeMetadata?: readonly string[];
  readonly reset?: true;
}

/** One instance in a request of the batch routes. */
interface BatchTarget {
  readonly parameters: ApiParameters;
  readonly address: string;
}

/**
 * Changes an instance and prints its layers. With two kinds at one address the persistent instance is meant, as in PATCH.
 *
 * @throws CommandError `usage` when nothing is to be changed, `refused` when there is no such instance
 */
export async function edit(service: string, address: string, options: EditOptions, terminal: Terminal): Promise<void> {
  const { weight, enabled, metadata, removeMetadata, reset } = options;
  requireEdit(options);
  const api = apiOf(options);
  const { ephemeral: _, ...target } = instanceParameters(service, address, options);
  const find = () => api.json<InstanceAnswer>('GET', '/rollcall/v1/instance', target);
  const { kind, ip, port, cluster } = await find();
  const instances = JSON.stringify([{ ip, port, clusterName: cluster, ephemeral: kind === 'ephemeral' }]);
  const batch = { parameters: { ...target, instances }, address };
  if (reset) await api.json<ResetAnswer>('DELETE', '/rollcall/v1/instance/edits', target);
  if (weight !== undefined || enabled !== undefined) {
    await api.text('PATCH', '/v1/ns/instance', { ...target, weight, enabled });
  }
  if (metadata !== undefined) await changeMetadata(api, 'PUT', batch, metadata);
  if (removeMetadata !== undefined) {
    await changeMetadata(api, 'DELETE', batch, Object.fromEntries(removeMetadata.map((key) => [key, ''])));
  }
  const after = await find();
  terminal.print(options.json ? JSON.stringify(after) : layersText(after, terminal));
}

function requireEdit({ weight, enabled, metadata, removeMetadata, reset }: EditOptions): void {
  if ([weight, enabled, metadata, removeMetadata, reset].some((field) => field !== undefined)) return;
  const allowed = '--weight, --enabled, --metadata, --remove-metadata and --reset';
  throw new CommandError('usage', `Nothing to edit: found none of ${allowed}, at least one is needed`);
}

async function changeMetadata(
  api: ServerApi,
  method: 'PUT' | 'DELETE',
  { parameters, address }: BatchTarget,
  metadata: Readonly<Record<string, string>>,
): Promise<void> {
  const path = '/v1/ns/instance/metadata/batch';
  const { updated } = await api.json<{ updated: readonly string[] }>(method, path, {
    ...parameters,
    metadata: JSON.stringify(metadata),
  });
  if (updated.length === 0) throw new CommandError('refused', `Instance ${address} was gone before it could be edited`);
}

interface Layer {
  readonly field: string;
  readonly registered: string | undefined;
  readonly edited: string | undefined;
  readonly inForce: string | undefined;
}

const COLUMNS: readonly Column<Layer>[] = [
  { title: 'FIELD', text: ({ field }) => safeText(field) },
  { title: 'REGISTERED', text: ({ registered }) => safeText(registered ?? '') },
  { title: 'EDITED', text: ({ edited }, colors) => colors.cyan(safeText(edited ?? '')) },
  { title: 'IN FORCE', text: ({ inForce }, colors) => colors.bold(safeText(inForce ?? '')) },
];

/** What was registered, edited, and is in force, field by field. */
function layersText({ registered, edits, inForce }: InstanceAnswer, { colors }: Terminal): string {
  const fields = (['weight', 'enabled'] as const).map((field) => ({
    field,
    registered: String(registered[field]),
    edited: edits?.[field]?.toString(),
    inForce: String(inForce[field]),
  }));
  const edited = edits?.metadata ?? {};
  const keys = new Set([registered.metadata, edited, inForce.metadata].flatMap((metadata) => Object.keys(metadata)));
  const entries = [...keys].map((key) => ({
    field: `metadata.${key}`,
    registered: entryOf(registered.metadata, key),
    edited: entryOf(edited, key),
    inForce: entryOf(inForce.metadata, key),
  }));
  return tableText(COLUMNS, [...fields, ...entries], colors);
}

function entryOf(metadata: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(metadata, key) ? metadata[key] : undefined;
}
