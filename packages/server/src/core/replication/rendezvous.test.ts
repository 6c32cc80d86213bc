import { expect, it } from 'vitest';
import { mappedOwner } from './rendezvous.js';
import { textHash } from './text-hash.js';

const nodes = ['10.9.0.1:8848', '10.9.0.2:8848', '10.9.0.3:8848'];
const services = Array.from({ length: 3000 }, (_, n) => `public##DEFAULT_GROUP@@service-${n}`);

it('hashes the same in every version', () => {
  expect([textHash(''), textHash('a'), textHash('服务'), textHash('public##DEFAULT_GROUP@@orders')]).toEqual([
    2872998923, 444641715, 595911598, 3790321700,
  ]);
});

it('shares services evenly, and moves only those of a node that goes', () => {
  const owners = services.map((service) => mappedOwner(nodes, service));
  for (const node of nodes) {
    const share = owners.filter((owner) => owner === node).length / services.length;
    expect(share).toBeGreaterThan(0.28);
    expect(share).toBeLessThan(0.39);
  }
  const without = services.map((service) => mappedOwner(nodes.slice(1), service));
  for (const [index, owner] of owners.entries()) if (owner !== nodes[0]) expect(without[index]).toBe(owner);
});

it('does not depend on the order of nodes', () => {
  for (const service of services.slice(0, 100))
    expect(mappedOwner(nodes.toReversed(), service)).toBe(mappedOwner(nodes, service));
});

it('has no owner without nodes', () => {
  expect(mappedOwner([], 'x')).toBeUndefined();
});
