import { env } from 'node:process';
import { connectDatabase } from '../../src/platform/database/client.ts';
import { runProcess } from '../../src/app/run-process.ts';

// A process with a defect: nothing handles the failure of its statement.
runProcess(() => {
  const database = connectDatabase({
    url: env['DATABASE_URL'] ?? '',
    maxConnections: 1,
    applicationName: 'tests',
  });
  void database.read((sql) => sql`select ${env['PERSON'] ?? ''}::text::uuid`);
  return Promise.resolve(() => database.close());
});
