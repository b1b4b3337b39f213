import type { Sql } from '../../../platform/database/sql.ts';
import type { Plan } from '../campaigns.ts';

type Fragment = ReturnType<Sql>;

interface Drawn {
  plan: Plan;
  /** A share that follows from a number, evenly between 0 and 1. */
  share(of: string, salt: number): ReturnType<Sql['unsafe']>;
}

/**
 * The engagement events of journeys, their deliveries and their completions; `key` distinguishes
 * events of one kind. Reads the parts of the statement around it.
 */
export const eventsOf = (sql: Sql, drawn: Drawn): Fragment => sql`
    ${lifecycles(sql)}
    union all ${deliveryEvents(sql)}
    union all ${pageEvents(sql, drawn)}
    union all ${landingPageEvents(sql, drawn)}
    union all ${visits(sql, drawn)}
    union all ${widgetSessions(sql, drawn)}
    union all ${challenges(sql, drawn)}
    union all ${completions(sql)}
    union all ${openedAccounts(sql)}`;

/** Enrollment, start and end of journeys. */
function lifecycles(sql: Sql): Fragment {
  const nothing = sql`null::uuid as message_id, null::uuid as message_delivery_id,
    null::uuid as page_id, null::uuid as landing_page_id, null::uuid as widget_instance_id,
    null::uuid as objective_id, null::uuid as account_id`;
  return sql`
    select k.kind, j.n::text as key, 'system' as channel, j.contact_id, j.id as journey_id,
      j.template_id, ${nothing}, k.at, 'system' as source, false as is_machine,
      null::jsonb as properties, null::bigint as value_cents
    from journey j
    cross join lateral (values
      ('journey.enrolled', j.at),
      ('journey.started', j.at + interval '1 second'),
      (case j.ending when 'canceled' then 'journey.exited' else 'journey.' || j.ending end,
        j.ended_at)
    ) as k (kind, at)`;
}

/** Course of deliveries. */
function deliveryEvents(sql: Sql): Fragment {
  return sql`
    select k.kind, d.id || k.key, d.channel, d.contact_id, d.journey_id, d.template_id,
      d.message_id, d.id, null, null, null, null, null, k.at, 'inbound', k.is_machine, null, null
    from delivery d
    cross join lateral (values
      ('message.sent', '', d.sent_at, false),
      ('message.delivered', '', d.delivered_at, false),
      (case d.status when 'failed' then 'message.failed' else 'message.bounced' end, '',
        d.failed_at, false),
      ('message.opened', '', d.first_opened_at, false),
      ('message.opened', ' again', case when get_byte(uuid_send(d.id), 0) < 70
        then d.first_opened_at + interval '1 day' end, false),
      ('message.opened', ' machine', case when d.machine_open_count > 0
        then d.delivered_at + interval '2 seconds' end, true),
      ('message.clicked', '', d.first_clicked_at, false),
      ('message.unsubscribed', '', d.unsubscribed_at, false),
      ('message.complained', '', d.complained_at, false),
      ('contact.replied', '', case when d.channel = 'sms' and get_byte(uuid_send(d.id), 1) < 8
        then d.delivered_at + interval '5 minutes' end, false)
    ) as k (kind, key, at, is_machine)`;
}

/** Pages of journeys that are seen after a click. */
function pageEvents(sql: Sql, { plan }: Drawn): Fragment {
  const pages = plan.templates.flatMap((template) => template.pages.map(({ id }) => id));
  return sql`
    select k.kind, d.id || ' ' || k.place, 'web', d.contact_id, d.journey_id, d.template_id, null,
      null, (${pages}::uuid[])[(j.campaign - 1) * 4 + k.place], null, null, null, null,
      d.first_clicked_at + k.after, 'widget', false, null, null
    from delivery d
    join journey j on j.id = d.journey_id
    cross join lateral (select get_byte(uuid_send(d.id), 2) as luck) l
    cross join lateral (values
      ('page.viewed', 1, interval '3 seconds', true),
      ('page.viewed', 2, interval '50 seconds', l.luck < 170),
      ('page.viewed', 3, interval '2 minutes', l.luck < 110),
      ('page.viewed', 4, interval '3 minutes', l.luck < 70),
      ('page.cta_clicked', 2, interval '80 seconds', l.luck < 100),
      ('page.form_submitted', 3, interval '150 seconds', l.luck < 60)
    ) as k (kind, place, after, happens)
    where d.first_clicked_at is not null and k.happens`;
}

/** Landing pages that are seen before the enrollment. */
function landingPageEvents(sql: Sql, { plan, share }: Drawn): Fragment {
  const landingPages = plan.landingPages.map(({ id }) => id);
  return sql`
    select 'landing_page.' || k.kind, j.n::text, 'web', j.contact_id, null, null, null, null, null,
      (${landingPages}::uuid[])[1 + j.n % ${landingPages.length}], null, null, null,
      j.at - make_interval(secs => 7200 * (1.1 - ${share('j.n', 51)}) - k.after), 'landing_page',
      false, null, null
    from journey j
    cross join lateral (values ('viewed', 0, 0.25), ('cta_clicked', 40, 0.06)) as k (kind, after, part)
    where ${share('j.n', 50)} < k.part`;
}

/** Those who come in by the enrollment widget, and one or two before them who leave again. */
function visits(sql: Sql, { plan, share }: Drawn): Fragment {
  const [door] = plan.widgets.map(({ id }) => id);
  return sql`
    select k.kind, j.n || ' ' || v.visit || ' ' || k.place, 'widget',
      case v.visit when 0 then j.contact_id end, case v.visit when 0 then j.id end, j.template_id,
      null, null, null, null, ${door ?? null}::uuid, null, null,
      j.at - make_interval(secs => 3000 * v.visit + k.before), 'widget', false,
      jsonb_build_object('session_id', 'v-' || j.n || '-' || v.visit,
        'outcome', case v.visit when 0 then 'enrolled' else 'duplicate' end), null
    from journey j
    cross join lateral generate_series(0, 1 + j.n % 2) as v (visit)
    cross join lateral (values
      ('widget.loaded', 6, 90, 1.1), ('widget.started', 7, 60, 0.5), ('widget.submitted', 8, 0, 0.03)
    ) as k (kind, place, before, part)
    where j.via = 'widget' and (v.visit = 0 or ${share('j.n * 4 + v.visit', 56)} < k.part)`;
}

/** Sessions of other widgets. */
function widgetSessions(sql: Sql, { plan, share }: Drawn): Fragment {
  const widgets = plan.widgets.slice(1).map(({ id }) => id);
  return sql`
    select k.kind, j.n || ' ' || k.place, 'widget', j.contact_id, j.id, j.template_id, null, null,
      null, null, (${widgets}::uuid[])[1 + j.n % ${widgets.length}], null, null,
      j.at + make_interval(secs => 86400 * 10 * ${share('j.n', 53)} + k.after), 'widget', false,
      jsonb_build_object('session_id', 's-' || j.n,
        'merchant', (array['Cinema', 'Books', 'Groceries', 'Rides'])[1 + j.n % 4],
        'platform', (array['ios', 'android', 'android', 'windows'])[1 + j.n / 5 % 4],
        'channel', (array['email', 'sms', 'push'])[1 + j.n % 3],
        'confirmed', j.n % 2 = 0), null
    from journey j
    cross join lateral (select j.n % ${widgets.length} = 0 as is_opt_in) w
    cross join lateral (values
      ('widget.loaded', 1, 0, 0.3),
      ('widget.started', 2, 20, 0.2),
      ('widget.submitted', 3, 60, 0.14),
      (case when w.is_opt_in then 'opt_in.granted' else 'widget.completed' end, 4, 65, 0.1),
      (case when w.is_opt_in then 'opt_in.revoked' else 'widget.failed' end, 5, 90, 0.01)
    ) as k (kind, place, after, part)
    where ${share('j.n', 52)} < k.part`;
}

/** Questions to recipients who prove who they are. */
function challenges(sql: Sql, { share }: Drawn): Fragment {
  return sql`
    select 'identity.challenge_' || k.kind, j.n::text, 'web', j.contact_id, j.id, j.template_id,
      null, null, null, null, null, null, null,
      j.at + make_interval(secs => 86400 * 10 * ${share('j.n', 55)} + k.after), 'widget', false,
      jsonb_build_object('factor', (array['postal_code', 'date_of_birth'])[1 + j.n % 2]), null
    from journey j
    cross join lateral (values
      ('presented', 0, 0.0, 0.1), ('passed', 15, 0.0, 0.08), ('failed', 15, 0.08, 0.1),
      ('locked', 60, 0.098, 0.1)
    ) as k (kind, after, above, below)
    where ${share('j.n', 54)} >= k.above and ${share('j.n', 54)} < k.below`;
}

/** Completed objectives. */
function completions(sql: Sql): Fragment {
  return sql`
    select 'objective.completed', c.id::text, 'system', c.contact_id, c.journey_id, c.template_id,
      null, null, null, null, null, c.objective_id, null, c.completed_at, 'system', false, null,
      c.value_cents
    from completed c`;
}

/** Accounts that are opened. */
function openedAccounts(sql: Sql): Fragment {
  return sql`
    select 'account.opened', a.id::text, 'system', a.contact_id, null, null, null, null, null, null,
      null, null, a.id, a.opened_at, 'system', false, null, null
    from opened_account a`;
}
