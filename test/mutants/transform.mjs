import { relative, sep } from 'node:path';
import { createTransformer } from '@swc/jest';
import { withSwitches } from './sites.mjs';

// The transformer of jest: inserts the switches into shipped code, then compiles TypeScript.

const factory = {
  createTransformer(settings) {
    const swc = createTransformer(settings);
    const switched = (text, file, { config }) => {
      const path = relative(config.rootDir, file).split(sep).join('/');
      return /^(src|activities)\//.test(path) ? withSwitches(path, text) : text;
    };
    return {
      ...swc,
      process: (text, path, options) => swc.process(switched(text, path, options), path, options),
      processAsync: (text, path, options) =>
        swc.processAsync(switched(text, path, options), path, options),
      getCacheKey: (text, path, options) =>
        swc.getCacheKey(switched(text, path, options), path, options),
    };
  },
};
export { factory as default };
