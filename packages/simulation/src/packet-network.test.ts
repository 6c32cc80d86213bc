import { describe, expect, it } from 'vitest';
import { EventQueue } from './event-queue.js';
import { PacketNetwork, SOUND_PATHS } from './packet-network.js';
import { SeededRandom } from './seeded-random.js';

function network() {
  const queue = new EventQueue();
  return { queue, network: new PacketNetwork(queue, new SeededRandom(1, 'network')) };
}

const packet = { from: 'a', to: 'b', bytes: 100, delivery: 'once' } as const;

function arrivals(count: number, arrange: (network: PacketNetwork) => void, what: { delivery: 'once' | 'stream' }) {
  const { queue, network: paths } = network();
  const seen: number[] = [];
  arrange(paths);
  for (let index = 0; index < count; index += 1) paths.send({ ...packet, ...what }, () => seen.push(index));
  queue.runUntil(100_000);
  return seen;
}

describe('the network', () => {
  it('loses, doubles and reorders packets, and delivers streams all the same', () => {
    const bad = { ...SOUND_PATHS, loss: 0.3, duplicates: 0.2 };
    const seen = arrivals(1000, (paths) => paths.setQuality(bad), { delivery: 'once' });
    expect(new Set(seen).size).toBeLessThan(800);
    expect(seen.length).toBeGreaterThan(new Set(seen).size);
    expect(seen).not.toEqual([...seen].sort((a, b) => a - b));
    const streamed = arrivals(1000, (paths) => paths.setQuality(bad), { delivery: 'stream' });
    expect(new Set(streamed).size).toBe(1000);
    expect(streamed).toHaveLength(1000);
  });

  it('cuts one way only, and loses what is under way', () => {
    const { queue, network: paths } = network();
    const seen: string[] = [];
    paths.send(packet, () => seen.push('under way'));
    paths.cut('a', 'b');
    paths.cut('a', 'b');
    paths.send({ ...packet, from: 'b', to: 'a' }, () => seen.push('back'));
    queue.runUntil(100);
    paths.mend('a', 'b');
    expect(paths.isCut('a', 'b')).toBe(true);
    paths.mend('a', 'b');
    paths.send(packet, () => seen.push('mended'));
    queue.runUntil(200);
    expect(seen).toEqual(['back', 'mended']);
  });

  it('keeps a bounded queue before a slow reader', () => {
    const { queue, network: paths } = network();
    paths.setReadingRate('b', 1024);
    let seen = 0;
    for (let index = 0; index < 2000; index += 1) paths.send(packet, () => (seen += 1));
    queue.runUntil(10_000);
    expect(seen).toBeGreaterThan(90);
    expect(seen).toBeLessThan(110);
    paths.setReadingRate('b', undefined);
    expect(seen).toBe(Math.floor((64 * 1024) / packet.bytes));
  });
});
