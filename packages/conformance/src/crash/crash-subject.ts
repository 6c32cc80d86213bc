// A subject is one thing that writes change and a restart must keep: an instance, an edit of one, a service definition, a
// namespace. Its state is a short text; undefined means that it is not there. Writers own disjoint subjects and write one
// after another, so at any moment only two states are right: the acknowledged one, and that of the write in flight.
import type { ApiAnswer, ApiCall } from '../naming-api.js';
import type { SeededRandom } from './seeded-random.js';
import type { ServerState } from './server-state.js';

/** What is known of a subject, as text that can be compared; undefined means absent. */
export type SubjectState = string | undefined;

/** One write and what it leaves. */
export interface SubjectWrite {
  readonly call: ApiCall;
  /** State after the write. */
  readonly leaves: SubjectState;
  /** Whether the answer acknowledges the write. */
  readonly acknowledges: (answer: ApiAnswer) => boolean;
}

/** How a kind of subject is written and read. */
export interface SubjectKind {
  readonly label: string;
  /** The next random write, given the acknowledged state. */
  nextWrite(state: SubjectState, random: SeededRandom): SubjectWrite;
  /** The state that the server shows. */
  read(server: ServerState): Promise<SubjectState>;
}

/** A subject under test. */
export class CrashSubject {
  readonly kind: SubjectKind;
  #acknowledged: SubjectState;
  #inFlight: { readonly leaves: SubjectState } | undefined;

  constructor(kind: SubjectKind) {
    this.kind = kind;
  }

  /** State after the last acknowledged write. */
  get acknowledged(): SubjectState {
    return this.#acknowledged;
  }

  /** Notes a write that is about to be sent; from now on two states are right. */
  begin(write: SubjectWrite): void {
    this.#inFlight = write;
  }

  /** Notes that the write in flight was acknowledged. */
  acknowledge(): void {
    if (this.#inFlight !== undefined) this.#acknowledged = this.#inFlight.leaves;
    this.#inFlight = undefined;
  }

  /** Compares with what the server shows, takes that as acknowledged, and says in words what is wrong. */
  settle(found: SubjectState): string | undefined {
    const allowed = this.#inFlight === undefined ? [this.#acknowledged] : [this.#acknowledged, this.#inFlight.leaves];
    this.#inFlight = undefined;
    this.#acknowledged = found;
    if (allowed.includes(found)) return undefined;
    return `${this.kind.label}: found ${textOf(found)}, allowed is ${allowed.map(textOf).join(' or ')}`;
  }
}

function textOf(state: SubjectState): string {
  return state === undefined ? 'nothing' : `"${state}"`;
}
