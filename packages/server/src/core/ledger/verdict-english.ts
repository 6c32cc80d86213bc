// The verdict in English: per cause what happened, and what to change.

import type { Cause } from './cause.js';
import { secondsText as s } from './seconds-text.js';
import type { VerdictFacts } from './verdict-facts.js';

/** Two sentences. */
export interface Sentences {
  readonly verdict: string;
  readonly advice: string;
}

type Template = (facts: VerdictFacts) => Sentences;

const timeoutAdvice = ({ beatTimeoutMs, beatIntervalMs }: VerdictFacts): string =>
  beatTimeoutMs === 15_000
    ? `The ${s(beatTimeoutMs)} are the default heart-beat timeout; set the metadata preserved.heart.beat.timeout (and preserved.heart.beat.interval) of the instance to shorten them.`
    : `The instance asks for a heart-beat timeout of ${s(beatTimeoutMs)}${beatIntervalMs > 0 ? ` and beats every ${s(beatIntervalMs)}` : ''}; lower preserved.heart.beat.timeout to shorten it.`;

const spent = ({ ms, totalMs }: VerdictFacts): string =>
  totalMs > ms && ms > 0 && s(totalMs) !== s(ms) ? `${s(ms)} of ${s(totalMs)}` : s(ms || totalMs);
const who = ({ subscriber }: VerdictFacts): string =>
  subscriber === undefined ? 'The subscriber' : `Subscriber ${subscriber}`;

/** The sentences of every cause. */
export const ENGLISH: { readonly [C in Cause]: Template } = {
  none: ({ instance, state }) => ({
    verdict:
      state === 'unknown'
        ? `Nothing is known of ${instance}: it was not registered here, or its history was dropped.`
        : `${instance} is ${state}, and nothing went wrong with it as far as this server knows.`,
    advice: 'Ask with --at for an earlier moment, or look at "rollcall history".',
  }),
  'silent-crash': (facts) => ({
    verdict: `${facts.instance} went silent without a word: ${spent(facts)} passed until its heart-beat timeout ended.`,
    advice: timeoutAdvice(facts),
  }),
  'exited-without-deregistration': (facts) => ({
    verdict: `${facts.instance} ended without deregistering: its connection was closed and no deregistration came; ${spent(facts)} passed until the list changed.`,
    advice:
      `Deregister on exit (SIGTERM) and wait with awaitSubscribersMs. A killed process looks the same from here. ${facts.ms > 0 ? timeoutAdvice(facts) : ''}`.trim(),
  }),
  frozen: (facts) => ({
    verdict: `${facts.instance} stood still: its connection stayed open and nothing came over it; ${spent(facts)} passed until the list changed.`,
    advice:
      `Look for garbage collection, a stopped container or a blocked event loop there. ${facts.ms > 0 ? timeoutAdvice(facts) : ''}`.trim(),
  }),
  'late-beats': (facts) => ({
    verdict: `Beats of ${facts.instance} come late: ${s(facts.ms)} without one, with a heart-beat timeout of ${s(facts.beatTimeoutMs)}.`,
    advice: 'Let the client beat more often than a third of its timeout, or raise preserved.heart.beat.timeout.',
  }),
  're-created': ({ instance }) => ({
    verdict: `${instance} was removed and came back by a late beat, which carries the whole instance and registers it anew.`,
    advice:
      'The process was alive after all, or a stopped one had a beat left to send; deregister before stopping its beats.',
  }),
  deregistered: (facts) => ({
    verdict: `${facts.instance} deregistered itself; ${who(facts)} knew ${s(facts.totalMs)} later.`,
    advice:
      'Deregister with awaitSubscribersMs and stop serving only after the answer: then nobody is still on the way.',
  }),
  'confirmed-dead': (facts) => ({
    verdict: `${facts.instance} refused connections after a beat was missed and was marked unhealthy at once, ${s(facts.totalMs)} after its last sign of life.`,
    advice: 'Nothing to change: this is the faster truth of the option confirmDead.',
  }),
  'operator-edit': ({ instance, actor }) => ({
    verdict: `${instance} was taken out by hand${actor === undefined ? '' : ` from ${actor}`}, not by its own failure.`,
    advice: `"rollcall edit <service> ${instance} --reset" takes the edit back.`,
  }),
  'restart-grace': (facts) => ({
    verdict: `This server had restarted: every lease got its full time again, so ${facts.instance} stayed ${s(facts.totalMs)} longer.`,
    advice: 'Restart servers while providers are well; the grace of connections is the option connectionGraceMs.',
  }),
  'other-node': ({ instance, actor }) => ({
    verdict: `${instance} beats to another server${actor === undefined ? '' : `, ${actor}`}: here its lease ran out, there it lives.`,
    advice: 'Give providers and consumers the same server addresses.',
  }),
  'holder-lost': ({ instance, holder }) => ({
    verdict: `The node that held the lease of ${instance}${holder === undefined ? '' : `, ${holder},`} is gone, and nobody took it over in time.`,
    advice: 'Give providers the addresses of all nodes, so that their next beat or connection goes to one that lives.',
  }),
  'take-over': (facts) => ({
    verdict: `Node ${facts.takeOver?.from ?? '?'} held the lease of ${facts.instance} and could not be relied on any more: ${spent(facts)} passed until node ${facts.takeOver?.to ?? '?'} took it over, with its full time again.`,
    advice:
      'A node that stops in order, or whose port is closed, is taken over at once; one that is cut off or frozen after 7 s of silence. Give clients the addresses of all nodes: their next beat takes the lease over sooner.',
  }),
  partition: (facts) => ({
    verdict: `Node ${facts.takeOver?.from ?? '?'} held the lease of ${facts.instance} and had its beats, but could not be heard from here: the lease that node ${facts.takeOver?.to ?? '?'} took over ran out, ${spent(facts)} after the last word from there.`,
    advice:
      'Look at the network between these nodes ("rollcall members", member-changed in their logs). Give clients the addresses of all nodes, so that their beats reach both sides of a cut.',
  }),
  replication: (facts) => ({
    verdict: `${facts.holder === undefined ? 'Another node' : `Node ${facts.holder}`} had seen ${facts.instance} change, but its word came late: ${spent(facts)} passed until this node knew.`,
    advice:
      'Look at lag and silence of the nodes ("rollcall members") and at the network between them; without trouble a change takes a third of a second.',
  }),
  'switch-off': (facts) => ({
    verdict: `A switch was off (healthCheckEnabled or pushEnabled)${facts.actor === undefined ? '' : `, changed from ${facts.actor}`}: ${s(facts.ms)} went by with nothing expiring or nobody told.`,
    advice: 'Look at GET /nacos/v1/ns/operator/switches and switch it on again.',
  }),
  'probe-interval': (facts) => ({
    verdict: `${facts.instance} is persistent: its health is found by probes, ${s(facts.ms)} from the last good one until it was flipped.`,
    advice: 'Lower the probe interval or checkTimes in the switches; a refused connection counts at once.',
  }),
  'push-merged': (facts) => ({
    verdict: `The change came within the merge window after another push and waited ${s(facts.ms)} for its end.`,
    advice: 'The window is the option pushMergeMs; it merges bursts of changes into one push.',
  }),
  'push-queued': (facts) => ({
    verdict: `${who(facts)} had not acknowledged the push before, so the next one waited ${s(facts.ms)}.`,
    advice: 'Find out why that subscriber is slow to acknowledge: its event loop, or lost datagrams.',
  }),
  'push-lost': (facts) => ({
    verdict: `The first push to ${facts.subscriber} was lost: ${spent(facts)} passed until it was sent again.`,
    advice:
      'Datagrams get lost on the way; over gRPC they do not. Check the network and the receive buffer of the consumer.',
  }),
  'push-not-acknowledged': (facts) => ({
    verdict: `${who(facts)} never acknowledged the push (${spent(facts)}): it may have the list, or wait for its next poll.`,
    advice:
      'Check that datagrams reach its port (firewall, NAT, containers) and that its own go back to the push port of the server.',
  }),
  'push-refused-address': (facts) => ({
    verdict: `${who(facts)} asks for pushes but cannot have them (${facts.reason ?? 'refused'}), so it learned by polling, ${spent(facts)}.`,
    advice: 'Allow its address with the option pushTargets, or let the client send its real address as clientIP.',
  }),
  'push-refused-size': (facts) => ({
    verdict: `The list does not fit into a datagram, so ${facts.subscriber} was not pushed and learned by polling, ${spent(facts)}.`,
    advice: 'Use gRPC clients for this service, split it, or carry less metadata.',
  }),
  'poll-only': (facts) => ({
    verdict: `${who(facts)} takes no pushes and learned by polling, ${spent(facts)}.`,
    advice: 'Subscribe in that client (UDP or gRPC), or lower defaultCacheMillis in the switches.',
  }),
  'subscriber-gone': (facts) => ({
    verdict: `${who(facts)} ended its subscription, or was forgotten, before it was told.`,
    advice: 'It asks for the list when it comes back; until then only its own cache answers there.',
  }),
  protection: ({ instance, protection }) => ({
    verdict: `${instance} is handed out as healthy because health protection is on${protection === undefined ? '' : ` (${protection.healthy} of ${protection.all} healthy, threshold ${protection.threshold}, lists of ${protection.dialect})`}.`,
    advice: 'Bring instances back, or lower the protectThreshold of the service; 0 turns it off.',
  }),
  filter: ({ instance, subscriber }) => ({
    verdict: `${subscriber ?? 'The subscriber'} had been told: its list shows ${instance} as unhealthy or with weight 0, and leaving such out is up to the consumer.`,
    advice:
      'Let the consumer select healthy instances only (selectInstances with healthy true, or healthyOnly in its query).',
  }),
  'consumer-cache': ({ instance, subscriber }) => ({
    verdict: `${subscriber ?? 'The subscriber'} had been told that ${instance} is gone before that moment: what still called it used its own cache. This server cannot see it.`,
    advice:
      'Look there: fail-over files and disk cache of the client, empty-list protection (namingPushEmptyProtection), connection and DNS pools of the caller.',
  }),
  'persistent-without-probe': ({ instance }) => ({
    verdict: `${instance} is persistent and nothing probes it: it stays listed as healthy until somebody removes it.`,
    advice: 'Set a health checker on its cluster, register it as ephemeral, or deregister it.',
  }),
  'still-connected': ({ instance, publishers }) => ({
    verdict: `${instance} is listed because its gRPC connection is alive (${publishers.join(', ')}), whatever its port does.`,
    advice: 'Look at the process that holds the connection; the instance goes with it.',
  }),
  'two-publishers': ({ instance, publishers }) => ({
    verdict: `${instance} is held by ${publishers.length} publishers (${publishers.join(', ')}): it stays while any of them lives.`,
    advice: 'Find the second one and stop it: an old process, or a sidecar that registers as well.',
  }),
  'beats-by-another': ({ instance, actor }) => ({
    verdict: `Beats for ${instance} come from more than one address${actor === undefined ? '' : `, also from ${actor}`}: somebody else keeps it alive.`,
    advice: 'Stop the old process or the second registrar that beats for this address.',
  }),
  'not-yet-expired': (facts) => ({
    verdict: `${facts.instance} has been silent for ${s(facts.silentMs)}, which is less than its heart-beat timeout of ${s(facts.beatTimeoutMs)}: it is still listed as healthy.`,
    advice: timeoutAdvice(facts),
  }),
  'registered-elsewhere': ({ instance, elsewhere }) => ({
    verdict: `${instance} is registered in other services too: ${elsewhere.join(', ')}.`,
    advice: 'Consumers of those see it still; deregister it there.',
  }),
};
