import { describe, expect, it } from 'vitest';
import { readBenchArguments } from './bench-arguments.js';
import { SCENARIOS } from './scenarios/all-scenarios.js';

describe('readBenchArguments', () => {
  it('reads scenarios and options', () => {
    const request = readBenchArguments(
      ['list', 'beat', '--rounds', '3', '--seconds', '0.5', '--json', 'a.json', '--svg', 'a.svg'],
      SCENARIOS,
    );
    expect(request).toMatchObject({ kind: 'run', rounds: 3, seconds: 0.5, smoke: false, peer: undefined });
    expect(request).toMatchObject({ jsonFile: 'a.json', svgFile: 'a.svg' });
    expect(request.kind === 'run' && request.scenarios.map(({ name }) => name)).toEqual(['list', 'beat']);
  });

  it('takes all scenarios for a smoke run that names none', () => {
    const request = readBenchArguments(['--smoke'], SCENARIOS);
    expect(request.kind === 'run' && request.scenarios).toHaveLength(SCENARIOS.length);
  });

  it.each([
    { args: ['lists'], message: 'found "lists", allowed are list,' },
    { args: ['list', '--rounds', '0'], message: 'found "0", allowed is a number above 0' },
    { args: ['list', '--peer', 'http://127.0.0.1:1', '--peer-command', 'x'], message: 'allowed is one of them' },
  ])('refuses $args', ({ args, message }) => {
    expect(() => readBenchArguments(args, SCENARIOS)).toThrow(message);
  });
});
