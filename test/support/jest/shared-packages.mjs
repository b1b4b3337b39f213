/** Packages whose classes or state tests share with the product. */
export const sharedPackages = [
  '@temporalio',
  'csv-parse',
  'ipaddr\\.js',
  'jose',
  'koa',
  'pino',
  'postgres',
  'ssh2',
  'typebox',
  'undici',
];
