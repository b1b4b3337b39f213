import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import postgres from 'postgres';
import { answerQuestions } from '../child.ts';

// The limit of what Node and Postgres give: the same queries, answered with no check of any kind.

const sql = postgres(process.env['DATABASE_URL'] ?? '', {
  max: Number(process.env['POOL'] ?? 8),
  fetch_types: false,
});

/** The columns of contacts, with the keys and no other index. */
const bareContacts = 'bench_contacts';

async function answer(request: IncomingMessage): Promise<unknown> {
  const [, what, teamId = '', id = ''] = request.url?.split('/') ?? [];
  if (what === 'account') {
    const [row] = await sql`select * from accounts where team_id = ${teamId} and id = ${id}`;
    return row;
  }
  if (what === 'contacts') {
    const rows = await sql`
      select t.*, (
        select count(*)::int from accounts a
        where a.team_id = t.team_id and a.contact_id = t.id and a.deleted_at is null
      ) as account_count
      from contacts t
      where t.team_id = ${teamId} and t.status <> 'archived'
      order by t.inserted_at desc, t.id desc
      limit 26`;
    return { data: rows.slice(0, 25) };
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  if (what === 'callback') {
    const body = Buffer.concat(chunks);
    const payload = JSON.parse(body.toString());
    const [row] = await sql`
      insert into inbound_deliveries (day, id, team_id, receiver_id, receiver_kind, status,
        signature_status, http_status, payload, size_bytes, received_at)
      values (current_date, gen_random_uuid(), ${teamId}, ${id}, 'generic_hmac', 'processed',
        'verified', 200, ${payload}, ${body.length}, now())
      returning id`;
    return row;
  }
  const { email, first_name } = JSON.parse(Buffer.concat(chunks).toString());
  const [row] = await sql`
    insert into ${sql(what === 'insert-bare' ? bareContacts : 'contacts')}
      (team_id, id, email, first_name, consents)
    values (${teamId}, gen_random_uuid(), ${email}, ${first_name}, '{}')
    returning *`;
  return row;
}

const server = createServer((request, response) => {
  answer(request).then(
    (body) => {
      const text = JSON.stringify(body);
      response.writeHead(request.method === 'POST' ? 201 : 200, {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(text),
      });
      response.end(text);
    },
    (error: unknown) => {
      response.writeHead(500).end(String(error));
    },
  );
});
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve);
});
const address: AddressInfo | string | null = server.address();
const port = typeof address === 'object' ? address?.port : 0;

answerQuestions(async () => ({ url: `http://127.0.0.1:${String(port)}` }));
