import type { WhyAnswer } from '@rollcall/server';
import pc from 'picocolors';
import { expect, it } from 'vitest';
import { accountText } from './shown-account.js';
import type { Terminal } from './terminal.js';

const moved = { name: 'lease-moved', from: 0, to: 700, ms: 700, cause: 'take-over', move: { from: 'a:1', to: 'b:1' } };
const answer = {
  verdict: '-',
  advice: 'Beat.',
  incident: { stages: [moved], totalMs: 700 },
  subscribers: [],
  dropped: 0,
} as unknown as WhyAnswer;
const terminal = { colors: pc.createColors(false) } as Terminal;

it.each([
  ['en', 'To change it: Beat.', 'lease taken over: a:1 → b:1'],
  ['zh', '如何改进：Beat.', '租约被接管：a:1 → b:1'],
] as const)('sets colons as the language %s does', (language, advice, stage) => {
  const lines = accountText(answer, language, terminal).split('\n');
  expect(lines).toContain(advice);
  expect(lines.some((line) => line.startsWith(stage))).toBe(true);
});
