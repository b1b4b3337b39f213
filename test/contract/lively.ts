import { connectDatabase } from '../../src/platform/database/client.ts';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import { planOf } from '../../src/commands/seed/campaigns.ts';
import { fillTeam, fillYear } from '../../src/commands/seed/fill.ts';
import type { TestApi, TestTeam } from '../support/api.ts';

const contacts = 100;
/** Enough events for insights to report groups of thirty. */
const events = 2_600;
const seed = 1;

/** A team with a year of data, so that every insight has figures. */
export async function fillLively(api: TestApi, team: TestTeam): Promise<TestTeam> {
  const database = connectDatabase({
    ...{ url: api.db.ownerUrl, maxConnections: 3, applicationName: 'tests' },
  });
  const say = () => undefined;
  try {
    await fillTeam(database, team.id, contacts, say);
    await fillYear(database, team.id, { events, contacts, seed, nowMs: Date.now() }, say);
    // Insights report groups of thirty: three of four journeys meet the same message and page, and
    // one of two widgets.
    await database.read(
      (sql) => sql`
        update engagement_events e
        set message_id = case when e.message_id is not null then m.id end,
          page_id = case when e.page_id is not null then p.id end,
          widget_instance_id = case
            when e.widget_instance_id is null and e.page_id is null then null
            when abs(hashtext(e.journey_id::text) % 4) = 3 then door.id else w.id end
        from (select id from messages where team_id = ${team.id} limit 1) m,
          (select id from pages
           where team_id = ${team.id} and completion_rule = 'objective_completed' limit 1) p,
          (select id from widget_instances
           where team_id = ${team.id} and widget_kind = 'mobile_app' limit 1) w,
          (select id from widget_instances
           where team_id = ${team.id} and widget_kind = 'enrollment' limit 1) door
        where e.team_id = ${team.id} and hashtext(e.journey_id::text) % 4 <> 0`,
    );
    // All messages are about one topic.
    await database.read(
      (sql) => sql`
        with topic as (
          insert into topics (team_id, name, position, default_consent)
          values (${team.id}, 'Savings', 1, 'subscribed') returning id
        )
        update messages set topic_id = topic.id from topic where team_id = ${team.id}`,
    );
    // Half of the journeys came from a cohort.
    await database.read(
      (sql) => sql`
        update journeys set cohort_id =
          case when hashtext(id::text) % 2 = 0 then ${planOf(team.id, seed).cohort.id}::uuid end
        where team_id = ${team.id}`,
    );
    // Every contact opened an account in each quarter, so that every enrollment precedes some.
    await database.read(
      (sql) => sql`
        insert into accounts
          (team_id, contact_id, unique_id, kind, opened_at, balance_cents, currency)
        select c.team_id, c.id, 'quarter-' || quarter, 'deposit',
          now() - interval '1 day' - interval '80 days' * quarter, 1000, 'USD'
        from contacts c cross join generate_series(0, 3) quarter
        where c.team_id = ${team.id}`,
    );
    // Some completed everything in time, and some too late.
    await database.read(
      (sql) => sql`
        insert into objective_completions (team_id, objective_id, contact_id, completed_at,
          value_cents, source, attribution, repeat_key)
        select j.team_id, o.id, j.contact_id, j.enrolled_at + late.after, 1, 'api', 'none',
          j.id::text
        from journeys j
        join (values (0, interval '60 days'), (1, interval '5 days')) late (who, after)
          on late.who = hashtext(j.contact_id::text) % 4 and j.enrolled_at < now() - late.after
        join objectives o on o.team_id = j.team_id
        where j.team_id = ${team.id}`,
    );
    // The hours of its first month are summed: one message was sent, and none was opened.
    await database.read(
      (sql) => sql`
        insert into delivery_counts_hourly (team_id, hour, message_id, template_id, channel, sent,
          delivered, bounced, failed, opened, opened_machine, clicked, unsubscribed, complained)
        select team_id, date_trunc('hour', now() - interval '350 days', 'UTC'), id, template_id,
          channel, 1, 1, 0, 0, 0, 0, 0, 0, 0
        from messages where team_id = ${team.id} limit 1`,
    );
    await database.read(
      (sql) => sql`
        insert into delivery_rollup_progress (team_id, rolled_up_until)
        values (${team.id}, date_trunc('hour', now() - interval '335 days', 'UTC'))`,
    );
    await database.read(
      (sql) => sql`
        delete from delivery_rollup_dirty_hours where team_id = ${team.id}`,
    );
    // The benchmark needs this many other teams, which have no other data.
    const peers = await Promise.all(Array.from({ length: 5 }, () => api.newTeam()));
    await database.read(
      (sql) => sql`
        insert into objective_rates (team_id, key, eligible, completed)
        select t.id, 'direct-deposit', 1000, 100 * t.number
        from unnest(${peers.map(({ id }) => id)}::uuid[]) with ordinality as t (id, number)`,
    );
    // Not all of it counts.
    await database.read(
      (sql) => sql`
        update contacts set status = 'suppressed'
        where team_id = ${team.id} and hashtext(id::text) % 3 = 0`,
    );
    await database.read(
      (sql) => sql`
        update templates set deleted_at = now()
        where team_id = ${team.id} and id = ${planOf(team.id, seed).templates.at(-1)?.id ?? ''}`,
    );
  } finally {
    await database.close();
  }
  return team;
}

/** Whether an endpoint reports past activity of a team rather than its resources. */
export function tellsOfAYear({ path }: Endpoint): boolean {
  return path.startsWith('/v2/partner/insights/advanced/');
}

/** All of it, and by each of the filters that the endpoint has. */
export function queriesOfAYear({ id: teamId }: TestTeam, { query }: Endpoint): string[] {
  const { templates, cohort } = planOf(teamId, seed);
  const filters = {
    'filter[template_id]': templates[0]?.id ?? '',
    'filter[cohort_id]': cohort.id,
    'filter[channel]': 'email',
  };
  const taken = Object.entries(filters).filter(([name]) => name in (query?.properties ?? {}));
  return ['', ...taken.map(([name, value]) => `&${name}=${value}`)].map(
    (filter) => `?period=P365D${filter}`,
  );
}
