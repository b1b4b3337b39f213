import path from 'node:path';

/** Values that tests reached since the last full run began: one name a line, with repetitions. */
export const recordFile = path.resolve('node_modules/.cache/reached.txt');
