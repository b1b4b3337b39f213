import { TestEnvironment } from 'jest-environment-node';
import { shareModules } from './shared-modules.mjs';

// Values that a test file makes by these are of the classes that the product knows. What literals
// make is not; the product checks those by Array.isArray and typeof.
const classes = [
  ...['Date', 'Map', 'Set', 'WeakMap', 'WeakRef', 'WeakSet', 'Error', 'AggregateError'],
  ...['EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'],
];

export default class SharedEnvironment extends TestEnvironment {
  #testFile;
  #settings;

  constructor(config, context) {
    super(config, context);
    this.#testFile = context.testPath;
    for (const name of classes) this.global[name] = globalThis[name];
    // Settings that a test file makes are those that the product reads.
    this.global.process.env = process.env;
    this.#settings = { ...process.env };
  }

  async setup() {
    await super.setup();
    await shareModules(this.#testFile, this.global);
  }

  async teardown() {
    for (const name of Object.keys(process.env))
      if (!(name in this.#settings)) delete process.env[name];
    Object.assign(process.env, this.#settings);
    await super.teardown();
  }
}
