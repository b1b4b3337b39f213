import { AsyncLocalStorage } from 'node:async_hooks';
import { TestEnvironment } from 'jest-environment-node';
import { shareModules } from './shared-modules.mjs';

// Values that a test file makes by these are of the classes that the product knows. What literals
// make is not; the product checks those by Array.isArray and typeof.
const classes = [
  ...['Date', 'Map', 'Set', 'WeakMap', 'WeakRef', 'WeakSet', 'Error', 'AggregateError'],
  ...['EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'],
];

// Before Node.js 24, each promise is noted in each storage that was ever used. Jest makes two for
// each test file and keeps them: after fifty files they took a third of the time of a process.
const used = new Set();
const { _enable: enable } = AsyncLocalStorage.prototype;
if (enable) {
  AsyncLocalStorage.prototype._enable = function () {
    used.add(this);
    return enable.call(this);
  };
}

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
    // Those of the product begin again at their next use.
    for (const storage of used) storage.disable();
    used.clear();
  }
}
