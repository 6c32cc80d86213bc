// Import directions (docs/architecture.md): which package may import which, core <- adapters <- app inside a package,
// and a core that touches nothing but protocol and the ports of runtime.

// Tests and what only they use: `x.test.ts`, `x.test-support.ts`, and a folder `testing`.
const testFiles = ['[.]test[.]ts$', '[.]test-support[.]ts$', '^packages/[^/]+/src/testing/', '^packages/[^/]+/test/'];

// What each package may import of ours. A package that is not listed may import none of the others.
const allowedImports = {
  protocol: [],
  runtime: [],
  server: ['protocol', 'runtime'],
  client: ['protocol', 'runtime'],
  cli: ['server'],
  bench: ['client', 'protocol'],
  conformance: ['client'],
  simulation: ['protocol', 'runtime', 'server'],
};

const packageDirections = Object.entries(allowedImports).map(([name, allowed]) => ({
  name: `package-${name}`,
  severity: 'error',
  comment: `${name} imports of our packages: ${allowed.join(', ') || 'none'}`,
  from: { path: `^packages/${name}/` },
  to: { path: '^packages/', pathNot: `^packages/(${[name, ...allowed].join('|')})/` },
}));

export default {
  forbidden: [
    ...packageDirections,
    {
      name: 'package-not-listed',
      severity: 'error',
      comment: 'A new package gets a row in allowedImports',
      from: { path: '^packages/([^/]+)/', pathNot: `^packages/(${Object.keys(allowedImports).join('|')})/` },
      to: { path: '^packages/', pathNot: '^packages/$1/' },
    },
    {
      name: 'conformance-judges-from-outside',
      severity: 'error',
      comment: 'Conformance knows our client as a process only; that one file drives it',
      from: { path: '^packages/conformance/', pathNot: '^packages/conformance/src/sdk/rollcall-driver-process[.]ts$' },
      to: { path: '^packages/client/' },
    },
    {
      name: 'core-imports-nothing-outward',
      severity: 'error',
      comment: 'core <- adapters <- app: core imports neither of them',
      from: { path: '^packages/([^/]+)/src/core/' },
      to: { path: '^packages/$1/src/', pathNot: '^packages/$1/src/(core|testing)/' },
    },
    {
      name: 'adapters-import-no-app',
      severity: 'error',
      comment: 'core <- adapters <- app: adapters never import the app',
      from: { path: '^packages/([^/]+)/src/adapters/' },
      to: { path: '^packages/$1/src/', pathNot: '^packages/$1/src/(core|adapters|testing)/' },
    },
    {
      name: 'app-is-not-imported-back',
      severity: 'error',
      comment: 'Only the doors of a package (files directly under src) import its app',
      from: { path: '^packages/([^/]+)/src/[^/]+/', pathNot: '^packages/[^/]+/src/(app|testing)/' },
      to: { path: '^packages/$1/src/app/' },
    },
    {
      name: 'core-without-node',
      severity: 'error',
      comment: 'A core is pure: no node: module, and no library',
      from: { path: '^packages/[^/]+/src/core/', pathNot: testFiles },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'core-without-system',
      severity: 'error',
      comment: 'A core takes the ports of runtime, never their implementation on this machine',
      from: { path: '^packages/[^/]+/src/core/' },
      to: { path: '^packages/runtime/src/system/' },
    },
    {
      name: 'testing-in-tests-only',
      severity: 'error',
      comment: 'Nothing but a test imports tests, fixtures, manual clocks or seeded randomness',
      from: { path: '^packages/', pathNot: testFiles },
      to: { path: testFiles },
    },
    {
      name: 'no-cycle',
      severity: 'error',
      comment: 'No import cycles, types included',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      severity: 'error',
      comment: 'Every import is found (that it is declared in package.json is for knip)',
      from: { path: '^packages/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default'],
      mainFields: ['main'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json', '.node'],
    },
  },
};
