// A figure that a server of ours tells of itself, which cannot be seen from outside.
import type { Contender } from './contender.js';

/**
 * Reads one sample of the metrics page.
 * @param sample - name with labels, as the page writes it
 * @returns undefined for a server without such a sample
 */
export async function readServerMetric({ endpoint }: Contender, sample: string): Promise<number | undefined> {
  const answer = await fetch(`http://${endpoint.host}:${endpoint.port}/metrics`).catch(() => undefined);
  if (answer?.status !== 200) return undefined;
  const line = (await answer.text()).split('\n').find((text) => text.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length + 1));
}
