const product = `^${import.meta.dirname}/(src|activities|workflows)/.*\\.ts$`;
// Packages whose classes or state the tests share with the product.
const packages = '@temporalio|csv-parse|ipaddr\\.js|jose|koa|pino|postgres|ssh2|typebox|undici';
const sharing = '<rootDir>/test/support/jest/shared-modules.mjs';

/** @type {import('jest').Config} */
const config = {
  roots: ['<rootDir>/test'],
  testEnvironment: '<rootDir>/test/support/jest/environment.mjs',
  extensionsToTreatAsEsm: ['.ts'],
  transformIgnorePatterns: [`/node_modules/(?!(${packages})/)`],
  transform: {
    [product]: sharing,
    [`/node_modules/(${packages})/`]: sharing,
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  globalSetup: '<rootDir>/test/support/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/jest/global-teardown.mjs',
  testSequencer: '<rootDir>/test/support/jest/sequencer.mjs',
  // More than the cores of a small machine, since a part of what tests do is wait; with four, the
  // waits of some exceeded their limits.
  maxWorkers: 3,
  // jest keeps the modules of every file that it ran; a new process is cheaper than their weight.
  workerIdleMemoryLimit: '1.5GB',
  // Milliseconds that a test may take; on a slow machine the longest tests need minutes.
  testTimeout: 600_000,
};
export { config as default };
