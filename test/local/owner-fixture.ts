// A process that owns a Postgres and reports it; the test kills it.
import { startPostgres } from '../../src/local/postgres.ts';

const directory = process.argv[2];
if (directory === undefined) throw new Error('the directory is missing');
const { pid } = await startPostgres({ directory });
console.log(JSON.stringify({ postgres: pid }));
setInterval(() => undefined, 60_000);
