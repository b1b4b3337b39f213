import { relative, sep } from 'node:path';
import { createTransformer } from '@swc/jest';
import { withSwitches } from './sites.mjs';

// What jest compiles TypeScript with, after the switches are in.

const factory = {
  createTransformer(settings) {
    const swc = createTransformer(settings);
    const switched = (text, path, { config }) =>
      withSwitches(relative(config.rootDir, path).split(sep).join('/'), text);
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
