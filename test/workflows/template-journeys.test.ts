import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { aCompleteTemplate, aLaunchedTemplate, at } from '../campaigns/a-template.ts';
import { aReader, aSendingTemplate, anEmail } from '../journeys/a-send.ts';
import type { TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { useService } from '../support/use-service.ts';
import { jobId } from '../../src/platform/jobs/shape.ts';
import { templateJob } from '../../workflows/jobs.ts';

const { api, temporal } = useService();
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
});

const handleOf = (id: string) => temporal.handleOf(jobId(templateJob, id));
const aContact = async (): Promise<string> =>
  (await team.post('/v2/partner/contacts', { unique_id: randomUUID() })).body.id;
async function aList(...contact_ids: string[]): Promise<string> {
  const made = await team.post('/v2/partner/cohorts', { name: randomUUID(), kind: 'static' });
  await add(made.body.id, ...contact_ids);
  return made.body.id;
}
const add = async (cohort: string, ...contact_ids: string[]) => {
  if (contact_ids.length === 0) return;
  const path = `/v2/partner/cohorts/${cohort}/members/add`;
  expect((await team.post(path, { contact_ids })).status).toBe(200);
};
/** A list with so many contacts, made by the database. */
async function aLargeList(count: number): Promise<string> {
  const list = await aList();
  await api.db.look(
    (sql) => sql`
    with made as (
      insert into contacts (team_id, id, unique_id, consents)
      select ${team.id}, gen_random_uuid(), gen_random_uuid()::text,
        '{"email": {"status": "never"}, "sms": {"status": "never"}, "push": {"status": "never"}}'
      from generate_series(1, ${count}::int)
      returning id
    ),
    joined as (
      insert into cohort_members (team_id, cohort_id, contact_id)
      select ${team.id}, ${list}, id from made
    )
    update cohorts set member_count = ${count} where id = ${list} returning id`,
  );
  return list;
}
const countsOf = async (template: string) => {
  const [row] = await api.db.look(
    (sql) => sql<{ journeys: number; contacts: number; open: number; told: number }[]>`
      select count(*)::int as journeys, count(distinct contact_id)::int as contacts,
        count(*) filter (where status in ('scheduled', 'active', 'paused'))::int as open,
        (select count(*)::int from engagement_events e
         where e.team_id = ${team.id} and e.template_id = ${template}
           and e.kind = 'journey.enrolled') as told
      from journeys where team_id = ${team.id} and template_id = ${template}`,
  );
  if (!row) throw new Error('no counts');
  return row;
};
const shown = async (template: string) => (await team.get(at(template))).body;
const untilEnrolled = (template: string, count: number) =>
  eventually(
    () => countsOf(template),
    ({ journeys }) => journeys >= count,
  );

/** Nothing is left to do for the workflow of the template: it waits for its next timer. */
const rests = (id: string) =>
  eventually(async () => {
    const { events } = await handleOf(id).fetchHistory();
    const last = (name: 'timerStartedEventAttributes' | 'activityTaskScheduledEventAttributes') =>
      events?.findLastIndex((event) => event[name]) ?? -1;
    return last('timerStartedEventAttributes') > last('activityTaskScheduledEventAttributes');
  }, Boolean);

describe('a launch that enrolls the members of cohorts', () => {
  test('enrolls each member once, except those of exclusion cohorts and later members', async () => {
    const [both, first, kept, late] = [
      await aContact(),
      await aContact(),
      await aContact(),
      await aContact(),
    ];
    const cohort = await aList(first, both, kept);
    const template = await aLaunchedTemplate(team, {
      entry: 'on_launch_snapshot',
      target_cohort_ids: [cohort, await aList(both)],
      exclusion_cohort_ids: [await aList(kept)],
    });
    await untilEnrolled(template, 2);
    await add(cohort, late);
    await rests(template);
    expect(await countsOf(template)).toMatchObject({ journeys: 2, contacts: 2, told: 2 });
    const { body } = await team.get(at(template, '/journeys'));
    expect(new Set(body.data.map((one: any) => one.contact_id))).toEqual(new Set([both, first]));
    expect(body.data[0]).toMatchObject({ enrolled_via: 'cohort', cohort_id: cohort });
  });

  test('needs cohorts whose members are known', async () => {
    const made = await team.post('/v2/partner/cohorts', {
      ...{ name: randomUUID(), kind: 'dynamic', evaluation_mode: 'on_demand' },
      definition: { field: 'contact.locale', op: 'eq', value: 'xx' },
    });
    const template = await aCompleteTemplate(team, {
      entry: 'on_launch_snapshot',
      target_cohort_ids: [made.body.id],
    });
    const refused = await team.post(at(template, '/launch'));
    expect(refused.status).toBe(422);
    expect(refused.body.errors[0].meta.missing).toEqual([`target_cohorts/${made.body.id}`]);
  });

  test('stops while it is paused, and continues at its position', async () => {
    const list = await aLargeList(1_500);
    const template = await aLaunchedTemplate(team, {
      entry: 'on_launch_snapshot',
      target_cohort_ids: [list],
    });
    await untilEnrolled(template, 1);
    expect((await team.post(at(template, '/pause'))).status).toBe(200);
    const { journeys } = await countsOf(template);
    // The work of the workflow for another template shows that it did none for this one.
    const other = await aLaunchedTemplate(team, {
      entry: 'on_launch_snapshot',
      target_cohort_ids: [await aList(await aContact())],
    });
    await untilEnrolled(other, 1);
    expect((await countsOf(template)).journeys).toBe(journeys);
    await team.post(at(template, '/resume'));
    await untilEnrolled(template, 1_500);
    expect(await countsOf(template)).toMatchObject({ journeys: 1_500, contacts: 1_500 });
  });
});

describe('a template that enrolls on entry into a cohort', () => {
  test('enrolls new members after the launch, and not during a pause', async () => {
    const [before, first, second, gone] = [
      await aContact(),
      await aContact(),
      await aContact(),
      await aContact(),
    ];
    const cohort = await aList(before);
    const template = await aLaunchedTemplate(team, {
      entry: 'on_cohort_entry',
      target_cohort_ids: [cohort],
    });
    await add(cohort, first);
    await untilEnrolled(template, 1);
    await team.post(at(template, '/pause'));
    await add(cohort, second, gone);
    const remove = `/v2/partner/cohorts/${cohort}/members/remove`;
    await team.post(remove, { contact_ids: [gone] });
    expect((await countsOf(template)).journeys).toBe(1);
    await team.post(at(template, '/resume'));
    await untilEnrolled(template, 2);
    await rests(template);
    const { body } = await team.get(at(template, '/journeys'));
    expect(new Set(body.data.map((one: any) => one.contact_id))).toEqual(new Set([first, second]));
  });

  test('follows a cohort that follows every change', async () => {
    const made = await team.post('/v2/partner/cohorts', {
      ...{ name: randomUUID(), kind: 'dynamic' },
      definition: { field: 'contact.locale', op: 'eq', value: 'fi' },
    });
    await eventually(
      async () => (await team.get(`/v2/partner/cohorts/${made.body.id}`)).body,
      ({ evaluation_status: status }) => status === 'ready',
    );
    const template = await aLaunchedTemplate(team, {
      entry: 'on_cohort_entry',
      target_cohort_ids: [made.body.id],
    });
    const contact = await aContact();
    await team.patch(`/v2/partner/contacts/${contact}`, { locale: 'fi' });
    await untilEnrolled(template, 1);
    const { body } = await team.get(at(template, '/journeys'));
    expect(body.data).toMatchObject([{ contact_id: contact, cohort_id: made.body.id }]);
  });
});

describe('journeys end with their template', () => {
  const enrolledIn = async (template: string) => {
    const contact_id = await aContact();
    return (await team.post(at(template, '/enrollments'), { contact_id })).body.id as string;
  };
  const journeyOf = async (id: string) => (await team.get(`/v2/partner/journeys/${id}`)).body;
  const ended = (id: string, status: string) =>
    eventually(
      () => journeyOf(id),
      (journey) => journey.status === status,
    );
  const explainedEnd = async (id: string) => {
    const { body } = await team.get(`/v2/partner/journeys/${id}/explain`);
    return [body.journey_status, body.exit_reason];
  };

  test('when it expires, by its deadline or by request', async () => {
    const template = await aLaunchedTemplate(team);
    const journey = await enrolledIn(template);
    const deadline_at = new Date(Date.now() + 5_000).toISOString();
    await team.patch(at(template), { deadline_at });
    expect(await ended(journey, 'expired')).toMatchObject({ exit_reason: 'deadline', deadline_at });
    expect(await explainedEnd(journey)).toEqual(['expired', 'deadline']);
    const told = await team.get('/v2/partner/engagement-events?filter[kind]=journey.expired');
    expect(told.body.data).toMatchObject([{ journey_id: journey, source: 'system' }]);
    expect(await shown(template)).toMatchObject({ status: 'expired', active_journey_count: 0 });
    const other = await aLaunchedTemplate(team);
    const second = await enrolledIn(other);
    await team.post(at(other, '/expire'));
    await ended(second, 'expired');
    await handleOf(other).result();
  });

  test('when it is archived; a journey that was canceled before stays so', async () => {
    const template = await aLaunchedTemplate(team);
    const [open, canceled] = [await enrolledIn(template), await enrolledIn(template)];
    await team.post(`/v2/partner/journeys/${canceled}/cancel`);
    await team.post(at(template, '/pause'));
    await team.post(at(template, '/archive'));
    expect(await ended(open, 'exited')).toMatchObject({ exit_reason: 'template_archived' });
    expect(await explainedEnd(open)).toEqual(['exited', 'template_archived']);
    expect((await journeyOf(canceled)).status).toBe('canceled');
  });

  test('and messages that came due during a pause are held, and sent once after the resume', async () => {
    const reminder = { ...anEmail, trigger: { kind: 'delay', delay: 'P1D' } };
    const { id: template } = await aSendingTemplate(team, [reminder]);
    const contact_id = await aReader(team);
    const { body } = await team.post(at(template, '/enrollments'), { contact_id });
    const look = async () => {
      const [row] = await api.db.look(
        (sql) => sql<{ status: string; was_due_when_paused: boolean; next_due_at: Date | null }[]>`
          select status, was_due_when_paused, next_due_at from journeys where id = ${body.id}`,
      );
      return row;
    };
    await eventually(look, (row) => row?.status === 'active');
    await team.post(at(template, '/pause'));
    // A day passes.
    await api.db.look(
      (sql) => sql`
        update journeys
        set next_due_at = now(), scheduled_steps = (
          select jsonb_object_agg(key, jsonb_build_object('due_at', now())) from jsonb_each(scheduled_steps))
        where id = ${body.id} returning id`,
    );
    const held = await eventually(look, (row) => row?.was_due_when_paused === true);
    expect(held?.next_due_at).toBeNull();
    const sends = `/v2/partner/message-deliveries?filter[journey_id]=${String(body.id)}`;
    expect((await team.get(sends)).body.data).toEqual([]);
    await team.post(at(template, '/resume'));
    const { data } = await eventually(
      async () => (await team.get(sends)).body,
      (page) => page.data[0]?.status === 'sent',
    );
    expect(data).toHaveLength(1);
    expect(await look()).toMatchObject({
      status: 'active',
      was_due_when_paused: false,
      next_due_at: null,
    });
  });
});

test('the members of a cohort are enrolled by an execution, which counts them', async () => {
  const [one, two] = [await aContact(), await aContact()];
  const cohort_id = await aList(one, two);
  const template = await aLaunchedTemplate(team);
  await team.post(at(template, '/enrollments'), { contact_id: one });
  const accepted = await team.post(at(template, '/enrollments'), { cohort_id });
  expect(accepted.status).toBe(202);
  const location = accepted.headers.get('location') ?? '';
  expect(location).toMatch(
    new RegExp(`^/v2/partner/templates/[0-9a-f-]{36}/enrollment-executions/${accepted.body.id}$`),
  );
  const done = await eventually(
    async () => (await team.get(location)).body,
    ({ status }) => !['queued', 'running'].includes(status),
  );
  expect(done).toMatchObject({ status: 'succeeded', operation_kind: 'templates.enroll_cohort' });
  const result = await team.get(`/v2/ipaas/executions/${accepted.body.id}/result`);
  expect(result.body.data).toMatchObject([{ output: { seen: 2, enrolled: 1 } }]);
  expect(await countsOf(template)).toMatchObject({ journeys: 2, contacts: 2 });
});
