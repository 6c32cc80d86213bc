// R06: subscribers to which nothing can be sent do not keep others from their push.
import type { Flow } from '../flow.js';
import { PushScene } from '../push-scene.js';
import { requireStillAnswers } from '../still-answers.js';

const UNUSABLE: readonly Readonly<Record<string, string>>[] = [
  { clientIP: 'resolve_failed', udpPort: '5000' },
  { clientIP: 'no-such-host.invalid', udpPort: '5000' },
  { clientIP: '', udpPort: '1' },
  { clientIP: '300.1.2.3', udpPort: '5000' },
  { clientIP: '255.255.255.255', udpPort: '5000' },
  { clientIP: '0.0.0.0', udpPort: '5000' },
  { clientIP: '224.0.0.1', udpPort: '5000' },
  { clientIP: '::', udpPort: '5000' },
  { clientIP: '127.0.0.1', udpPort: '70000' },
  { clientIP: '127.0.0.1', udpPort: '-5' },
];

/** Ten of them, before and after the honest one. */
export const r06Raw: Flow = {
  id: 'R06',
  client: 'raw',
  title: 'ten unusable subscriber addresses do not keep the honest one from its push',
  seconds: 2,
  runs: 'together',
  run: async (context) => {
    const scene = await PushScene.open(context);
    const subscribeUnusable = async (): Promise<void> => {
      for (const address of UNUSABLE) {
        const query = { serviceName: scene.serviceName, ...address };
        const headers = { 'User-Agent': 'Nacos-Java-Client:v1.4.8' };
        const answer = await context.api.call({ method: 'GET', path: '/v1/ns/instance/list', query, headers });
        const isAnswered = answer.status === 200 || answer.status === 400;
        context.require(isAnswered, `${JSON.stringify(address)}: found status ${answer.status}, expected 200 or 400`);
      }
    };
    await subscribeUnusable();
    const honest = await scene.subscriber();
    await subscribeUnusable();
    honest.acknowledgeAll();
    for (let change = 1; change <= 3; change += 1) {
      await scene.changeAndExpect(honest, `change ${change} to the honest one`);
    }
    await requireStillAnswers(context, 'unusable addresses');
  },
};
