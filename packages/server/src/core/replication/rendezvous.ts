// Who is the mapped owner of a service (R19): the node with the highest weight, so that a node which comes or goes moves
// only its own share. Thaler and Ravishankar, "A Name-Based Mapping Scheme for Rendezvous" (1996).

import type { NodeId } from './peer-message.js';
import { finalMix, textHash } from './text-hash.js';

/** Weight of a node for a service. @param serviceId - `ServiceKey.id` */
export function rendezvousWeight(node: NodeId, serviceId: string): number {
  return finalMix(textHash(serviceId) ^ textHash(node));
}

/** The node with the highest weight, of equal ones the greater name; undefined without nodes. */
export function mappedOwner(nodes: Iterable<NodeId>, serviceId: string): NodeId | undefined {
  let owner: NodeId | undefined;
  let highest = -1;
  for (const node of nodes) {
    const weight = rendezvousWeight(node, serviceId);
    if (weight < highest || (weight === highest && owner !== undefined && node < owner)) continue;
    owner = node;
    highest = weight;
  }
  return owner;
}
