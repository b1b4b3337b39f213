import { inflateSync } from 'node:zlib';
import { Connection } from '@temporalio/client';
import type { Keyring } from '../../src/platform/auth/keyring.ts';
import type { Sql } from '../../src/platform/database/sql.ts';

/** Reads with the owner's role, behind the API. */
export type Look = <Row extends object>(
  work: (sql: Sql) => Promise<readonly Row[]>,
) => Promise<readonly Row[]>;

/** Every form in which a value may stand somewhere. */
const formsOf = (value: string) => [
  value.toLowerCase(),
  JSON.stringify(value).slice(1, -1).toLowerCase(),
  Buffer.from(value).toString('base64').replace(/=+$/, '').slice(0, -1).toLowerCase(),
  encodeURIComponent(value).toLowerCase(),
];

function searchFor(values: readonly string[]): (text: string) => boolean {
  const forms = [...new Set(values.flatMap(formsOf))];
  return (text) => forms.some((one) => text.includes(one));
}

/**
 * Columns of the database that hold one of the values: `table.column`, of any type. Partitions are
 * read through their table, since the service may drop one at any time.
 */
export async function foundInTables(look: Look, values: readonly string[]): Promise<string[]> {
  const columns = await look(
    (sql) => sql<{ table_name: string; column_name: string; data_type: string }[]>`
      select c.table_name, c.column_name, c.data_type
      from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      join pg_class r on r.relname = c.table_name and r.relnamespace = 'public'::regnamespace
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and not r.relispartition
        and c.data_type in ('text', 'jsonb', 'json', 'bytea', 'ARRAY', 'character varying')`,
  );
  const isIn = searchFor(values);
  const found: string[] = [];
  for (const { table_name: table, column_name: column, data_type: type } of columns) {
    const rows = await look(
      (sql) => sql<{ value: string | Buffer | null }[]>`
        select ${sql.unsafe(type === 'bytea' ? `"${column}"` : `"${column}"::text`)} as value
        from ${sql(table)}
        where ${sql(column)} is not null`,
    );
    if (rows.some(({ value }) => value !== null && textsOf(value).some(isIn))) {
      found.push(`${table}.${column}`);
    }
  }
  return [...new Set(found)];
}

/** The texts of a value; for bytes also their text after decompression. */
function textsOf(value: string | Buffer): string[] {
  const text = value.toString('utf8').toLowerCase();
  if (typeof value === 'string') return [text];
  try {
    return [text, inflateSync(value).toString('utf8').toLowerCase()];
  } catch {
    return [text];
  }
}

/** Which of the values stand in what is sealed: callbacks and stored answers are opened. */
export async function foundInSealed(
  look: Look,
  keyring: Keyring,
  values: readonly string[],
): Promise<string[]> {
  const callbacks = await look(
    (sql) => sql<{ team_id: string; id: string; sealed_callback: string }[]>`
      select team_id, id, sealed_callback from inbound_raw`,
  );
  const answers = await look(
    (sql) => sql<{ team_id: string; client_id: string; key_hash: Buffer; body: string }[]>`
      select team_id, client_id, key_hash, body from idempotency_keys where is_sealed`,
  );
  const texts = [
    ...callbacks.map(({ team_id, id, sealed_callback }) =>
      keyring.open(sealed_callback, ['inbound_raw', 'sealed_callback', team_id, id]),
    ),
    ...answers.map(({ team_id, client_id, key_hash, body }) =>
      keyring.open(body, [
        'idempotency_keys',
        'body',
        team_id,
        `${client_id} ${key_hash.toString('hex')}`,
      ]),
    ),
  ].map((text) => text.toLowerCase());
  return values.filter((value) => texts.some(searchFor([value])));
}

/** Ids of the workflows whose history holds any of the values, and how many were looked at. */
export async function foundInTemporal(
  { address, namespace }: { address: string; namespace: string },
  values: readonly string[],
): Promise<{ found: string[]; workflows: number }> {
  const connection = await Connection.connect({ address });
  try {
    const { workflowService } = connection;
    const listed = await workflowService.listWorkflowExecutions({ namespace, pageSize: 1_000 });
    const executions = listed.executions ?? [];
    const isIn = searchFor(values);
    const found: string[] = [];
    for (const { execution } of executions) {
      if (!execution) continue;
      const request = { namespace, execution };
      const { history } = await workflowService.getWorkflowExecutionHistory(request);
      const text = JSON.stringify(history, (_, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value,
      );
      if (isIn(text.toLowerCase())) found.push(String(execution.workflowId));
    }
    return { found, workflows: executions.length };
  } finally {
    await connection.close();
  }
}
