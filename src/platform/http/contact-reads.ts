import type { Database } from '../database/client.ts';
import type { Sql } from '../database/sql.ts';
import { contactIdsIn, contactsInPath } from './contact-ids.ts';
import type { Endpoint } from './endpoint.ts';
import type { StoredAnswer } from './idempotency.ts';
import type { RequestContext } from './request-context.ts';

interface Read {
  teamId: string;
  clientId: string;
  operation: string;
  serverRequestId: string | null;
  contactIds: readonly string[];
  /** Days until the lines are deleted. */
  days: number;
}

/** The log itself names contacts, and reading it is no read of them. */
const logPath = '/v2/partner/contact-reads';

/**
 * Records which contacts an answer shows to a client, before it is sent, where the team has a read
 * log: a read, those that it names; another answer, those that it shows as a resource. An answer that
 * cannot be recorded is not sent. ADR 80.
 */
export async function recordContactReads(
  database: Database,
  { id: operation, method, path, download }: Endpoint,
  { principal, trace }: RequestContext,
  params: Readonly<Record<string, string>>,
  answer: StoredAnswer,
): Promise<void> {
  const { teamId, clientId, contactReadsDays: days } = principal;
  if (days === undefined || path === logPath) return;
  const shown = download === undefined ? shownBy(answer) : undefined;
  const ids = contactIdsIn(shown, method === 'GET' ? 'named' : 'shown');
  if (method === 'GET') for (const id of contactsInPath(path, params)) ids.add(id);
  if (ids.size === 0) return;
  const { serverRequestId } = trace;
  const contactIds = [...ids].sort();
  await database.transact((sql) =>
    insertContactReads(sql, { teamId, clientId, operation, serverRequestId, contactIds, days }),
  );
}

/** The value of an answer; that of a repeated request has its text alone. */
function shownBy({ shown, body }: StoredAnswer): unknown {
  return shown ?? (body === null ? undefined : JSON.parse(body));
}

/** In the order of the ids, so that two answers about the same contacts cannot deadlock. */
async function insertContactReads(sql: Sql, read: Read): Promise<void> {
  await sql`
    insert into contact_reads
      (team_id, contact_id, client_id, operation, server_request_id, occurred_at, expires_at)
    select ${read.teamId}, id, ${read.clientId}, ${read.operation}, ${read.serverRequestId},
      date_trunc('hour', now()), now() + make_interval(days => ${read.days})
    from unnest(${[...read.contactIds]}::uuid[]) as id
    order by id
    on conflict do nothing`;
}
