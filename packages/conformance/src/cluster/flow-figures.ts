// Figures that several flows share.

import type { ClusterScene } from './cluster-scene.js';
import type { FigureLimit } from './figure.js';
import type { Population } from './population.js';
import type { PublisherKind } from './view/expected-view.js';
import type { WrongKind } from './view/judge-list.js';
import { instancesOf, longestMs, type WrongSpan } from './view/wrong-span.js';

/** Nothing at all is allowed, at either strength. */
export const NONE: FigureLimit = { default: 0 };
/** Nothing at all is allowed by the strict limits. */
export const STRICTLY_NONE: FigureLimit = { strict: 0 };

/** Which of the things that were wrong. */
export interface WrongChoice {
  /** Indices of nodes. */
  readonly at: readonly number[];
  readonly kinds: readonly PublisherKind[];
  readonly what: readonly WrongKind[];
}

/** What was wrong, of the kinds chosen. */
export function wrongSpans(scene: ClusterScene, { at, kinds, what }: WrongChoice): readonly WrongSpan[] {
  return scene.view.spans.filter(
    (span) => at.includes(span.node) && what.includes(span.what) && kinds.includes(span.instance?.kind ?? 'http'),
  );
}

/** How many live HTTP instances vanished and became unhealthy at the nodes, and for how long. @param where - in words */
export function httpFigures(scene: ClusterScene, at: readonly number[], where: string, limit: FigureLimit): void {
  for (const what of ['vanished', 'unhealthy'] as const) {
    const spans = wrongSpans(scene, { at, kinds: ['http'], what: [what] });
    scene.figure(`live HTTP instances ${what} at ${where}`, instancesOf(spans), limit);
    if (spans.length > 0) scene.time(`  longest ${what}`, longestMs(spans));
  }
}

/** How many instances of connections were hit at the nodes, and the longest time. */
export function grpcFigures(
  scene: ClusterScene,
  at: readonly number[],
  limits: { readonly hit: FigureLimit; readonly longest: FigureLimit },
): void {
  const spans = wrongSpans(scene, { at, kinds: ['grpc'], what: ['vanished', 'unhealthy'] });
  scene.figure('gRPC instances vanished or unhealthy', instancesOf(spans), limits.hit);
  scene.time('  longest', longestMs(spans), limits.longest);
}

/** Lists without hosts at the nodes. */
export function emptyListFigure(scene: ClusterScene, at: readonly number[], where: string): void {
  scene.figure(`empty lists at ${where}`, sumAt(scene, at, 'emptyLists'), NONE);
}

/** Lists of the nodes, all that were seen, and those that failed. */
export function sampleFigures(scene: ClusterScene, at: readonly number[]): void {
  scene.figure('lists seen', sumAt(scene, at, 'lists'));
  scene.figure('lists that failed', sumAt(scene, at, 'failures'), STRICTLY_NONE);
}

/** A count of the observer over some nodes. */
export function sumAt(
  scene: ClusterScene,
  at: readonly number[],
  count: 'lists' | 'emptyLists' | 'shortLists' | 'failures',
): number {
  return at.reduce((sum, node) => sum + (scene.view.samples[node]?.[count] ?? 0), 0);
}

/** The longest time until writes were accepted. @param timesMs - in milliseconds; undefined for one that never was */
export function acceptedFigure(
  scene: ClusterScene,
  writes: string,
  timesMs: readonly (number | undefined)[],
  limit: FigureLimit,
): void {
  const longest = timesMs.includes(undefined) ? undefined : Math.max(0, ...timesMs.map((ms) => ms ?? 0));
  scene.time(`${writes} accepted after, longest of ${timesMs.length}`, longest, limit);
}

/** Beats that no node took. */
export function refusedBeatFigures(scene: ClusterScene): void {
  scene.figure('beats', scene.beats.beats);
  scene.figure('beats refused by all nodes', scene.beats.refusedByAll, STRICTLY_NONE);
}

/**
 * Since when all lists of the nodes have been right for good, counted from an event.
 * @param sinceMs - the event, on the clock of `performance.now()`
 */
export function rightFigure(
  scene: ClusterScene,
  name: string,
  wanted: { readonly at: readonly number[]; readonly sinceMs: number; readonly limit: FigureLimit },
): void {
  const times = wanted.at.map((node) => scene.view.samples[node]?.rightSinceMs);
  const isNever = times.includes(undefined);
  const last = Math.max(wanted.sinceMs, ...times.map((time) => time ?? 0));
  scene.time(name, isNever ? undefined : last - wanted.sinceMs, wanted.limit);
}

/** What connections and the SDK were told: nothing empty. */
export function toldFigures(scene: ClusterScene, { grpc, sdk }: Population): void {
  const byStream = grpc.reduce((sum, client) => sum + client.emptyLists, 0);
  scene.figure('empty pushes and subscribe answers, gRPC', byStream, NONE);
  if (sdk === undefined) return;
  const empty = sdk.consumer.events.filter(({ hosts }) => hosts.length === 0);
  scene.figure('empty lists told by the SDK', empty.length, NONE);
}

/** The longest time that the SDK's own instance was away or unhealthy in lists of the nodes. */
export function sdkFigure(scene: ClusterScene, at: readonly number[]): void {
  const spans = wrongSpans(scene, { at, kinds: ['sdk'], what: ['vanished', 'unhealthy'] });
  scene.time("the SDK's instance away or unhealthy, longest", longestMs(spans), { default: 10 });
}

/** The longest time until a connection that was lost had been replaced; those still away count until now. */
export function backFigure(scene: ClusterScene, { grpc }: Population): void {
  const absences = grpc.flatMap((client) => [...client.absencesMs, client.awayMs ?? 0]);
  scene.figure('gRPC clients that had to go to another node', grpc.filter(hasMoved).length);
  scene.time('gRPC clients back after, longest', Math.max(0, ...absences), { default: 10 });
}

function hasMoved({ absencesMs, awayMs }: Population['grpc'][number]): boolean {
  return absencesMs.length > 0 || awayMs !== undefined;
}
