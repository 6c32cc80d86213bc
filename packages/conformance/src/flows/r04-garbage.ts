// R04: datagrams at the acknowledgement port that are no acknowledgements.
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Flow } from '../flow.js';
import { PushScene } from '../push-scene.js';
import { requireStillAnswers } from '../still-answers.js';

const LARGEST = 65_507;

/** 40 of them: random, empty, the largest, a gzip bomb, broken and forged acknowledgements. */
export const r04Raw: Flow = {
  id: 'R04',
  client: 'raw',
  title: '40 garbage datagrams to the acknowledgement port: the next change is still pushed',
  seconds: 2,
  runs: 'together',
  run: async (context) => {
    const scene = await PushScene.open(context);
    const receiver = await scene.subscriber();
    const push = await scene.changeAndExpect(receiver, 'change to datagram');
    const bomb = gzipSync(Buffer.alloc(50_000_000)).subarray(0, LARGEST);
    const garbage = [
      ...Array.from({ length: 30 }, (_, n) => randomBytes(n * 50)),
      Buffer.alloc(0),
      Buffer.alloc(LARGEST, '{'),
      randomBytes(LARGEST),
      bomb,
      '{',
      '{"lastRefTime":',
      `{"lastRefTime":"${'9'.repeat(400)}"}`,
      '{"lastRefTime":-1}',
      '{"lastRefTime":{"a":[]}}',
      `{"lastRefTime":"${push.digits}0"}`,
    ];
    for (const bytes of garbage) await receiver.send(bytes, push.from);
    await receiver.acknowledge(push);
    await scene.changeAndExpect(receiver, 'next change to datagram');
    await requireStillAnswers(context, 'garbage datagrams');
  },
};
