import type { Sql } from '../../platform/database/sql.ts';
import { consentsToInsert } from '../consents/queries.ts';
import { blankContact } from '../rules.ts';
import type { NewContact } from '../rules.ts';

/** A contact to be written, whole. */
export interface ContactToWrite extends NewContact {
  id: string;
  team_id: string;
}

/**
 * Insert of contacts of any teams under new ids, without `returning`. Leaves out a contact whose unique_id is in
 * use: by another contact, by one before it, or as the key of a merged one. Inserts in the order of
 * keys, so that two sets with the same keys cannot deadlock. Nothing is looked up for null.
 */
export function insertion(sql: Sql, contacts: readonly ContactToWrite[]) {
  return sql`
    insert into contacts (
      team_id, id, email_status, unique_id, email, first_name, last_name, preferred_name, phone,
      locale, timezone, sealed_date_of_birth, postal_code, tags, attributes, consents
    )
    select w.team_id, w.id, coalesce(s.email_status, 'unknown'), w.unique_id, w.email,
      w.first_name, w.last_name, w.preferred_name, w.phone, w.locale, w.timezone,
      w.sealed_date_of_birth, w.postal_code, w.tags::text[], w.attributes::jsonb,
      ${consentsToInsert(sql, neverAsked)}
    from ${written(sql, contacts)}
    left join suppressions s on s.team_id = w.team_id and s.channel = 'email'
      and folded(s.address) = folded(w.email) and s.deleted_at is null
    where w.unique_id is null or (${holderByMerger(sql, sql`w.team_id`, sql`w.unique_id`)} limit 1) is null
    order by w.team_id, w.unique_id collate "C"
    on conflict (team_id, unique_id) where unique_id is not null and status <> 'archived'
    do nothing`;
}

/** The contact that a key names since the one that had it was merged. */
export function holderByMerger(
  sql: Sql,
  teamId: string | ReturnType<Sql>,
  uniqueId: string | null | ReturnType<Sql>,
) {
  return sql`
    select winner.id
    from contacts loser
    join contacts winner on winner.team_id = loser.team_id and winner.id = loser.merged_into_id
      and winner.status <> 'archived'
    where loser.team_id = ${teamId} and loser.unique_id = ${uniqueId}
      and loser.merged_into_id is not null`;
}

/** The rows as a relation `w`; what Postgres cannot have in an array of arrays is text. */
export function written(sql: Sql, contacts: readonly ContactToWrite[]) {
  const texts = (of: (contact: ContactToWrite) => string | null) => contacts.map(of);
  return sql`unnest(
    ${texts(({ team_id }) => team_id)}::uuid[], ${texts(({ id }) => id)}::uuid[],
    ${texts(({ unique_id }) => unique_id)}::text[],
    ${texts(({ email }) => email)}::text[], ${texts(({ first_name }) => first_name)}::text[],
    ${texts(({ last_name }) => last_name)}::text[],
    ${texts(({ preferred_name }) => preferred_name)}::text[],
    ${texts(({ phone }) => phone)}::text[], ${texts(({ locale }) => locale)}::text[],
    ${texts(({ timezone }) => timezone)}::text[],
    ${texts(({ sealed_date_of_birth }) => sealed_date_of_birth)}::text[],
    ${texts(({ postal_code }) => postal_code)}::text[],
    ${texts(({ tags }) => arrayText(tags))}::text[],
    ${texts(({ attributes }) => JSON.stringify(attributes))}::text[],
    ${texts(consentsText)}::text[]
  ) as w (team_id, id, unique_id, email, first_name, last_name, preferred_name, phone, locale, timezone,
    sealed_date_of_birth, postal_code, tags, attributes, consents)`;
}

/** Consents of a contact that was never asked, as JSON. */
export const neverAsked = JSON.stringify(blankContact.consents);

/** Null where nothing was ever said, as for most: it is written and read once for all of them. */
function consentsText({ consents }: ContactToWrite): string | null {
  const text = JSON.stringify(consents);
  return text === neverAsked ? null : text;
}

function arrayText(tags: readonly string[]): string {
  return `{${tags.map((tag) => `"${tag.replaceAll(/[\\"]/g, '\\$&')}"`).join(',')}}`;
}
