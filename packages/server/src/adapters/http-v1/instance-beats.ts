// Answers to heartbeats. Source: Nacos 1.4.8 ClientBeatProcessor; contract 5.

import { type FormRules, type FullBeat, keptServiceKey, readBeat } from '@rollcall/protocol';
import type { Actor } from '../../core/actor.js';
import { addressOf } from '../../core/instance-address.js';
import { type BeatInput, BeatPlace, type KindRule } from '../../core/registry-input.js';
import type { AnswerExtras, HttpAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { RegistryAccess } from '../registry-access.js';
import { BeatAnswers, type UnknownBeatAnswer } from './beat-answers.js';

/** Targets up to this length are parsed once: longer ones carry much metadata, which would be kept with them. */
const REMEMBERED_TARGET_LENGTH = 2048;

/** What the versions of HTTP have of their own. */
export interface BeatOptions {
  readonly registry: RegistryAccess;
  readonly rules: FormRules;
  readonly actorOf: (request: HttpRequest) => Actor;
  /** Whether a full beat may register beside instances of the other kind. */
  readonly kindRule: KindRule;
  readonly unknownAnswer: UnknownBeatAnswer;
  /** What the answer to a beat that registers has beside its body. */
  readonly journalled: AnswerExtras;
}

/** Answers beats. What follows from the target alone is worked out once per target. */
export class InstanceBeats {
  readonly #options: BeatOptions;
  readonly #answers: BeatAnswers;
  /** A full beat that registers is acknowledged like any registration. */
  readonly #claimAnswers: BeatAnswers;

  constructor(options: BeatOptions) {
    const { unknownAnswer, journalled } = options;
    this.#options = options;
    this.#answers = new BeatAnswers({}, unknownAnswer);
    this.#claimAnswers = new BeatAnswers(journalled, unknownAnswer);
  }

  /** Answers a beat. @throws RegistryError for what cannot be read or registered */
  answer(request: HttpRequest): HttpAnswer | Promise<HttpAnswer> {
    const { memo, remoteAddress, connection } = request;
    const known = memo?.value as BeatInput | undefined;
    if (known !== undefined) {
      if (known.place !== undefined && connection !== undefined) {
        connection.beats += 1;
        known.place.connection = connection;
      }
      if (known.actor.address === remoteAddress) return this.#step(known);
      return this.#step({ ...known, actor: this.#options.actorOf(request) });
    }
    const beat = readBeat(request.parameters, this.#options.rules);
    if (beat.type === 'full' && beat.kind === 'persistent') return this.#persistentBeat(request, beat);
    const place = new BeatPlace();
    place.connection = connection;
    const input: BeatInput = {
      type: 'beat',
      service: beat.service,
      address: addressOf(beat.address.ip, beat.address.port, beat.address.cluster),
      content: beat.type === 'full' ? beat.content : undefined,
      actor: this.#options.actorOf(request),
      place,
    };
    const keep = memo !== undefined && request.target.length <= REMEMBERED_TARGET_LENGTH;
    const answer = this.#step(input);
    if (keep) memo.value = keptInput(input, place);
    return answer;
  }

  #step(input: BeatInput): HttpAnswer {
    const { registry, kindRule } = this.#options;
    if (kindRule === 'single' && input.content !== undefined) registry.core.requireKind(input.service.id, 'ephemeral');
    const result = registry.step(input);
    const answers = result.known && result.claimed === true ? this.#claimAnswers : this.#answers;
    return answers.answerTo(result, registry.core.switches);
  }

  /** Registers a persistent instance that is not known; one that is known lives without beats. */
  async #persistentBeat(request: HttpRequest, { service, content, ...beat }: FullBeat): Promise<HttpAnswer> {
    const { registry, kindRule } = this.#options;
    const address = addressOf(beat.address.ip, beat.address.port, beat.address.cluster);
    const actor = this.#options.actorOf(request);
    const input: BeatInput = { type: 'beat', service, address, content: undefined, actor };
    if (!registry.step(input).known) {
      await registry.commit(actor, (core) => {
        if (core.instance(service.id, 'persistent', address.key) !== undefined) return [];
        if (kindRule === 'single') core.requireKind(service.id, 'persistent');
        core.requireRoom(service, 'persistent', address);
        return [{ type: 'persistent-instance', service, address, value: { registered: content, base: content } }];
      });
    }
    return this.#claimAnswers.answerTo(registry.step(input), registry.core.switches);
  }
}

/** The input without what it was read from: its names are those of the instance that it renews, where there is one. */
function keptInput(input: BeatInput, place: BeatPlace): BeatInput {
  const record = place.registration?.record;
  if (record !== undefined) return { ...input, service: record.service, address: record.address };
  return { ...input, service: keptServiceKey(input.service) };
}
