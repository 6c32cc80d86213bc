// All flows, in the order of their numbers. A flow for another client or protocol is added here and nowhere else.
import type { Flow } from '../flow.js';
import { ROLLCALL_DRIVERS } from '../sdk/rollcall-drivers.js';
import { rustDriver } from '../sdk/rust-driver.js';
import { sdkFlows } from '../sdk/sdk-flows.js';
import { TOOLCHAIN_DRIVERS } from '../sdk/toolchain-drivers.js';
import { f01Npm } from './f01-ready.js';
import { f02Npm, f02Raw } from './f02-register-visible.js';
import { f03Npm, f03Raw } from './f03-fidelity.js';
import { f04Npm } from './f04-isolation.js';
import { f05Npm, f05Raw } from './f05-beats.js';
import { f06Npm } from './f06-change-event.js';
import { f07Npm } from './f07-udp-blocked.js';
import { f08Npm } from './f08-unsubscribe.js';
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
import { f23Npm, f23Raw } from './f23-churn.js';
import { f24Npm } from './f24-large-service.js';
import { L01_FLOWS } from './l01-observed.js';
import { l02Raw } from './l02-spread.js';
import { r01Raw } from './r01-push.js';
import { r02Raw, r03Raw } from './r02-r03-resends.js';
import { r04Raw } from './r04-garbage.js';
import { r05Raw } from './r05-forgotten.js';
import { r06Raw } from './r06-bad-addresses.js';
import { r07Raw } from './r07-size-limits.js';
import { r08Raw } from './r08-restart.js';
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
  f06Npm,
  f07Npm,
  f08Npm,
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
  f23Npm,
  f23Raw,
  f24Npm,
  ...L01_FLOWS,
  l02Raw,
  r01Raw,
  r02Raw,
  r03Raw,
  r04Raw,
  r05Raw,
  r06Raw,
  r07Raw,
  r08Raw,
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
  ...ROLLCALL_DRIVERS.flatMap(sdkFlows),
  ...sdkFlows(rustDriver),
  ...TOOLCHAIN_DRIVERS.flatMap(sdkFlows),
];
