import type { Sql } from '../../platform/database/sql.ts';
import { fail } from '../../platform/http/errors.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import type { RecordedDelivery } from '../send-queue/queries.ts';
import type { ArchivedMessageRow } from './archived-message.ts';
import type { SealedMessage } from './seal.ts';

/** An archived message with its sealed parts. */
export type StoredMessage = ArchivedMessageRow & {
  sealed_addresses: string | null;
  content_id: string | null;
  sealed_content: string | null;
};

const shown = `t.*, 'archived_message' as type,
  case when t.erased_at is not null then 'erased'
    when t.content_id is null then 'unavailable' else 'stored' end as content_status`;

/** The archived messages of a team, or to one contact. */
export function archivedMessageSource(teamId: string, contactId?: string): ListSource {
  return {
    from: 'archived_messages t',
    select: shown,
    where:
      contactId === undefined
        ? { text: 't.team_id = $1', values: [teamId] }
        : { text: 't.team_id = $1 and t.contact_id = $2', values: [teamId, contactId] },
  };
}

/** Throws 404. */
export async function requireArchivedMessage(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<StoredMessage> {
  const [row] = await sql<StoredMessage[]>`
    select ${sql.unsafe(shown)}, c.sealed_content
    from archived_messages t
    left join archived_contents c on c.team_id = t.team_id and c.id = t.content_id
    where t.team_id = ${teamId} and t.id = ${id}`;
  if (row) return row;
  const meta = { resource: 'archived_message' };
  throw fail('not_found', { detail: 'No such archived message.', meta });
}

/** The sealed contents of messages, by their ids. */
export async function findContents(
  sql: Sql,
  teamId: string,
  messages: readonly Pick<StoredMessage, 'content_id'>[],
): Promise<Map<string, string>> {
  const ids = messages.flatMap(({ content_id }) => content_id ?? []);
  const rows = await sql<{ id: string; sealed_content: string }[]>`
    select id, sealed_content from archived_contents
    where team_id = ${teamId} and id = any(${ids}::uuid[])`;
  return new Map(rows.map(({ id, sealed_content }) => [id, sealed_content]));
}

/** Characters of sealed contents in one statement. */
const statementLength = 4_000_000;

/**
 * Archives messages that a provider took, in the transaction of their outcome. A message that is
 * written twice has one line; the content of the second completes a line without one.
 */
export async function archiveMessages(
  sql: Sql,
  messages: readonly { sealed: SealedMessage; delivery: RecordedDelivery }[],
): Promise<void> {
  // All writers lock contents in the same order.
  const ordered = messages.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
  let chunk: typeof ordered = [];
  let length = 0;
  for (const message of ordered) {
    const more = message.sealed.sealed_content?.length ?? 0;
    if (chunk.length > 0 && length + more > statementLength) {
      await insertArchived(sql, chunk);
      [chunk, length] = [[], 0];
    }
    chunk.push(message);
    length += more;
  }
  if (chunk.length > 0) await insertArchived(sql, chunk);
}

const orderOf = ({ sealed }: { sealed: SealedMessage }) =>
  `${sealed.team_id} ${sealed.content_id ?? ''}`;

async function insertArchived(
  sql: Sql,
  messages: readonly { sealed: SealedMessage; delivery: RecordedDelivery }[],
): Promise<void> {
  const lines = messages.map(({ sealed: { sealed_content: _, ...sealed }, delivery }) => ({
    ...{ id: delivery.id, contact_id: delivery.contact_id, message_id: delivery.message_id },
    ...{ template_id: delivery.template_id, journey_id: delivery.journey_id },
    ...{ channel: delivery.channel, provider: delivery.provider },
    ...{ provider_message_id: delivery.provider_message_id, to_masked: delivery.to_masked },
    ...{ sent_at: delivery.sent_at, inserted_at: delivery.inserted_at },
    ...sealed,
  }));
  const contents = new Map(
    messages.flatMap(({ sealed }) =>
      sealed.content_id === null ? [] : [[orderOf({ sealed }), sealed] as const],
    ),
  );
  const stored = [...contents.values()];
  await sql`
    with line as (
      insert into archived_messages as t (team_id, id, contact_id, message_id, template_id,
        template_version, journey_id, channel, provider, provider_message_id, sender, to_masked,
        sealed_addresses, consent_status, content_id, sent_at, expires_at, inserted_at)
      select team_id, id, contact_id, message_id, template_id, template_version, journey_id,
        channel, provider, provider_message_id, sender, to_masked, sealed_addresses,
        consent_status, content_id, sent_at, sent_at + make_interval(days => days), inserted_at
      from jsonb_to_recordset(${JSON.stringify(lines)}::text::jsonb) as l (
        team_id uuid, id uuid, contact_id uuid, message_id uuid, template_id uuid,
        template_version int, journey_id uuid, channel text, provider text,
        provider_message_id text, sender text, to_masked text, sealed_addresses text,
        consent_status text, content_id uuid, sent_at timestamptz, days int,
        inserted_at timestamptz)
      on conflict (team_id, id, inserted_at) do update
        set content_id = excluded.content_id, sealed_addresses = excluded.sealed_addresses,
          sender = excluded.sender, to_masked = excluded.to_masked
        where t.content_id is null and t.erased_at is null and excluded.content_id is not null
      returning t.team_id, t.content_id
    )
    insert into archived_contents (team_id, id, sealed_content)
    select c.team_id, c.id, c.sealed_content
    from unnest(${stored.map(({ team_id }) => team_id)}::uuid[],
      ${stored.map(({ content_id }) => content_id)}::uuid[],
      ${stored.map(({ sealed_content }) => sealed_content)}::text[])
      as c (team_id, id, sealed_content)
    where exists (
      select from line where line.team_id = c.team_id and line.content_id = c.id)
    order by c.team_id, c.id
    on conflict (team_id, id) do update set used_at = now()`;
}
