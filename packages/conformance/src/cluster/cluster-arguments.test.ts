import { describe, expect, it } from 'vitest';
import { readClusterArguments } from './cluster-arguments.js';
import type { ClusterFlow } from './cluster-flow.js';

const FLOWS: readonly ClusterFlow[] = ['C1', 'C2', 'C3', 'C4', 'C9'].map((id) => ({
  id,
  title: id,
  seconds: 1,
  run: async () => undefined,
}));

function idsOf(args: readonly string[]): readonly string[] {
  const request = readClusterArguments(args, FLOWS);
  return request.kind === 'run' ? request.flows.map(({ id }) => id) : [];
}

describe('readClusterArguments', () => {
  it('runs all flows, or those that are named, in that order', () => {
    expect(idsOf([])).toEqual(['C1', 'C2', 'C3', 'C4', 'C9']);
    expect(idsOf(['--flows', 'C4,C1'])).toEqual(['C4', 'C1']);
  });

  it('has a short form', () => {
    expect(idsOf(['--short'])).toEqual(['C1', 'C2', 'C3', 'C9']);
    expect(readClusterArguments(['--short', '--strict'], FLOWS)).toMatchObject({ size: 'short', strength: 'strict' });
  });

  it('names what it does not understand', () => {
    expect(() => idsOf(['--flows', 'C1,C77'])).toThrow('found "C77", allowed are C1, C2, C3, C4, C9');
    expect(() => idsOf(['--network', 'moon'])).toThrow('found "moon", allowed are auto, namespaces, relay');
  });
});
