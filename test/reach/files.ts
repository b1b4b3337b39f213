import path from 'node:path';

/** What tests have reached since the last full run began, one name a line, repeated by test files. */
export const recordFile = path.resolve('node_modules/.cache/reached.txt');
