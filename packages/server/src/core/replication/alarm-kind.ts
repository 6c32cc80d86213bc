// What calls for attention in a cluster.

/**
 * Why somebody should look. `digest-mismatch`: a copy was wrong and is taken anew. `two-runs`: another process uses this
 * node's address. `clock-ahead`: a version lies more than a day ahead of the own clock. `limit`: a peer has what does not
 * fit here. `too-many-sets`: a peer offers more sets than a cluster can have. `not-admitted`: this node starts, and a member
 * refuses it. `epoch-leap`: a run number that others tell of a node is made up.
 */
export type AlarmKind =
  | 'digest-mismatch'
  | 'two-runs'
  | 'clock-ahead'
  | 'limit'
  | 'too-many-sets'
  | 'not-admitted'
  | 'epoch-leap';
