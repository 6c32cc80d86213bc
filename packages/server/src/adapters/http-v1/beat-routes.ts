// `/instance/beat`: the heartbeat of v1. Source: Nacos 1.4.8 InstanceController.beat, ClientBeatProcessor; contract 5.

import { type FullBeat, keptServiceKey, readBeat } from '@rollcall/protocol';
import { addressOf } from '../../core/instance-address.js';
import type { BeatInput } from '../../core/registry-input.js';
import type { HttpAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Route } from '../http/route.js';
import { BEAT_BODY } from './answer-schemas.js';
import { BeatAnswers } from './beat-answers.js';
import { INSTANCE_PARAMETERS } from './described-parameters.js';
import { actorOf, type HttpV1Context } from './http-v1-context.js';

/** Targets up to this length are parsed once: longer ones carry much metadata, which would be kept with them. */
const REMEMBERED_TARGET_LENGTH = 2048;

/** The route. */
export function beatRoutes(context: HttpV1Context): readonly Route[] {
  const beats = new Beats(context);
  return [
    {
      method: 'PUT',
      path: '/v1/ns/instance/beat',
      summary: 'Keep an instance alive; a full beat registers one that is not known',
      produces: BEAT_BODY,
      parameters: [
        ...INSTANCE_PARAMETERS,
        { name: 'beat', description: 'The instance; without it the beat is light', type: 'json' },
      ],
      repeated: true,
      handle: (request) => beats.answer(request),
    },
  ];
}

/** Answers beats. What follows from the target alone is worked out once per target. */
class Beats {
  readonly #context: HttpV1Context;
  readonly #lightAnswers = new BeatAnswers();
  /** A full beat may register; that is acknowledged like any registration. */
  readonly #fullAnswers = new BeatAnswers({ afterJournal: true });

  constructor(context: HttpV1Context) {
    this.#context = context;
  }

  answer(request: HttpRequest): HttpAnswer | Promise<HttpAnswer> {
    const { memo, remoteAddress } = request;
    const known = memo?.value as BeatInput | undefined;
    if (known !== undefined) {
      if (known.actor.address === remoteAddress) return this.#step(known);
      return this.#step({ ...known, actor: actorOf(request) });
    }
    const beat = readBeat(request.parameters, this.#context.rules);
    if (beat.type === 'full' && beat.kind === 'persistent') return this.#persistentBeat(request, beat);
    const input: BeatInput = {
      type: 'beat',
      service: beat.service,
      address: addressOf(beat.address.ip, beat.address.port, beat.address.cluster),
      content: beat.type === 'full' ? beat.content : undefined,
      actor: actorOf(request),
    };
    if (memo !== undefined && request.target.length <= REMEMBERED_TARGET_LENGTH) {
      memo.value = { ...input, service: keptServiceKey(input.service) };
    }
    return this.#step(input);
  }

  #step(input: BeatInput): HttpAnswer {
    const { registry } = this.#context;
    const answers = input.content === undefined ? this.#lightAnswers : this.#fullAnswers;
    return answers.answerTo(registry.step(input), registry.core.switches);
  }

  /** Registers a persistent instance that is not known; one that is known lives without beats. */
  async #persistentBeat(request: HttpRequest, { service, content, ...beat }: FullBeat): Promise<HttpAnswer> {
    const { registry } = this.#context;
    const address = addressOf(beat.address.ip, beat.address.port, beat.address.cluster);
    const actor = actorOf(request);
    const input: BeatInput = { type: 'beat', service, address, content: undefined, actor };
    if (!registry.step(input).known) {
      await registry.commit(actor, (core) => {
        if (core.instance(service.id, 'persistent', address.key) !== undefined) return [];
        core.requireRoom(service, 'persistent', address);
        return [{ type: 'persistent-instance', service, address, value: { registered: content, base: content } }];
      });
    }
    return this.#fullAnswers.answerTo(registry.step(input), registry.core.switches);
  }
}
