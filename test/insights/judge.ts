import type { Rows } from './rows.ts';

// Each insight computed again from its definition, over whole rows in plain loops.

export interface Window {
  start: number;
  end: number;
  bucket: string;
  /** Where buckets begin. */
  starts: number[];
}

type Judge = (rows: Rows, window: Window) => any;

const day = 86_400_000;
const round = (value: number) => Math.round(value * 10_000) / 10_000;
const share = (part: number, whole: number) => (whole === 0 ? null : round(part / whole));
const add = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const different = (values: readonly unknown[]) =>
  new Set(values.filter((value) => value !== null && value !== undefined)).size;
const within = (at: number | null, { start, end }: Window) =>
  at !== null && at >= start && at < end;
const byId = (rows: readonly any[], id: string) => rows.find((row) => row.id === id);
const ordered = (rows: any[], most: string, id: (row: any) => string) =>
  rows.sort((a, b) => b[most] - a[most] || (id(a) < id(b) ? -1 : 1));
const groups = (rows: readonly any[], of: (row: any) => string | null): Map<string, any[]> => {
  const found = new Map<string, any[]>();
  for (const row of rows) {
    const key = of(row);
    if (key === null) continue;
    found.set(key, [...(found.get(key) ?? []), row]);
  }
  return found;
};
const series = ({ starts }: Window, point: (from: number, to: number) => object) =>
  starts.map((from, index) => ({
    start: new Date(from).toISOString(),
    ...point(from, starts[index + 1] ?? Infinity),
  }));
const between = (rows: readonly any[], stamp: string, from: number, to: number) =>
  rows.filter((row) => row[stamp] >= from && row[stamp] < to);
const quantile = (values: readonly number[], q: number): number | null => {
  const sorted = [...values].sort((a, b) => a - b);
  if (sorted.length === 0) return null;
  const place = (sorted.length - 1) * q;
  const [low = 0, high = 0] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low + (high - low) * (place - Math.floor(place));
};

const people = (rows: Rows, window: Window) =>
  rows.engagement_events.filter((e) => !e.is_machine && within(e.occurred_at, window));
const completed = (rows: Rows, window: Window) =>
  rows.objective_completions.filter((c) => c.voided_at === null && within(c.completed_at, window));
const begun = (rows: Rows, window: Window) =>
  rows.journeys.filter((j) => !j.is_holdout && within(j.enrolled_at, window));
const ofWidget = (rows: Rows, window: Window, kind: string) =>
  people(rows, window)
    .filter((e) => byId(rows.widget_instances, e.widget_instance_id)?.widget_kind === kind)
    .map((e) => ({ ...e, visitor: e.contact_id ?? e.properties?.session_id ?? null }));
const kindOf = (events: readonly any[], kind: string) => events.filter((e) => e.kind === kind);
const offered = (rows: Rows, also: ReadonlySet<string>) =>
  rows.objectives.filter(
    (o) => o.deleted_at === null && (also.has(o.id) || (o.is_active && o.archived_at === null)),
  );

function eligible(rows: Rows, { end }: Window) {
  const pairs = new Map<string, { objective_id: string; contact_id: string; done: boolean }>();
  for (const j of rows.journeys) {
    if (j.is_holdout || j.enrolled_at >= end) continue;
    if (byId(rows.contacts, j.contact_id)?.status !== 'active') continue;
    for (const { objective_id, template_id } of rows.template_objectives) {
      if (template_id !== j.template_id) continue;
      const done = rows.objective_completions.some(
        (c) =>
          c.contact_id === j.contact_id &&
          c.objective_id === objective_id &&
          c.voided_at === null &&
          c.completed_at <= end,
      );
      pairs.set(`${String(objective_id)} ${String(j.contact_id)}`, {
        objective_id,
        contact_id: j.contact_id,
        done,
      });
    }
  }
  return [...pairs.values()];
}

const activeContacts = (rows: Rows, { end }: Window) =>
  rows.contacts.filter((c) => c.status === 'active' && c.inserted_at < end);

export const judges: Readonly<Record<string, Judge>> = {
  pages(rows, window) {
    const events = people(rows, window).filter((e) => e.page_id !== null);
    const kinds = ['page.viewed', 'page.cta_clicked', 'page.form_submitted'];
    const pages = [
      ...groups(
        events.filter((e) => kinds.includes(e.kind)),
        (e) => e.page_id,
      ),
    ].map(([page_id, own]) => {
      const page = byId(rows.pages, page_id);
      const [viewed, clicked] = [kindOf(own, 'page.viewed'), kindOf(own, 'page.cta_clicked')];
      const completes: Record<string, () => any[]> = {
        viewed: () => viewed,
        cta_clicked: () => clicked,
        form_submitted: () => kindOf(own, 'page.form_submitted'),
        objective_completed: () =>
          viewed.filter((e) =>
            rows.objective_completions.some(
              (c) =>
                c.contact_id === e.contact_id &&
                c.objective_id === page.objective_id &&
                c.voided_at === null &&
                c.completed_at >= e.occurred_at &&
                c.completed_at < window.end,
            ),
          ),
      };
      return {
        ...{ page_id, template_id: page.template_id, name: page.name, views: viewed.length },
        unique_contacts: different(viewed.map((e) => e.contact_id)),
        cta_clicks: clicked.length,
        unique_clickers: different(clicked.map((e) => e.contact_id)),
        completions: different(completes[page.completion_rule]?.().map((e) => e.contact_id) ?? []),
      };
    });
    const rated = (row: any) => ({
      ...row,
      click_rate: share(row.unique_clickers, row.unique_contacts),
      completion_rate: share(row.completions, row.unique_contacts),
    });
    const total = (name: string) => add(pages.map((row: any) => row[name]));
    return {
      pages: ordered(pages.map(rated), 'views', (row) => row.page_id),
      truncated: false,
      totals: rated({
        views: total('views'),
        unique_contacts: total('unique_contacts'),
        cta_clicks: total('cta_clicks'),
        unique_clickers: total('unique_clickers'),
        completions: total('completions'),
      }),
    };
  },

  'added-value-by-time'(rows, window) {
    const led = completed(rows, window).filter((c) => c.attribution === 'journey');
    const value = (some: readonly any[]) => add(some.map((c) => c.value_cents));
    return {
      bucket: window.bucket,
      series: series(window, (from, to) => ({
        completions: between(led, 'completed_at', from, to).length,
        value_cents: value(between(led, 'completed_at', from, to)),
        cumulative_value_cents: value(between(led, 'completed_at', -Infinity, to)),
      })),
      total_completions: led.length,
      total_value_cents: value(led),
    };
  },

  'campaign-engagement'(rows, window) {
    const open = rows.journeys.filter(
      (j) =>
        !j.is_holdout &&
        j.enrolled_at < window.end &&
        (j.completed_at ?? j.exited_at ?? Infinity) >= window.start,
    );
    const events = people(rows, window).filter(
      (e) =>
        ['message.opened', 'message.clicked', 'contact.replied'].includes(e.kind) ||
        /^(page|widget)\./.test(e.kind),
    );
    const ids = new Set([...open, ...events].map((row) => row.template_id));
    ids.delete(null);
    const campaigns = [...ids].map((template_id) => {
      const template = byId(rows.templates, template_id);
      const own = events.filter((e) => e.template_id === template_id);
      const journeys = open.filter((j) => j.template_id === template_id);
      const contacts = new Set(journeys.map((j) => j.contact_id));
      const count = (test: (kind: string) => boolean) => own.filter((e) => test(e.kind)).length;
      const enrolled = journeys.length;
      const engaged = different(own.map((e) => e.contact_id).filter((id) => contacts.has(id)));
      return {
        ...{ template_id, name: template.name, status: template.status, enrolled, engaged },
        engagement_rate: share(engaged, enrolled),
        opens: count((kind) => kind === 'message.opened'),
        clicks: count((kind) => kind === 'message.clicked'),
        page_views: count((kind) => kind === 'page.viewed'),
        widget_interactions: count((kind) => kind.startsWith('widget.')),
        replies: count((kind) => kind === 'contact.replied'),
      };
    });
    const total = (name: string) => add(campaigns.map((row: any) => row[name]));
    return {
      campaigns: ordered(campaigns, 'engaged', (row) => row.template_id),
      truncated: false,
      totals: {
        enrolled: total('enrolled'),
        engaged: total('engaged'),
        engagement_rate: share(total('engaged'), total('enrolled')),
        ...{ opens: total('opens'), clicks: total('clicks'), page_views: total('page_views') },
        ...{ widget_interactions: total('widget_interactions'), replies: total('replies') },
      },
    };
  },

  'campaign-enrollment'(rows, window) {
    const all = rows.journeys.filter((j) => within(j.enrolled_at, window));
    const own = begun(rows, window);
    const sources = ['api', 'cohort', 'batch', 'ipaas', 'widget'];
    return {
      bucket: window.bucket,
      total_enrolled: own.length,
      unique_contacts: different(own.map((j) => j.contact_id)),
      by_source: Object.fromEntries(
        sources.map((source) => [source, own.filter((j) => j.enrolled_via === source).length]),
      ),
      campaigns: ordered(
        [...groups(all, (j) => j.template_id)].map(([template_id, journeys]) => ({
          template_id,
          name: byId(rows.templates, template_id).name,
          enrolled: journeys.filter((j) => !j.is_holdout).length,
          reenrolled: journeys.filter((j) => !j.is_holdout && j.seq > 1).length,
          holdout: journeys.filter((j) => j.is_holdout).length,
        })),
        'enrolled',
        (row) => row.template_id,
      ),
      truncated: false,
      series: series(window, (from, to) => ({
        enrolled: between(own, 'enrolled_at', from, to).length,
      })),
    };
  },

  'campaign-performance'(rows, window) {
    const rated = (row: any) => ({
      ...row,
      delivery_rate: share(row.delivered, row.reached),
      open_rate: share(row.opened, row.delivered),
      click_rate: share(row.clicked, row.delivered),
      completion_rate: share(row.completed_journeys, row.enrolled),
      value_cents_per_enrolled:
        row.enrolled === 0 ? null : Math.round(row.value_cents / row.enrolled),
    });
    const campaigns = [...groups(begun(rows, window), (j) => j.template_id)].map(
      ([template_id, journeys]) => {
        const ids = new Set(journeys.map((j) => j.id));
        const sends = rows.message_deliveries.filter((d) => ids.has(d.journey_id));
        const done = rows.objective_completions.filter(
          (c) => c.voided_at === null && ids.has(c.journey_id),
        );
        const contacts = (test: (send: any) => unknown) =>
          different(sends.filter(test).map((d) => d.contact_id));
        return {
          ...{ template_id, name: byId(rows.templates, template_id).name },
          enrolled: journeys.length,
          reached: contacts((d) => d.sent_at !== null),
          delivered: contacts((d) => d.delivered_at !== null),
          opened: contacts((d) => d.delivered_at !== null && d.first_opened_at !== null),
          clicked: contacts((d) => d.delivered_at !== null && d.first_clicked_at !== null),
          unsubscribed: contacts((d) => d.unsubscribed_at !== null),
          objectives_completed: done.length,
          completed_journeys: different(done.map((c) => c.journey_id)),
          value_cents: add(done.map((c) => c.value_cents)),
        };
      },
    );
    const names = ['enrolled', 'reached', 'delivered', 'opened', 'clicked', 'unsubscribed'];
    names.push('objectives_completed', 'completed_journeys', 'value_cents');
    const totals = Object.fromEntries(
      names.map((name) => [name, add(campaigns.map((row: any) => row[name]))]),
    );
    return {
      campaigns: ordered(campaigns.map(rated), 'enrolled', (row) => row.template_id),
      truncated: false,
      totals: rated(totals),
    };
  },

  'card-on-file-widget'(rows, window) {
    const events = ofWidget(rows, window, 'card_on_file');
    const count = (kind: string, of = events) => kindOf(of, `widget.${kind}`).length;
    const merchants = groups(events, (e) => e.properties?.merchant ?? null);
    return {
      bucket: window.bucket,
      loads: count('loaded'),
      unique_contacts: different(kindOf(events, 'widget.loaded').map((e) => e.visitor)),
      ...{ starts: count('started'), merchants_selected: count('submitted') },
      ...{ completed: count('completed'), failed: count('failed') },
      start_rate: share(count('started'), count('loaded')),
      completion_rate: share(count('completed'), count('started')),
      by_merchant: ordered(
        [...merchants].map(([merchant, own]) => ({
          ...{ merchant, started: count('started', own) + count('submitted', own) },
          ...{ completed: count('completed', own), failed: count('failed', own) },
        })),
        'completed',
        (row) => row.merchant,
      ),
      truncated: false,
      series: series(window, (from, to) => {
        const own = between(events, 'occurred_at', from, to);
        return { loads: count('loaded', own), completed: count('completed', own) };
      }),
    };
  },

  'enrollment-widget'(rows, window) {
    const events = ofWidget(rows, window, 'enrollment');
    const count = (kind: string, of = events) => kindOf(of, `widget.${kind}`).length;
    const enrolled = begun(rows, window).filter((j) => j.enrolled_via === 'widget');
    const figures = (own: readonly any[]) => ({
      loads: count('loaded', [...own]),
      unique_visitors: different(own.map((e) => e.visitor)),
      form_starts: count('started', [...own]),
      submissions: count('submitted', [...own]),
    });
    return {
      bucket: window.bucket,
      ...figures(events),
      enrolled: enrolled.length,
      duplicates: kindOf(events, 'widget.submitted').filter(
        (e) => e.properties?.outcome === 'duplicate',
      ).length,
      conversion_rate: share(enrolled.length, different(events.map((e) => e.visitor))),
      by_instance: ordered(
        [...groups(events, (e) => e.widget_instance_id)].map(([widget_instance_id, own]) => ({
          ...{ widget_instance_id, name: byId(rows.widget_instances, widget_instance_id).name },
          ...figures(own),
        })),
        'loads',
        (row) => row.widget_instance_id,
      ),
      truncated: false,
      series: series(window, (from, to) => {
        const own = between(events, 'occurred_at', from, to);
        return {
          loads: count('loaded', own),
          submissions: count('submitted', own),
          enrolled: between(enrolled, 'enrolled_at', from, to).length,
        };
      }),
    };
  },

  'mobile-app-widget'(rows, window) {
    const events = ofWidget(rows, window, 'mobile_app');
    const [loads, clicks] = [kindOf(events, 'widget.loaded'), kindOf(events, 'widget.submitted')];
    const objective = rows.objectives.find((o) => o.key === 'mobile-banking');
    const converted = clicks.filter((e) =>
      rows.objective_completions.some(
        (c) =>
          c.contact_id === e.contact_id &&
          c.objective_id === objective.id &&
          c.voided_at === null &&
          c.completed_at >= e.occurred_at &&
          c.completed_at - e.occurred_at <= objective.attribution_window_days * day,
      ),
    );
    const on = (platform: string) =>
      clicks.filter((e) => e.properties?.platform === platform).length;
    const [contacts, clickers] = [loads, clicks].map((own) => different(own.map((e) => e.visitor)));
    const conversions = different(converted.map((e) => e.contact_id));
    return {
      bucket: window.bucket,
      loads: loads.length,
      unique_contacts: contacts,
      store_clicks: clicks.length,
      by_platform: {
        ...{ ios: on('ios'), android: on('android') },
        other: clicks.length - on('ios') - on('android'),
      },
      click_rate: share(clickers ?? 0, contacts ?? 0),
      mobile_banking_completions: conversions,
      conversion_rate: share(conversions, clickers ?? 0),
      series: series(window, (from, to) => ({
        loads: between(loads, 'occurred_at', from, to).length,
        store_clicks: between(clicks, 'occurred_at', from, to).length,
      })),
    };
  },

  'opt-in-widget'(rows, window) {
    const events = ofWidget(rows, window, 'opt_in');
    const [granted, revoked] = [kindOf(events, 'opt_in.granted'), kindOf(events, 'opt_in.revoked')];
    const byChannel = (own: readonly any[]) =>
      Object.fromEntries(
        ['email', 'sms', 'push'].map((channel) => [
          channel,
          own.filter((e) => e.properties?.channel === channel).length,
        ]),
      );
    const visitors = different(events.map((e) => e.visitor));
    return {
      bucket: window.bucket,
      loads: kindOf(events, 'widget.loaded').length,
      unique_contacts: visitors,
      submissions: kindOf(events, 'widget.submitted').length,
      ...{ opt_ins: byChannel(granted), opt_outs: byChannel(revoked) },
      confirmed_double_opt_in: granted.filter((e) => e.properties?.confirmed === true).length,
      opt_in_rate: share(different(granted.map((e) => e.visitor)), visitors),
      series: series(window, (from, to) => ({
        loads: between(kindOf(events, 'widget.loaded'), 'occurred_at', from, to).length,
        opt_ins: between(granted, 'occurred_at', from, to).length,
        opt_outs: between(revoked, 'occurred_at', from, to).length,
      })),
    };
  },

  'objective-total-value'(rows, window) {
    const done = completed(rows, window);
    const value = (some: readonly any[]) => add(some.map((c) => c.value_cents));
    const led = (some: readonly any[]) => some.filter((c) => c.attribution === 'journey');
    const objectives = offered(rows, new Set(done.map((c) => c.objective_id))).map((o) => {
      const own = done.filter((c) => c.objective_id === o.id);
      return {
        ...{ objective_id: o.id, key: o.key, name: o.name, unit_value_cents: o.value_cents },
        completions: own.length,
        value_cents: value(own),
        attributed_value_cents: value(led(own)),
      };
    });
    return {
      objectives: ordered(objectives, 'value_cents', (row) => row.objective_id),
      truncated: false,
      total_completions: done.length,
      total_value_cents: value(done),
      attributed_value_cents: value(led(done)),
    };
  },

  'gap-analysis'(rows, window) {
    const pairs = eligible(rows, window);
    const objectives = offered(rows, new Set(pairs.map((pair) => pair.objective_id))).map((o) => {
      const own = pairs.filter((pair) => pair.objective_id === o.id);
      const done = own.filter((pair) => pair.done).length;
      return {
        ...{ objective_id: o.id, key: o.key, name: o.name, eligible: own.length, completed: done },
        gap: own.length - done,
        gap_rate: share(own.length - done, own.length),
        potential_value_cents: (own.length - done) * o.value_cents,
      };
    });
    const contacts = activeContacts(rows, window);
    const products = ['deposit', 'loan', 'credit', 'investment', 'other'].map((kind) => {
      const holders = contacts.filter((contact) =>
        rows.accounts.some(
          (a) =>
            a.contact_id === contact.id &&
            a.kind === kind &&
            a.deleted_at === null &&
            a.opened_at !== null &&
            a.opened_at < window.end &&
            (a.closed_at === null || a.closed_at >= window.end),
        ),
      ).length;
      return {
        ...{ kind, contacts_with: holders, contacts_without: contacts.length - holders },
        penetration_rate: share(holders, contacts.length),
      };
    });
    return {
      objectives: ordered(objectives, 'potential_value_cents', (row) => row.objective_id),
      truncated: false,
      products,
      totals: { potential_value_cents: add(objectives.map((row) => row.potential_value_cents)) },
    };
  },

  messages(rows, window) {
    const names = ['sent', 'delivered', 'bounced', 'failed', 'opened', 'opened_machine', 'clicked'];
    names.push('unsubscribed', 'complained');
    const sends = rows.message_deliveries.filter((d) => within(d.sent_at ?? d.failed_at, window));
    const figures = (own: readonly any[]) => {
      const count = (test: (send: any) => boolean) => own.filter(test).length;
      const isThere = (d: any) => d.delivered_at !== null;
      const row: Record<string, number> = {
        sent: count((d) => d.sent_at !== null),
        delivered: count(isThere),
        bounced: count((d) => d.status === 'bounced'),
        failed: count((d) => d.status === 'failed'),
        opened: count((d) => isThere(d) && d.first_opened_at !== null),
        opened_machine: count((d) => d.machine_open_count > 0),
        clicked: count((d) => isThere(d) && d.first_clicked_at !== null),
        unsubscribed: count((d) => d.unsubscribed_at !== null),
        complained: count((d) => d.complained_at !== null),
      };
      const rate = (part: string, whole: string) => share(row[part] ?? 0, row[whole] ?? 0);
      return {
        ...row,
        delivery_rate: rate('delivered', 'sent'),
        open_rate: rate('opened', 'delivered'),
        click_rate: rate('clicked', 'delivered'),
        click_to_open_rate: rate('clicked', 'opened'),
        bounce_rate: rate('bounced', 'sent'),
        complaint_rate: rate('complained', 'delivered'),
        unsubscribe_rate: rate('unsubscribed', 'delivered'),
      };
    };
    const reasons = ['no_consent', 'suppressed', 'missing_address', 'quiet_hours_expired'];
    reasons.push('frequency_cap', 'holdout', 'condition_false', 'objective_completed');
    reasons.push('template_paused_stale', 'deadline_passed', 'sender_not_verified');
    reasons.push('topic_unsubscribed');
    const skipped = rows.message_deliveries.filter((d) => within(d.inserted_at, window));
    return {
      channels: ['email', 'sms', 'push'].map((channel) => ({
        channel,
        ...figures(sends.filter((d) => d.channel === channel)),
      })),
      messages: ordered(
        [...groups(sends, (d) => d.message_id)].map(([message_id, own]) => {
          const { name, template_id, channel } = byId(rows.messages, message_id);
          const variants = [...groups(own, (d) => d.variant_key ?? '')].sort(([a], [b]) =>
            a < b ? -1 : 1,
          );
          const by_variant = variants.map(([key, sends]) => ({
            ...(key !== '' && { variant_key: key }),
            ...figures(sends),
          }));
          const isVaried = variants.some(([key]) => key !== '');
          return {
            ...{ message_id, name, template_id, channel, ...figures(own) },
            by_variant: isVaried ? by_variant : [],
          };
        }),
        'sent',
        (row) => row.message_id,
      ),
      truncated: false,
      topics: ordered(
        [...groups(sends, (d) => byId(rows.messages, d.message_id).topic_id)].flatMap(
          ([topic_id, own]) =>
            topic_id === null
              ? []
              : [{ topic_id, name: byId(rows.topics, topic_id).name, ...figures(own) }],
        ),
        'sent',
        (row) => row.topic_id,
      ),
      skipped_by_reason: Object.fromEntries(
        reasons.map((reason) => [reason, skipped.filter((d) => d.skip_reason === reason).length]),
      ),
      totals: figures(sends),
    };
  },

  'objective-completion-rate'(rows, window) {
    const pairs = begun(rows, window).flatMap((j) =>
      rows.template_objectives
        .filter((t) => t.template_id === j.template_id)
        .map((t) => {
          const o = byId(rows.objectives, t.objective_id);
          const stamps = rows.objective_completions
            .filter(
              (c) =>
                c.contact_id === j.contact_id &&
                c.objective_id === o.id &&
                c.voided_at === null &&
                c.completed_at >= j.enrolled_at &&
                c.completed_at - j.enrolled_at <= o.attribution_window_days * day,
            )
            .map((c) => c.completed_at);
          const days = stamps.length > 0 ? (Math.min(...stamps) - j.enrolled_at) / day : undefined;
          return { objective_id: o.id, enrolled_at: j.enrolled_at, days };
        }),
    );
    const figures = (own: readonly any[]) => {
      const days = own.flatMap((pair) => (pair.days === undefined ? [] : [pair.days]));
      const near = (value: number | null) => (value === null ? null : round(value));
      return {
        journeys: own.length,
        completed: days.length,
        completion_rate: share(days.length, own.length),
        median_days_to_complete: near(quantile(days, 0.5)),
        p90_days: near(quantile(days, 0.9)),
      };
    };
    return {
      bucket: window.bucket,
      objectives: ordered(
        [...groups(pairs, (pair) => pair.objective_id)].map(([objective_id, own]) => {
          const { key, name } = byId(rows.objectives, objective_id);
          return { objective_id, key, name, ...figures(own) };
        }),
        'journeys',
        (row) => row.objective_id,
      ),
      truncated: false,
      overall: figures(pairs),
      series: series(window, (from, to) => {
        const {
          journeys,
          completed: done,
          completion_rate,
        } = figures(between(pairs, 'enrolled_at', from, to));
        return { journeys, completed: done, rate: completion_rate };
      }),
    };
  },

  'objective-content'(rows, window) {
    const contentOf = (e: any) => e.message_id ?? e.page_id ?? e.landing_page_id;
    const typeOf = (e: any) =>
      e.message_id !== null ? 'message' : e.page_id !== null ? 'page' : 'landing_page';
    const touching = [
      ...['message.delivered', 'message.opened', 'message.clicked', 'page.viewed'],
      ...['page.cta_clicked', 'page.form_submitted', 'landing_page.viewed'],
      'landing_page.cta_clicked',
    ];
    const touches = completed(rows, window).flatMap((c) => {
      const objective = byId(rows.objectives, c.objective_id);
      const earliest = c.completed_at - objective.attribution_window_days * day;
      const [last] = rows.engagement_events
        .filter(
          (e) =>
            e.contact_id === c.contact_id &&
            !e.is_machine &&
            e.occurred_at <= c.completed_at &&
            e.occurred_at >= earliest &&
            touching.includes(e.kind) &&
            contentOf(e) !== null,
        )
        .sort((a, b) => b.occurred_at - a.occurred_at || (a.id < b.id ? 1 : -1));
      return last
        ? [{ objective_id: c.objective_id, type: typeOf(last), id: contentOf(last) }]
        : [];
    });
    const seen = people(rows, window);
    const contacts = (id: string, kinds: readonly string[]) =>
      different(
        seen.filter((e) => contentOf(e) === id && kinds.includes(e.kind)).map((e) => e.contact_id),
      );
    const objectives = [...groups(touches, (touch) => touch.objective_id)].map(
      ([objective_id, own]) => ({
        objective_id,
        key: byId(rows.objectives, objective_id).key,
        content: ordered(
          [...groups(own, (touch) => touch.id)].map(([id, last]) => {
            const exposed = contacts(id, [
              ...['message.delivered', 'page.viewed', 'landing_page.viewed'],
            ]);
            return {
              content_type: last[0].type,
              id,
              name: [...rows.messages, ...rows.pages, ...rows.landing_pages].find(
                (one) => one.id === id,
              ).name,
              exposed,
              clicked: contacts(id, [
                ...['message.clicked', 'page.cta_clicked', 'landing_page.cta_clicked'],
              ]),
              completions_last_touch: last.length,
              completion_rate: share(last.length, exposed),
            };
          }),
          'completions_last_touch',
          (row) => row.id,
        ),
      }),
    );
    return { objectives: objectives.sort((a, b) => (a.key < b.key ? -1 : 1)) };
  },

  'overall-number-of-campaigns'(rows, window) {
    const statuses = ['draft', 'scheduled', 'launched', 'paused', 'archived', 'expired'];
    const statusAt = (id: string, at: number) =>
      rows.template_status_changes
        .filter((s) => s.template_id === id && s.occurred_at < at)
        .sort((a, b) => b.sequence - a.sequence)[0]?.to_status ?? 'draft';
    const countAt = (status: string, at: number) =>
      rows.templates.filter(
        (t) => t.deleted_at === null && t.inserted_at < at && statusAt(t.id, at) === status,
      ).length;
    const changes = rows.template_status_changes.filter((s) => within(s.occurred_at, window));
    const to = (status: string) => changes.filter((s) => s.to_status === status);
    const launches = to('launched').filter((s) => s.action === 'launch');
    return {
      bucket: window.bucket,
      total: rows.templates.filter((t) => t.inserted_at < window.end).length,
      by_status: Object.fromEntries(
        statuses.map((status) => [status, countAt(status, window.end)]),
      ),
      launched_in_period: launches.length,
      archived_in_period: to('archived').length,
      expired_in_period: to('expired').length,
      active_at_end: countAt('launched', window.end),
      series: series(window, (from, end) => ({
        active: countAt('launched', Math.min(end, window.end)),
        launched: between(launches, 'occurred_at', from, end).length,
      })),
    };
  },

  'value-of-opened-products'(rows, window) {
    const accounts = openedAccounts(rows, window);
    const totals = productFigures(accounts);
    return {
      products: ordered(
        [...groups(accounts, (a) => `${a.kind} ${a.product_id ?? ''}`)].map(([, own]) => ({
          kind: own[0].kind,
          ...(own[0].product_id !== null && { product_id: own[0].product_id }),
          ...productFigures(own),
          share: share(productFigures(own).balance_cents, totals.balance_cents),
        })),
        'balance_cents',
        (row) => `${row.kind} ${row.product_id ?? ''}`,
      ),
      truncated: false,
      totals,
    };
  },

  'total-value-of-opened-products'(rows, window) {
    const accounts = openedAccounts(rows, window);
    const { balance_cents: total_balance_cents, ...figures } = productFigures(accounts);
    return {
      bucket: window.bucket,
      total_balance_cents,
      ...figures,
      series: series(window, (from, to) => {
        const { accounts_opened, balance_cents } = productFigures(
          between(accounts, 'opened_at', from, to),
        );
        return { accounts_opened, balance_cents };
      }),
    };
  },

  performance(rows, window) {
    const length = window.end - window.start;
    const earlier = { ...window, start: window.start - length, end: window.start };
    const figures = (of: Window) => {
      const engagement = judges['campaign-engagement']?.(rows, of).totals;
      const campaigns = judges['campaign-performance']?.(rows, of).totals;
      const sent = judges['messages']?.(rows, of).totals;
      const value = judges['objective-total-value']?.(rows, of);
      const accounts = productFigures(openedAccounts(rows, of));
      return {
        contacts: activeContacts(rows, of).length,
        enrolled: begun(rows, of).length,
        reached: campaigns.reached,
        engaged: engagement.engaged,
        engagement_rate: engagement.engagement_rate,
        messages_delivered: sent.delivered,
        clicks: sent.clicked,
        completions: value.total_completions,
        completion_rate: campaigns.completion_rate,
        value_cents: value.total_value_cents,
        accounts_opened: accounts.accounts_opened,
        opened_balance_cents: accounts.balance_cents,
      };
    };
    const [current, previous]: any[] = [figures(window), figures(earlier)];
    const change = Object.fromEntries(
      Object.keys(current).map((name) => [
        name,
        current[name] === null || previous[name] === null
          ? null
          : share(current[name] - previous[name], previous[name]),
      ]),
    );
    return { current, previous, change };
  },

  drivers(rows, window) {
    const journeys = rows.journeys
      .filter((j) => within(j.enrolled_at, window))
      .map((j) => {
        const stamps = rows.objective_completions
          .filter((c) => c.journey_id === j.id && c.voided_at === null)
          .map((c) => c.completed_at);
        return { ...j, done_at: stamps.length > 0 ? Math.min(...stamps) : Infinity };
      });
    const groupOf = (own: readonly any[]) => ({
      contacts: different(own.map((j) => j.contact_id)),
      completion_rate: share(own.filter((j) => j.done_at < Infinity).length, own.length),
    });
    const base = journeys.filter((j) => !j.is_holdout);
    const holdout = journeys.filter((j) => j.is_holdout);
    const exposures = new Map<string, Set<any>>();
    const expose = (dimension: string, id: string | null, journey: any) => {
      if (id === null) return;
      const key = `${dimension} ${id}`;
      exposures.set(key, (exposures.get(key) ?? new Set()).add(journey));
    };
    for (const j of base) {
      expose('cohort', j.cohort_id, j);
      expose('entry', j.enrolled_via, j);
      for (const e of rows.engagement_events) {
        if (e.journey_id !== j.id || e.is_machine || e.occurred_at < window.start) continue;
        if (e.occurred_at >= j.done_at || /^(journey|objective)\./.test(e.kind)) continue;
        expose('message', e.message_id, j);
        expose('page', e.page_id, j);
        expose('widget', e.widget_instance_id, j);
        if (['email', 'sms', 'push', 'web'].includes(e.channel)) expose('channel', e.channel, j);
      }
    }
    const named = [...rows.messages, ...rows.pages, ...rows.widget_instances, ...rows.cohorts];
    const found = [...exposures].flatMap(([key, exposed]) => {
      const [dimension = '', id = ''] = key.split(' ');
      const others = base.filter((j) => !exposed.has(j));
      if (exposed.size < 30 || others.length < 30) return [];
      const hits = (own: readonly any[]) => own.filter((j) => j.done_at < Infinity).length;
      const [p, q] = [hits([...exposed]) / exposed.size, hits(others) / others.length];
      return {
        ...{ dimension, id, label: named.find((one) => one.id === id)?.name ?? id },
        exposed: exposed.size,
        ...{ exposed_rate: round(p), unexposed_rate: round(q) },
        lift: q === 0 ? null : round((p - q) / q),
        lift_pp: round((p - q) * 100),
      };
    });
    return {
      outcome: 'objective.completed',
      baseline: groupOf(base),
      holdout: holdout.length > 0 ? groupOf(holdout) : null,
      drivers: ordered(found, 'lift_pp', (row) => `${row.dimension} ${row.id}`),
      truncated: false,
      minimum_sample: 30,
    };
  },
};

function openedAccounts(rows: Rows, window: Window) {
  return rows.accounts
    .filter((a) => a.deleted_at === null && within(a.opened_at, window))
    .map((a) => ({
      ...a,
      isLed: rows.journeys.some(
        (j) =>
          j.contact_id === a.contact_id &&
          !j.is_holdout &&
          j.enrolled_at <= a.opened_at &&
          j.enrolled_at >= a.opened_at - 90 * day,
      ),
    }));
}

function productFigures(accounts: readonly any[]) {
  const balance = (own: readonly any[]) => add(own.map((a) => a.balance_cents ?? 0));
  const led = accounts.filter((a) => a.isLed);
  return {
    accounts_opened: accounts.length,
    balance_cents: balance(accounts),
    average_balance_cents:
      accounts.length === 0 ? null : Math.round(balance(accounts) / accounts.length),
    attributed_accounts: led.length,
    attributed_balance_cents: balance(led),
  };
}
