// Makes the rollcall command a program of few files, because most of a start was finding, reading and compiling hundreds of
// modules one by one (docs/adr/0006-bundled-command.md). What only some commands need stays in files of its own: each dynamic
// import in the sources begins one. Not minified, so that a stack trace can be read without its source map.
import { defineConfig } from 'rolldown';

/** Left out: `lmdb` looks for its native part beside its own files; the others few servers need, and not at their start. */
const external = ['@grpc/grpc-js', 'lmdb', 'mysql2', 'pino-pretty', 'prom-client', 'protobufjs'];

export default defineConfig({
  input: 'packages/cli/src/main.ts',
  platform: 'node',
  external,
  resolve: {
    // The packages of this repository from their sources, as their `exports` name them.
    conditionNames: ['source', 'node', 'import', 'default'],
    extensionAlias: { '.js': ['.ts', '.js'] },
  },
  output: {
    dir: 'packages/cli/dist/program',
    cleanDir: true,
    // Node compiles and links CommonJS in half the time.
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    sourcemap: true,
  },
});
