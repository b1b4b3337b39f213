/** @type {import('jest').Config} */
const config = {
  roots: ['<rootDir>/test'],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  // One more than the cores of a small machine: half of what tests do is wait.
  maxWorkers: 3,
  // jest keeps the modules of every file that it ran; a new process is cheaper than their weight.
  workerIdleMemoryLimit: '1GB',
  testTimeout: 30_000,
};
export { config as default };
