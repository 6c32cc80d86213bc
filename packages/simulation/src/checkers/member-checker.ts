// What nodes think of each other: where a scenario leaves a way from each to each, by whatever third node, nobody is found
// DOWN (R18); and two copies of a set never have different digests.

import type { Expectations } from '../scenario.js';
import { type Checker, Violation } from './checker.js';

/** Checks states of members, and alarms. */
export class MemberChecker implements Checker {
  readonly rule = 'R18';
  readonly #expects: Expectations;
  #twinsNoticed = false;

  constructor(expects: Expectations) {
    this.#expects = expects;
  }

  onMember(node: number, member: string, state: string): void {
    if (this.#expects.nobodyDown === true && state === 'DOWN')
      throw new Violation(this.rule, `node ${node} finds ${member} DOWN although somebody hears it`);
  }

  onAlarm(node: number, kind: string, text: string): void {
    if (kind === 'two-runs') this.#twinsNoticed = true;
    if (kind === 'two-runs' && this.#expects.twins !== true)
      throw new Violation('F16', `node ${node} takes a run that is over for a second process: ${text}`);
    if (kind === 'digest-mismatch') throw new Violation('I1', `node ${node} alarms: ${text}`);
  }

  atEnd(): void {
    if (this.#expects.twins === true && !this.#twinsNoticed)
      throw new Violation('F16', 'two processes used one address, and nobody noticed');
  }
}
