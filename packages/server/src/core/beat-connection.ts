// The connection behind the beats of an instance, as a lane knows it: evidence for why they stopped.

/** What is known of a connection that beats come over. The core keeps it with the claim and does not look inside. */
export interface BeatConnection {
  readonly state: 'open' | 'ended' | 'reset' | 'closed';
  readonly beats: number;
}
