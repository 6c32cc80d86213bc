// All flows, in the order of their numbers. A flow for another client or protocol is added here and nowhere else.
import type { Flow } from '../flow.js';
import { f01Npm } from './f01-ready.js';
import { f02Npm, f02Raw } from './f02-register-visible.js';
import { f03Npm, f03Raw } from './f03-fidelity.js';
import { f04Npm } from './f04-isolation.js';
import { f05Npm, f05Raw } from './f05-beats.js';
import { f09Npm } from './f09-last-instance.js';
import { f10Npm } from './f10-graceful-exit.js';
import { f11Npm, f11Raw } from './f11-killed.js';
import { f12Npm } from './f12-frozen.js';
import { f13Npm, f13Raw } from './f13-own-times.js';
import { f14Npm } from './f14-restart.js';
import { f17Npm } from './f17-operator.js';
import { f18Npm } from './f18-persistent.js';
import { f18Raw } from './f18-probes.js';
import { f20Raw } from './f20-service-list.js';
import { r10Raw } from './r10-slow-clients.js';
import { r11Raw } from './r11-broken-connections.js';
import { r12Raw } from './r12-pipelining.js';
import { r13Raw } from './r13-endless-header.js';
import { r14Raw } from './r14-oversized-bodies.js';
import { r15Raw } from './r15-malformed.js';
import { r16Raw } from './r16-idle-connections.js';
import { r17Raw } from './r17-foreign-protocols.js';
import { r18Raw } from './r18-http2-floods.js';
import { r24Raw } from './r24-bad-requests.js';

/** Every flow that `npm run conformance` knows. */
export const FLOWS: readonly Flow[] = [
  f01Npm,
  f02Npm,
  f02Raw,
  f03Npm,
  f03Raw,
  f04Npm,
  f05Npm,
  f05Raw,
  f09Npm,
  f10Npm,
  f11Npm,
  f11Raw,
  f12Npm,
  f13Npm,
  f13Raw,
  f14Npm,
  f17Npm,
  f18Npm,
  f18Raw,
  f20Raw,
  r10Raw,
  r11Raw,
  r12Raw,
  r13Raw,
  r14Raw,
  r15Raw,
  r16Raw,
  r17Raw,
  r18Raw,
  r24Raw,
];
