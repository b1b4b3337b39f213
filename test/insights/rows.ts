import { randomUUID } from 'node:crypto';
import type { TestApi, TestTeam } from '../support/api.ts';

/** Rows of one team, as they stand in the tables; what the judge reads. */
export interface Rows {
  templates: any[];
  template_status_changes: any[];
  template_objectives: any[];
  objectives: any[];
  pages: any[];
  messages: any[];
  topics: any[];
  landing_pages: any[];
  widget_instances: any[];
  cohorts: any[];
  cohort_members: any[];
  contacts: any[];
  accounts: any[];
  journeys: any[];
  message_deliveries: any[];
  objective_completions: any[];
  engagement_events: any[];
}

/** Draws the same numbers for the same seed. */
export interface Draw {
  number(below: number): number;
  pick<T>(items: readonly T[]): T;
  chance(share: number): boolean;
}

export function drawing(seed: number): Draw {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const number = (below: number) => Math.floor(next() * below);
  return {
    number,
    chance: (share) => next() < share,
    pick(items) {
      const item = items[number(items.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
  };
}

const day = 86_400_000;
const firstMs = Date.parse('2026-02-20T00:00:00Z');

/** Writes a team's life at random: campaigns, recipients, messages, events, completions, accounts. */
export async function liveALife(api: TestApi, team: TestTeam, draw: Draw): Promise<void> {
  const lastMs = Date.now() - 60_000;
  const at = (fromMs = firstMs, toMs = lastMs) =>
    new Date(fromMs + draw.number(Math.max(1, Math.min(toMs, lastMs) - fromMs))).toISOString();
  const some = (count: number) => Array.from({ length: count }, (_, index) => index);
  const write = async (table: string, rows: readonly object[]) => {
    const [first] = rows;
    if (!first) return;
    const names = Object.keys(first)
      .map((name) => `"${name}"`)
      .join(', ');
    await api.db.look(
      (sql) => sql`
        insert into ${sql(table)} (team_id, ${sql.unsafe(names)})
        select ${team.id}, ${sql.unsafe(names)}
        from jsonb_populate_recordset(null::${sql(table)}, ${JSON.stringify(rows)}::text::jsonb)`,
    );
  };

  const objectives = await api.db.look(
    (sql) => sql<any[]>`
      select id, key, value_cents from objectives where team_id = ${team.id} order by key limit 5`,
  );
  const mobile = await api.db.look(
    (sql) => sql<any[]>`
      select id, key, value_cents from objectives
      where team_id = ${team.id} and key = 'mobile-banking'`,
  );
  objectives.push(...mobile.filter(({ id }) => objectives.every((one) => one.id !== id)));
  await api.db.look(
    (sql) => sql`
      update objectives set value_cents = 1000 + length(key) * 100, attribution_window_days = 20
      where team_id = ${team.id}`,
  );

  const templates = some(4).map((index) => ({
    ...{
      id: randomUUID(),
      name: `Campaign ${String(index)}`,
      inserted_at: at(firstMs, firstMs + 30 * day),
    },
    status: 'draft',
  }));
  await write('templates', templates);
  const changes = templates.flatMap(({ id, inserted_at }) => {
    let [fromMs, from, sequence] = [Date.parse(inserted_at), 'draft', 2];
    return some(draw.number(5)).map(() => {
      const occurred_at = at(fromMs, fromMs + 60 * day);
      fromMs = Date.parse(occurred_at);
      const [to_status, action] = draw.pick([
        ['launched', 'launch'],
        ['launched', 'resume'],
        ['paused', 'pause'],
        ['archived', 'archive'],
        ['expired', 'expire'],
      ] as const);
      const change = {
        ...{ id: randomUUID(), template_id: id, sequence: (sequence += 1), from_status: from },
        ...{ to_status, action, cause: 'api', occurred_at },
      };
      from = to_status;
      return change;
    });
  });
  await write('template_status_changes', changes);
  await write(
    'template_objectives',
    templates.flatMap(({ id }, index) =>
      objectives
        .slice(0, 2 + (index % 3))
        .map((objective, position) => ({ template_id: id, objective_id: objective.id, position })),
    ),
  );
  const pages = templates.flatMap(({ id }) =>
    (['viewed', 'cta_clicked', 'form_submitted', 'objective_completed'] as const).map(
      (completion_rule, position) => ({
        ...{ id: randomUUID(), template_id: id, name: completion_rule, position, kind: 'step' },
        ...{ path: completion_rule.replace('_', '-'), completion_rule },
        objective_id: completion_rule === 'objective_completed' ? draw.pick(objectives).id : null,
      }),
    ),
  );
  await write('pages', pages);
  const topics = some(2).map((position) => ({
    ...{ id: randomUUID(), name: `Topic ${String(position)}`, position },
    default_consent: 'subscribed',
  }));
  await write('topics', topics);
  const messages = templates.flatMap(({ id }) =>
    (['email', 'sms', 'push'] as const).map((channel, position) => ({
      ...{ id: randomUUID(), template_id: id, name: `By ${channel}`, channel, position },
      ...{ purpose: 'marketing', list_unsubscribe: false },
      topic_id: draw.chance(0.6) ? draw.pick(topics).id : null,
    })),
  );
  await write('messages', messages);
  const landingPages = some(2).map((index) => ({
    ...{ id: randomUUID(), name: `Landing ${String(index)}`, slug: `landing-${String(index)}` },
  }));
  await write('landing_pages', landingPages);
  const widgets = (
    ['enrollment', 'opt_in', 'card_on_file', 'mobile_app', 'secure_personalization'] as const
  ).map((widget_kind) => ({
    ...{ id: randomUUID(), name: widget_kind, widget_kind, allowed_origins: [], is_active: true },
    ...{ publishable_key: `wpk_${randomUUID()}`, template_id: draw.pick(templates).id },
    session_max_days: 90,
  }));
  await write('widget_instances', widgets);

  const contacts = some(140).map((index) => ({
    ...{ id: randomUUID(), unique_id: `c-${String(index)}`, inserted_at: at() },
    ...{ status: draw.chance(0.05) ? 'suppressed' : 'active', consents: {} },
  }));
  await write('contacts', contacts);
  const cohort = { id: randomUUID(), name: 'Some', kind: 'static', evaluation_mode: 'on_demand' };
  await write('cohorts', [cohort]);
  const members = contacts.filter(() => draw.chance(0.5));
  await write(
    'cohort_members',
    members.map(({ id }) => ({ cohort_id: cohort.id, contact_id: id, joined_at: at() })),
  );
  await write(
    'accounts',
    some(120).map((index) => {
      const opened_at = draw.chance(0.9) ? at() : null;
      const closes = opened_at !== null && draw.chance(0.2);
      return {
        ...{
          id: randomUUID(),
          contact_id: draw.pick(contacts).id,
          unique_id: `a-${String(index)}`,
        },
        kind: draw.pick(['deposit', 'loan', 'credit', 'investment', 'other']),
        product_id: draw.chance(0.5) ? draw.pick(templates).id : null,
        ...{ opened_at, closed_at: closes ? at(Date.parse(opened_at)) : null },
        balance_cents: draw.chance(0.8) ? draw.number(1_000_000) - 100_000 : null,
        currency: 'USD',
      };
    }),
  );

  const seqs = new Map<string, number>();
  const journeys = some(420).map(() => {
    const template = draw.pick(templates);
    const contact = draw.pick(contacts);
    const seq = (seqs.get(template.id + contact.id) ?? 0) + 1;
    seqs.set(template.id + contact.id, seq);
    const enrolled_at = at();
    const ended = at(Date.parse(enrolled_at), Date.parse(enrolled_at) + 50 * day);
    const status = draw.pick(['completed', 'exited', 'expired', 'canceled']);
    return {
      ...{
        id: randomUUID(),
        template_id: template.id,
        template_version: 1,
        contact_id: contact.id,
      },
      ...{ seq, status, enrolled_at, is_holdout: draw.chance(0.15) },
      enrolled_via: draw.pick(['api', 'cohort', 'batch', 'ipaas', 'widget']),
      cohort_id: draw.chance(0.3) ? cohort.id : null,
      completed_at: status === 'completed' ? ended : null,
      exited_at: status === 'completed' ? null : ended,
    };
  });
  await write('journeys', journeys);

  const deliveries = journeys.flatMap((journey) =>
    messages
      .filter(({ template_id: id }) => id === journey.template_id && draw.chance(0.8))
      .map(({ id: message_id, channel }) => {
        const inserted_at = at(
          Date.parse(journey.enrolled_at),
          Date.parse(journey.enrolled_at) + 20 * day,
        );
        const later = () => at(Date.parse(inserted_at), Date.parse(inserted_at) + 5 * day);
        const fate = draw.pick([
          'skipped',
          'failed',
          'bounced',
          'sent',
          'delivered',
          'delivered',
          'delivered',
        ] as const);
        const sent_at = ['bounced', 'sent', 'delivered'].includes(fate) ? later() : null;
        const isThere = fate === 'delivered';
        return {
          ...{
            id: randomUUID(),
            message_id,
            channel,
            template_id: journey.template_id,
            inserted_at,
            variant_key: variantOf(message_id, journey.contact_id),
          },
          ...{ journey_id: journey.id, contact_id: journey.contact_id, status: fate, sent_at },
          skip_reason:
            fate === 'skipped' ? draw.pick(['no_consent', 'holdout', 'frequency_cap']) : null,
          delivered_at: isThere ? later() : null,
          failed_at: fate === 'failed' || fate === 'bounced' ? later() : null,
          first_opened_at: draw.chance(isThere ? 0.5 : 0.02) ? later() : null,
          first_clicked_at: isThere && draw.chance(0.3) ? later() : null,
          unsubscribed_at: isThere && draw.chance(0.05) ? later() : null,
          complained_at: isThere && draw.chance(0.03) ? later() : null,
          ...{ open_count: 0, click_count: 0, machine_open_count: draw.chance(0.2) ? 1 : 0 },
        };
      }),
  );
  await write('message_deliveries', deliveries);

  const repeats = new Map<string, number>();
  await write(
    'objective_completions',
    some(500).map((index) => {
      const journey = draw.chance(0.7) ? draw.pick(journeys) : undefined;
      const contact_id = journey?.contact_id ?? draw.pick(contacts).id;
      const enrolledMs = Date.parse(journey?.enrolled_at ?? new Date(firstMs).toISOString());
      repeats.set(contact_id, index);
      return {
        ...{ id: randomUUID(), objective_id: draw.pick(objectives).id, contact_id },
        completed_at: at(enrolledMs, journey ? enrolledMs + 40 * day : undefined),
        ...{ value_cents: draw.number(5_000), source: 'api', repeat_key: `r-${String(index)}` },
        attribution: journey ? 'journey' : 'organic',
        ...{ journey_id: journey?.id ?? null, template_id: journey?.template_id ?? null },
        voided_at: draw.chance(0.1) ? new Date(lastMs).toISOString() : null,
      };
    }),
  );

  await write(
    'engagement_events',
    events({ draw, at, journeys, messages, pages, landingPages, widgets, contacts }),
  );
}

/** Every other message has two variants, and deliveries from before it had them. */
function variantOf(messageId: string, contactId: string): string | null {
  if (messageId >= '8') return null;
  return ['bold', 'calm'][parseInt(contactId.slice(0, 2), 16) % 3] ?? null;
}

function events({ draw, at, journeys, messages, pages, landingPages, widgets, contacts }: any) {
  const base = (fields: object) => ({
    ...{ id: randomUUID(), kind: 'custom', channel: 'web', contact_id: null, journey_id: null },
    ...{ template_id: null, message_id: null, page_id: null, landing_page_id: null },
    ...{ widget_instance_id: null, occurred_at: at(), source: 'api', properties: null },
    ...{ is_machine: draw.chance(0.1), received_at: new Date().toISOString() },
    ...fields,
  });
  const rows: object[] = [];
  for (let made = 0; made < 2_500; made += 1) {
    const journey = draw.pick(journeys);
    const about = {
      ...{ contact_id: journey.contact_id, journey_id: journey.id },
      ...{ template_id: journey.template_id },
      occurred_at: at(Date.parse(journey.enrolled_at), Date.parse(journey.enrolled_at) + 40 * day),
    };
    const own = <T extends { template_id: string }>(items: T[]) =>
      draw.pick(items.filter(({ template_id: id }) => id === journey.template_id));
    rows.push(
      base(
        draw.pick([
          () => {
            const message = own<any>(messages);
            const kind = draw.pick(['message.delivered', 'message.opened', 'message.clicked']);
            return { ...about, kind, message_id: message.id, channel: message.channel };
          },
          () => ({
            ...about,
            kind: draw.pick([
              'page.viewed',
              'page.viewed',
              'page.cta_clicked',
              'page.form_submitted',
            ]),
            page_id: own<any>(pages).id,
          }),
          () => ({ ...about, kind: 'contact.replied', channel: 'sms' }),
          () => ({
            kind: draw.pick(['landing_page.viewed', 'landing_page.cta_clicked']),
            contact_id: draw.pick(contacts).id,
            landing_page_id: draw.pick(landingPages).id,
          }),
          () => widgetEvent({ draw, about, widgets, contacts }),
          () => ({
            ...about,
            kind: `identity.challenge_${String(draw.pick(['presented', 'presented', 'passed', 'failed', 'locked']))}`,
            properties: draw.chance(0.8)
              ? { factor: draw.pick(['postal_code', 'date_of_birth']) }
              : null,
          }),
        ])(),
      ),
    );
  }
  return rows;
}

function widgetEvent({ draw, about, widgets, contacts }: any) {
  const widget = draw.pick(widgets);
  const who = draw.pick([
    about,
    { ...about, contact_id: draw.pick(contacts).id },
    { ...about, contact_id: null, journey_id: null },
  ]);
  const session_id = `s-${String(draw.number(30))}`;
  const kinds: Record<string, string[]> = {
    opt_in: ['widget.loaded', 'widget.submitted', 'opt_in.granted', 'opt_in.revoked'],
    other: [
      'widget.loaded',
      'widget.started',
      'widget.submitted',
      'widget.completed',
      'widget.failed',
    ],
  };
  return {
    ...who,
    channel: 'widget',
    widget_instance_id: widget.id,
    kind: draw.pick(kinds[widget.widget_kind] ?? kinds['other']),
    properties: {
      session_id,
      merchant: draw.chance(0.8) ? draw.pick(['Shop', 'Cinema', 'Gym']) : null,
      platform: draw.pick(['ios', 'android', 'windows']),
      outcome: draw.pick(['enrolled', 'duplicate']),
      channel: draw.pick(['email', 'sms', 'push']),
      confirmed: draw.chance(0.5),
    },
  };
}

/** All rows of the team, times as milliseconds. */
export async function readRows(api: TestApi, team: TestTeam): Promise<Rows> {
  const read = async (table: string) => {
    const rows = await api.db.look(
      (sql) => sql<{ row: any }[]>`
        select to_jsonb(t) as row from ${sql(table)} t where team_id = ${team.id}`,
    );
    return rows.map(({ row }) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          name.endsWith('_at') && typeof value === 'string' ? Date.parse(value) : value,
        ]),
      ),
    );
  };
  return {
    templates: await read('templates'),
    template_status_changes: await read('template_status_changes'),
    template_objectives: await read('template_objectives'),
    objectives: await read('objectives'),
    pages: await read('pages'),
    messages: await read('messages'),
    topics: await read('topics'),
    landing_pages: await read('landing_pages'),
    widget_instances: await read('widget_instances'),
    cohorts: await read('cohorts'),
    cohort_members: await read('cohort_members'),
    contacts: await read('contacts'),
    accounts: await read('accounts'),
    journeys: await read('journeys'),
    message_deliveries: await read('message_deliveries'),
    objective_completions: await read('objective_completions'),
    engagement_events: await read('engagement_events'),
  };
}
