import type { Database } from '../../src/platform/database/client.ts';

const ofContacts = [
  ...['journeys', 'engagement_events', 'objective_completions', 'message_deliveries'],
  ...['accounts', 'cohort_members'],
];

/**
 * Gives what has happened to each contact of a twin to the next one, what happened on each journey
 * to another journey, and changes all values that decide if something counts: so that a row of the
 * twin that is mistaken for one of the team shows.
 */
export async function makeAnotherYear(
  database: Database,
  twin: string,
  team: string,
): Promise<void> {
  for (const table of ofContacts) {
    // In two steps: what is unique by contact stays so at each row.
    await database.read(
      (sql) => sql`
        update ${sql(table)} set contact_id = md5(contact_id::text)::uuid
        where team_id = ${twin} and contact_id is not null`,
    );
    await database.read(
      (sql) => sql`
        update ${sql(table)} t set contact_id = ring.next
        from (
          select id, coalesce(lead(id) over (order by id), first_value(id) over (order by id)) as next
          from contacts where team_id = ${twin}
        ) ring
        where t.team_id = ${twin} and t.contact_id = md5(ring.id::text)::uuid`,
    );
  }
  await database.read(
    (sql) => sql`
      update engagement_events e set journey_id = ring.next
      from (
        select id, coalesce(lead(id) over (order by id), first_value(id) over (order by id)) as next
        from journeys where team_id = ${twin}
      ) ring
      where e.team_id = ${twin} and e.journey_id = ring.id`,
  );
  // All that was sent came to something.
  await database.read(
    (sql) => sql`
      update message_deliveries
      set sent_at = inserted_at, delivered_at = inserted_at, first_opened_at = inserted_at,
        first_clicked_at = inserted_at, unsubscribed_at = inserted_at
      where team_id = ${twin}`,
  );
  // Every journey of the team led to every objective, by its own contact.
  await database.read(
    (sql) => sql`
      insert into objective_completions (team_id, objective_id, contact_id, completed_at,
        value_cents, source, attribution, journey_id, template_id, repeat_key)
      select ${twin}, o.id, j.contact_id, j.enrolled_at + interval '1 day' * days.number,
        1, 'api', 'journey', j.id, j.template_id, j.id::text || days.number
      from journeys j
      cross join objectives o
      cross join (values (0.001), (10), (20)) as days (number)
      where j.team_id = ${team} and o.team_id = ${team}
        and j.enrolled_at + interval '1 day' * days.number < now()`,
  );
  await database.read(
    (sql) => sql`
      update objectives set attribution_window_days = 365, name = name || ' of others'
      where team_id = ${twin}`,
  );
  await database.read(
    (sql) => sql`update topics set name = name || ' of others' where team_id = ${twin}`,
  );
  await database.read(
    (sql) => sql`
      insert into template_objectives (team_id, template_id, objective_id, position)
      select t.team_id, t.id, o.id, 1000 from templates t
      join objectives o on o.team_id = t.team_id
      where t.team_id = ${twin} on conflict do nothing`,
  );
  await database.read(
    (sql) => sql`update journeys set is_holdout = not is_holdout where team_id = ${twin}`,
  );
  await database.read((sql) => sql`update contacts set status = 'active' where team_id = ${twin}`);
  await database.read((sql) => sql`update templates set deleted_at = null where team_id = ${twin}`);
  // Its templates have become drafts again.
  await database.read(
    (sql) => sql`
      insert into template_status_changes
        (team_id, template_id, sequence, to_status, action, cause, occurred_at)
      select team_id, template_id, sequence + 1000, 'draft', action, cause, occurred_at
      from template_status_changes where team_id = ${twin}`,
  );
  // As if all of its hours were summed, and more was in them; its row stays in front.
  await database.read(
    (sql) =>
      sql`update delivery_rollup_progress set rolled_up_until = now() where team_id = ${twin}`,
  );
  await database.read(
    (sql) => sql`update delivery_rollup_progress set touched_at = now() where team_id = ${team}`,
  );
  await database.read(
    (sql) => sql`update delivery_counts_hourly set sent = sent + 1 where team_id = ${twin}`,
  );
}
