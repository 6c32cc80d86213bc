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
    // All cores: most tests wait for sockets and clocks rather than compute.
    maxWorkers: '100%',
    // Not a measure of speed: only a hang ends a test, however busy the machine is.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
