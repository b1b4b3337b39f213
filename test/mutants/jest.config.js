import base from '../../jest.config.js';

const [[pattern, [, settings]]] = Object.entries(base.transform);

/** @type {import('jest').Config} */
const config = {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/mutants/suite.ts'],
  transform: { [pattern]: ['<rootDir>/test/mutants/transform.mjs', settings] },
  maxWorkers: 1,
  testTimeout: 3_600_000,
};
export { config as default };
