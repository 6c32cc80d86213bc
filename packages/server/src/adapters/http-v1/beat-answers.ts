// The few answers that beats have, kept encoded: beats are the most frequent request of all.

import { beatKnownAnswer } from '@rollcall/protocol';
import type { BeatResult } from '../../core/registry-input.js';
import { DEFAULT_SWITCHES, type Switches } from '../../core/switches.js';
import { preparedAnswer } from '../http/answer-head.js';
import { type AnswerExtras, type HttpAnswer, jsonAnswer } from '../http/http-answer.js';

/** Answers kept at most; every instance may set an interval of its own, so when there are more all are made anew. */
const KEPT_MAX = 64;

/** JSON of the answer to a beat of an unknown instance. @param intervalMs - when the client should beat next */
export type UnknownBeatAnswer = (intervalMs: number, options: { readonly lightBeats: boolean }) => string;

/** Answers to beats, made on first use and kept until the switches change. */
export class BeatAnswers {
  readonly #extras: AnswerExtras;
  readonly #unknownAnswer: UnknownBeatAnswer;
  #switches: Switches = DEFAULT_SWITCHES;
  /** By interval, ms. */
  readonly #known = new Map<number, HttpAnswer>();
  #unknown: HttpAnswer | undefined;

  /** @param extras - what every answer has beside its body */
  constructor(extras: AnswerExtras, unknownAnswer: UnknownBeatAnswer) {
    this.#extras = extras;
    this.#unknownAnswer = unknownAnswer;
  }

  /** The answer to a beat. @param switches - in force now */
  answerTo(result: BeatResult, switches: Switches): HttpAnswer {
    if (switches !== this.#switches) {
      this.#switches = switches;
      this.#known.clear();
      this.#unknown = undefined;
    }
    if (result.known) return this.#knownAnswer(result.beatIntervalMs ?? switches.clientBeatInterval);
    this.#unknown ??= this.#prepare(
      this.#unknownAnswer(switches.clientBeatInterval, { lightBeats: switches.lightBeatEnabled }),
    );
    return this.#unknown;
  }

  #knownAnswer(intervalMs: number): HttpAnswer {
    const kept = this.#known.get(intervalMs);
    if (kept !== undefined) return kept;
    if (this.#known.size >= KEPT_MAX) this.#known.clear();
    const made = this.#prepare(beatKnownAnswer(intervalMs, { lightBeats: this.#switches.lightBeatEnabled }));
    this.#known.set(intervalMs, made);
    return made;
  }

  #prepare(json: string): HttpAnswer {
    return preparedAnswer(jsonAnswer(200, json, this.#extras));
  }
}
