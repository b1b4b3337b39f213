import { connectDatabase } from './client.ts';

/** Makes a database on a server where it is missing, and returns the URL of it. */
export async function ensureDatabase(serverUrl: string, name: string): Promise<string> {
  const server = connectDatabase({
    url: serverUrl,
    maxConnections: 1,
    applicationName: 'onward-setup',
  });
  try {
    await server.read(
      async (sql) => {
        const [found] = await sql`select from pg_database where datname = ${name}`;
        if (!found) await sql`create database ${sql(name)}`;
      },
      { deadlineMs: 60_000 },
    );
  } finally {
    await server.close();
  }
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
