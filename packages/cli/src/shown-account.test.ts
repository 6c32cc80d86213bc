import type { WhyAnswer } from '@rollcall/server';
import pc from 'picocolors';
import { expect, it } from 'vitest';
import { accountText } from './shown-account.js';
import type { Terminal } from './terminal.js';

const moved = {
  name: 'lease-moved',
  from: 0,
  to: 700,
  ms: 700,
  cause: 'take-over',
  move: { from: 'a:1', to: 'b:1', why: 'holder-lost' },
};
const answer = {
  verdict: '-',
  advice: 'Beat.',
  incident: { stages: [moved], totalMs: 700 },
  subscribers: [],
  dropped: 0,
} as unknown as WhyAnswer;
const terminal = { colors: pc.createColors(false) } as Terminal;

it.each([
  ['en', 'To change it: Beat.', 'lease taken over: from node a:1 to b:1 (holder-lost)'],
  ['zh', '如何改进：Beat.', '租约被接管：从节点 a:1 到 b:1（持有节点丢失）'],
] as const)('sets colons as the language %s does', (language, advice, stage) => {
  const lines = accountText(answer, language, terminal).split('\n');
  expect(lines).toContain(advice);
  expect(lines.some((line) => line.startsWith(stage))).toBe(true);
});
