// Every checker that watches a history.

import type { Expectations } from '../scenario.js';
import type { Workload } from '../workload.js';
import type { World } from '../world.js';
import { AbsenceChecker } from './absence-checker.js';
import type { Checker } from './checker.js';
import { DepartureChecker } from './departure-checker.js';
import { EditChecker } from './edit-checker.js';
import { EqualityChecker } from './equality-checker.js';
import { GivingWayChecker } from './giving-way-checker.js';
import { GoneChecker } from './gone-checker.js';
import { HarmChecker } from './harm-checker.js';
import { HolderChecker } from './holder-checker.js';
import { LeaseChecker } from './lease-checker.js';
import { MappingChecker } from './mapping-checker.js';
import { MemberChecker } from './member-checker.js';
import { MemoryChecker } from './memory-checker.js';
import { OrderChecker } from './order-checker.js';
import { OriginChecker } from './origin-checker.js';
import { PresenceChecker } from './presence-checker.js';
import { PushChecker } from './push-checker.js';
import { RemovalChecker } from './removal-checker.js';
import { SetChecker } from './set-checker.js';
import { StoreCopyChecker } from './store-copy-checker.js';
import { StoreWriteChecker } from './store-write-checker.js';
import { TrafficChecker } from './traffic-checker.js';

/** The checkers of a history. What ends it first is what the first of them finds. */
export function makeCheckers(world: World, { clients, streamClients }: Workload, expects: Expectations): Checker[] {
  const { log, keys, mirror, stores } = world;
  const leased = new Set(clients.filter(({ protocol }) => protocol === '1.x').map(({ key }) => key));
  const isLeased = (key: (typeof keys)[number]) => leased.has(key);
  const { harmMsMax, goneAfterMs, leftStayAwayFromMs, ...others } = expects;
  return [
    new SetChecker(),
    new OriginChecker(log, world.edits),
    new GivingWayChecker(mirror),
    new OrderChecker(log, isLeased),
    new RemovalChecker(world, isLeased),
    new EditChecker(world, clients),
    new LeaseChecker(world),
    new MappingChecker(world),
    new MemoryChecker(world),
    ...(harmMsMax === undefined ? [] : [new HarmChecker(world, clients, { harmMsMax, ...others })]),
    ...(goneAfterMs === undefined ? [] : [new GoneChecker(world, clients, goneAfterMs)]),
    ...(leftStayAwayFromMs === undefined ? [] : [new DepartureChecker(world, clients, leftStayAwayFromMs)]),
    ...(stores === undefined ? [] : [new StoreCopyChecker(world, stores), new StoreWriteChecker(stores)]),
    new MemberChecker(expects),
    new TrafficChecker(expects),
    new EqualityChecker(world),
    new PresenceChecker(world, clients),
    new AbsenceChecker(world, clients),
    new HolderChecker(world),
    new PushChecker(streamClients),
  ];
}
