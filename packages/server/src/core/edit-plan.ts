// What an operator's call comes to: the overlay that it leaves, and the content under it. Pure planning on a record; the
// caller makes the plan durable and then feeds it to the core.
// Source: decisions.md "operator's edit"; texts of Nacos 1.4.8 InstanceController for what PUT and PATCH mean.

import { type InstanceContent, type Metadata, NO_METADATA } from '@rollcall/protocol';
import { type EditOverlay, mergedMetadata, metadataWithout, overlayOrNone } from './edit-overlay.js';
import type { InstanceRecord } from './instance-record.js';
import type { StoreChange } from './store-change.js';

/** Fields that a call carries. */
export interface EditedFields {
  readonly weight?: number;
  readonly enabled?: boolean;
  readonly metadata?: Metadata;
  readonly app?: string;
}

/** Outcome of a call: the overlay (undefined for none) and the content under it. */
export interface EditPlan {
  readonly overlay: EditOverlay | undefined;
  readonly base: InstanceContent;
}

/** PUT: the carried fields become the overlay; the defaults of the others are written under it. */
export function planUpdate(record: InstanceRecord, fields: EditedFields): EditPlan {
  const { base } = record.current;
  return {
    overlay: overlayOrNone(fields),
    base: {
      ...base,
      weight: fields.weight === undefined ? 1 : base.weight,
      enabled: fields.enabled === undefined ? true : base.enabled,
      metadata: NO_METADATA,
      app: fields.app ?? base.app,
    },
  };
}

/** PATCH: only the carried fields change; metadata is replaced as a whole. */
export function planPatch(record: InstanceRecord, fields: EditedFields): EditPlan {
  const { base } = record.current;
  const { weight, enabled, metadata, app } = fields;
  return {
    overlay: overlayOrNone({
      ...record.overlay,
      ...(weight !== undefined && { weight }),
      ...(enabled !== undefined && { enabled }),
      ...(metadata !== undefined && { metadata }),
    }),
    base:
      metadata === undefined && app === undefined
        ? base
        : { ...base, metadata: metadata === undefined ? base.metadata : NO_METADATA, app: app ?? base.app },
  };
}

/**
 * PUT of v2 and v3: as {@link planUpdate}, but metadata is laid over what was registered instead of replacing it, and metadata
 * that is not carried takes that of earlier edits away (2.5.1 InstanceMetadata).
 */
export function planOverride(record: InstanceRecord, fields: EditedFields): EditPlan {
  const { base } = record.current;
  return {
    overlay: overlayOrNone(fields),
    base:
      fields.weight !== undefined && fields.enabled !== undefined
        ? base
        : {
            ...base,
            weight: fields.weight === undefined ? 1 : base.weight,
            enabled: fields.enabled === undefined ? true : base.enabled,
          },
  };
}

/** Partial update of v2 and v3: only the carried fields change; carried metadata takes the place of what earlier edits laid over. */
export function planOverridePart(record: InstanceRecord, fields: EditedFields): EditPlan {
  return { overlay: overlayOrNone({ ...record.overlay, ...fields }), base: record.current.base };
}

/** Batch update: the given keys are set, the others stay. */
export function planMetadataSet(record: InstanceRecord, metadata: Metadata): EditPlan {
  const edited = mergedMetadata(record.overlay?.metadata ?? NO_METADATA, metadata);
  return { overlay: overlayOrNone({ ...record.overlay, metadata: edited }), base: record.current.base };
}

/** Batch deletion: the given keys go, wherever they came from. */
export function planMetadataRemoval(record: InstanceRecord, keys: Iterable<string>): EditPlan {
  const { base } = record.current;
  const gone = [...keys];
  const metadata = metadataWithout(base.metadata, gone);
  const edited = metadataWithout(record.overlay?.metadata ?? NO_METADATA, gone);
  return {
    overlay: overlayOrNone({ ...record.overlay, metadata: edited }),
    base: metadata === base.metadata ? base : { ...base, metadata },
  };
}

/** Reset: what the client sent last is in force again. */
export function planReset(record: InstanceRecord): EditPlan {
  return { overlay: undefined, base: record.current.registered };
}

/**
 * The durable part of a plan. For an ephemeral instance a changed base is not durable: the caller feeds it to the core
 * as `rebase` after the commit.
 */
export function storeChangesOf(record: InstanceRecord, { overlay, base }: EditPlan): StoreChange[] {
  const { service, kind, address, current } = record;
  const changes: StoreChange[] = [];
  if (overlay !== record.overlay) changes.push({ type: 'edit', service, kind, address, value: overlay });
  if (kind === 'persistent' && base !== current.base)
    changes.push({ type: 'persistent-instance', service, address, value: { registered: current.registered, base } });
  return changes;
}
