// Why two nodes have no connection although both are there, and what an operator does about it. Whoever is refused has been
// answered: a node that starts and knows nothing yet must not take that for "nobody is there" (R21).

import type { NodeId } from './peer-message.js';

/**
 * What is wrong. `not-a-member`: this node is not in the other's list. `wrong-secret`: another secret, or no certificate of
 * the cluster. `other-cluster`: another name of the cluster. `wrong-version`: another protocol between nodes. `wrong-node`:
 * the other calls itself by another address. `tls-mismatch`: one of the two talks TLS, the other does not.
 */
export type Rejection =
  | 'not-a-member'
  | 'wrong-secret'
  | 'other-cluster'
  | 'wrong-version'
  | 'wrong-node'
  | 'tls-mismatch';

const REMEDIES: { readonly [R in Rejection]: (self: NodeId) => string } = {
  'not-a-member': (self) => `put "${self}" into its list of members`,
  'wrong-secret': () => 'give both the same --cluster-secret-file, or certificates of one authority',
  'other-cluster': () => 'give both the same --cluster-name, or take it out of the list of members here',
  'wrong-version': () =>
    'start the version that it has; in an upgrade go on, this ends with the last node of the old version',
  'tls-mismatch': () => 'give both --cluster-tls-cert, -key and -ca, or neither',
  'wrong-node': () => 'write it into the list of members here as it calls itself (--node there)',
};

/** Whether a word is a rejection. */
export function isRejection(word: string): word is Rejection {
  return Object.hasOwn(REMEDIES, word);
}

/** What to do, for a line that says what is wrong. @param self - the node that is refused */
export function remedyOf(reason: Rejection, self: NodeId): string {
  return REMEDIES[reason](self);
}
