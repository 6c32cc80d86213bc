// Why traffic still goes to an instance that is dead: the causes that the verdict tells apart. Source: the union of the
// project's list and ops-auth-console.md 6.6.

/** All causes; `none` is a stage that has no other cause than that things take their time. */
export const CAUSES = [
  'none',
  // Why nothing was heard of the instance.
  'silent-crash',
  'exited-without-deregistration',
  'frozen',
  'late-beats',
  're-created',
  'deregistered',
  'confirmed-dead',
  'operator-edit',
  'restart-grace',
  'other-node',
  'holder-lost',
  'take-over',
  'partition',
  'replication',
  'switch-off',
  'probe-interval',
  // Why a subscriber was told late, or not.
  'push-merged',
  'push-queued',
  'push-lost',
  'push-not-acknowledged',
  'push-refused-address',
  'push-refused-size',
  'poll-only',
  'subscriber-gone',
  // Why it is listed although it is dead, or called although it is not listed.
  'protection',
  'filter',
  'consumer-cache',
  'persistent-without-probe',
  'still-connected',
  'two-publishers',
  'beats-by-another',
  'not-yet-expired',
  'registered-elsewhere',
] as const;

/** One of {@link CAUSES}. */
export type Cause = (typeof CAUSES)[number];
