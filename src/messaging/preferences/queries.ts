import type { Look } from '../../platform/content/plain-page.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { Consents } from '../../contacts/contact.ts';

/** The message by whose link a recipient came, and whose it is. */
export interface Arrival {
  team_id: string;
  channel: 'email' | 'sms' | 'push';
  topic_id: string | null;
  contact_id: string;
  /** A deleted contact gets no messages, but others may have its address. */
  is_archived: boolean;
  consents: Consents;
  has_email: boolean;
  has_phone: boolean;
  locale: string;
  team_name: string;
  /** The theme of the team's first widget that is open and has one. */
  theme: Readonly<Record<string, unknown>> | null;
  /** Origins of the pages that may embed a widget of the team. */
  origins: string[];
}

/** The theme of an open widget of the team `t`: the oldest with a primary color, or else with any theme. */
const themeOfTeam = (sql: Sql) => sql`
  (select w.theme from widget_instances w
   where w.team_id = t.id and w.is_active and w.archived_at is null
     and w.deleted_at is null and w.theme is not null
   order by w.theme ? 'primary_color' desc, w.inserted_at, w.id limit 1)`;

/** Name, theme and language of an active team, for a page that its customers see. */
export async function findLook(sql: Sql, teamId: string): Promise<Look | undefined> {
  const [row] = await sql<Look[]>`
    select t.name as team_name, t.locale,
      ${themeOfTeam(sql)} as theme
    from teams t where t.id = ${teamId} /* team_id is the id */ and t.suspended_at is null`;
  return row;
}

/** Undefined where the delivery is no more, or its contact is erased. */
export async function findArrival(
  sql: Sql,
  { team_id: teamId, id }: { team_id: string; id: string },
): Promise<Arrival | undefined> {
  const [row] = await sql<Arrival[]>`
    select d.team_id, d.channel, d.topic_id, d.contact_id, c.status = 'archived' as is_archived, c.consents,
      c.email is not null as has_email, c.phone is not null as has_phone,
      coalesce(c.locale, t.locale) as locale, t.name as team_name,
      ${themeOfTeam(sql)} as theme,
      array(select distinct origin from widget_instances w, unnest(w.allowed_origins) as origin
       where w.team_id = d.team_id and w.is_active and w.archived_at is null
         and w.deleted_at is null
       order by origin limit 100) as origins
    from message_deliveries d
    join teams t on t.id = d.team_id
    join contacts c on c.team_id = d.team_id and c.id = d.contact_id and c.erased_at is null
    where d.team_id = ${teamId} and d.id = ${id}`;
  return row;
}

/** The look of a team's e-mails, and whether its recipients have topics to choose. */
export interface MailLook extends Look {
  team_id: string;
  has_topics: boolean;
}

/** The looks of teams whose e-mails are sent. */
export async function listMailLooks(sql: Sql, teamIds: readonly string[]): Promise<MailLook[]> {
  if (teamIds.length === 0) return [];
  return sql<MailLook[]>`
    select t.id as team_id, t.name as team_name, t.locale, ${themeOfTeam(sql)} as theme,
      exists (select from topics p where p.team_id = t.id and p.archived_at is null
        and p.deleted_at is null) as has_topics
    from teams t where t.id = any(${teamIds}::uuid[]) /* team_id is the id */`;
}
