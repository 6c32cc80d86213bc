import { describe, expect, it } from 'vitest';
import { readConformanceArguments } from './conformance-arguments.js';
import { FLOWS } from './flows/all-flows.js';

describe('readConformanceArguments', () => {
  it('takes every flow that needs only npm, with strict limits and our own server, when nothing is asked for', () => {
    expect(readConformanceArguments([], FLOWS)).toEqual({
      kind: 'flows',
      flows: FLOWS.filter(({ client }) => ['npm', 'raw', 'rust'].includes(client)),
      serverUrl: undefined,
      strength: 'strict',
      json: false,
    });
  });

  it('chooses flows by number and client', () => {
    const request = readConformanceArguments(['--flow', 'F02,F11', '--client', 'raw', '--limits', 'real'], FLOWS);
    const chosen = request.kind === 'flows' ? request.flows.map(({ id, client }) => `${id}/${client}`) : [];
    expect(chosen).toEqual(['F02/raw', 'F11/raw']);
  });

  it('reads the crash test', () => {
    expect(readConformanceArguments(['crash', '--rounds', '40', '--seed', '7'], FLOWS)).toEqual({
      kind: 'crash',
      plan: { rounds: 40, seed: 7 },
      json: false,
    });
    expect(readConformanceArguments(['crash'], FLOWS)).toMatchObject({ kind: 'crash', plan: { rounds: 200 } });
  });

  it.each([
    { args: ['--flow', 'F02,F99'], message: 'found "F99", allowed are F01,' },
    { args: ['--client', 'java'], message: 'found "java", allowed are npm, raw' },
    { args: ['--limits', 'loose'], message: 'found "loose", allowed are strict, real' },
    { args: ['crush'], message: 'found "crush", allowed is "crash"' },
    { args: ['crash', '--rounds', '4x'], message: 'found "4x", allowed is a whole number' },
  ])('refuses $args', ({ args, message }) => {
    expect(() => readConformanceArguments(args, FLOWS)).toThrow(message);
  });
});

describe('FLOWS', () => {
  it('names each flow of each client once', () => {
    const names = FLOWS.map(({ id, client }) => `${id}/${client}`);
    expect(new Set(names).size).toBe(names.length);
  });
});
