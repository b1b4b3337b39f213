import base from '../../jest.config.js';

const pattern = '\\.ts$';
const [, settings] = base.transform[pattern];
const { globalSetup, globalTeardown, ...rest } = base;
// A run that a test starts uses what runs already.
const own = process.env.ONWARD_TEST_SERVER_URL ? {} : { globalSetup, globalTeardown };

/** @type {import('jest').Config} */
const config = {
  ...rest,
  ...own,
  rootDir: '../..',
  // The product is compiled with its switches, so nothing of it is shared.
  testEnvironment: 'node',
  transformIgnorePatterns: ['/node_modules/'],
  testMatch: ['<rootDir>/test/mutants/suite.ts'],
  transform: { [pattern]: ['<rootDir>/test/mutants/transform.mjs', settings] },
  maxWorkers: 1,
  testTimeout: 3_600_000,
};
export { config as default };
