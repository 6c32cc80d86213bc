// Vitest for all packages. Sibling packages resolve to their `source` condition, so tests need no build.
import { defineConfig } from 'vitest/config';

const conditions = ['source', 'module', 'node', 'development|production'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['node'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'tools/**/*.test.mjs'],
    pool: 'forks',
    passWithNoTests: true,
    // Not a measure of speed: only a hang ends a test, however busy the machine is.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
