// What an operator changed on an instance: laid over what the client sent, field by field, until reset or until the
// instance has been gone for a while. Source: product.md rule 5; Nacos 2.x InstanceMetadata has the same idea.

import type { InstanceContent, Metadata } from '@rollcall/protocol';

/** Fields an operator set. An absent field is not edited. Never empty: an overlay without fields is none. */
export interface EditOverlay {
  readonly weight?: number;
  readonly enabled?: boolean;
  /** Only the edited keys. */
  readonly metadata?: Metadata;
}

/** Lays the overlay's fields over the content. Returns the content itself when nothing is edited. */
export function withOverlay(content: InstanceContent, overlay: EditOverlay | undefined): InstanceContent {
  if (overlay === undefined) return content;
  return {
    ...content,
    weight: overlay.weight ?? content.weight,
    enabled: overlay.enabled ?? content.enabled,
    metadata: overlay.metadata === undefined ? content.metadata : mergedMetadata(content.metadata, overlay.metadata),
  };
}

/** The first map's entries with those of the second set over them; order of the first, new keys at the end. */
export function mergedMetadata(under: Metadata, over: Metadata): Metadata {
  if (over.size === 0) return under;
  if (under.size === 0) return over;
  return new Map([...under, ...over]);
}

/** The map without some keys; the same map when none of them is present. */
export function metadataWithout(metadata: Metadata, keys: Iterable<string>): Metadata {
  const rest = new Map(metadata);
  for (const key of keys) rest.delete(key);
  return rest.size === metadata.size ? metadata : rest;
}

/** The overlay, or undefined when it has no field left. */
export function overlayOrNone(overlay: EditOverlay): EditOverlay | undefined {
  const { weight, enabled, metadata } = overlay;
  const result = {
    ...(weight !== undefined && { weight }),
    ...(enabled !== undefined && { enabled }),
    ...(metadata !== undefined && metadata.size > 0 && { metadata }),
  };
  return Object.keys(result).length === 0 ? undefined : result;
}
