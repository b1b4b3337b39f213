import { beforeEach, expect, test } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { maxWatches } from '../../src/journeys/watches/rules.ts';
import { searchAttributes } from '../../src/platform/temporal/search-attributes.ts';
import type { TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { detailsNow, detailsOf, useService } from '../support/use-service.ts';
import { aLaunchedTemplate, codesOf } from '../campaigns/a-template.ts';
import { aJourneyIn } from '../journeys/a-journey.ts';
import { aReader, aSendingTemplate, aText, anEmail, enrolled } from '../journeys/a-send.ts';
import { changedSignal, jobId } from '../../src/platform/jobs/shape.ts';
import { journeyJob } from '../../workflows/jobs.ts';

const { api, temporal } = useService();
let team: TestTeam;
let templateId: string;

beforeEach(async () => {
  team = await api.newTeam();
  templateId = await aLaunchedTemplate(team);
});

const handleOf = (id: string): WorkflowHandle => temporal.handleOf(jobId(journeyJob, id));
const pathOf = (id: string) => `/v2/partner/journeys/${id}`;

const leaseLanes = (until: string) =>
  api.db.look((sql) => sql`update journey_lanes set leased_until = ${until}::timestamptz`);

test('a watched journey has a workflow that shows it until it ends', async () => {
  const journey = await aJourneyIn(api, team, templateId);
  const watched = await team.post(`${pathOf(journey.id)}/watch`);
  expect([watched.status, watched.body]).toEqual([
    200,
    { journey_id: journey.id, watched_until: expect.any(String) },
  ]);
  const details = await detailsOf(
    handleOf(journey.id),
    'The journey is active, its template is launched.',
  );
  expect(details).toContain('0 messages decided. No step is scheduled.');
  const described = await handleOf(journey.id).describe();
  expect(described.memo).toMatchObject({ teamId: team.id, resource: pathOf(journey.id) });
  expect(described.typedSearchAttributes.get(searchAttributes.templateId)).toBe(templateId);
  await team.post(`${pathOf(journey.id)}/pause`);
  await handleOf(journey.id).signal(changedSignal);
  await detailsOf(handleOf(journey.id), 'The journey is paused');
  await team.post(`${pathOf(journey.id)}/cancel`);
  await handleOf(journey.id).signal(changedSignal);
  expect(await handleOf(journey.id).result()).toEqual({ outcome: 'canceled', decided: 0 });
  const late = await team.post(`${pathOf(journey.id)}/watch`);
  expect([late.status, codesOf(late.body)]).toEqual([409, ['journey_not_open']]);
});

test('the end of a watch ends its workflow, and not the journey', async () => {
  const journey = await aJourneyIn(api, team, templateId);
  await team.post(`${pathOf(journey.id)}/watch`);
  await detailsOf(handleOf(journey.id), 'The journey is active');
  expect((await team.delete(`${pathOf(journey.id)}/watch`)).status).toBe(204);
  expect(await handleOf(journey.id).result()).toEqual({ outcome: 'unwatched', decided: 0 });
  expect(await detailsNow(handleOf(journey.id))).toContain(
    'Nobody watches it any more; this view has ended, and the journey goes on.',
  );
  expect((await team.delete(`${pathOf(journey.id)}/watch`)).status).toBe(204);
  expect((await team.get(pathOf(journey.id))).body.status).toBe('active');
});

test('a journey with a step long overdue is watched by itself, until the step is made', async () => {
  const journey = await aJourneyIn(api, team, templateId);
  // As if a worker held the lanes and did nothing.
  await leaseLanes('infinity');
  await api.db.look(
    (sql) => sql`
      update journeys set next_due_at = now() - interval '11 minutes' where id = ${journey.id}`,
  );
  await detailsOf(handleOf(journey.id), 'It is overdue.');
  await leaseLanes('-infinity');
  await eventually(
    async () => (await team.get(pathOf(journey.id))).body,
    ({ next_action }) => next_action === undefined,
  );
  // It stays for ten minutes at least.
  await handleOf(journey.id).signal(changedSignal);
  await detailsOf(
    handleOf(journey.id),
    'The journey is active, its template is launched. 0 messages',
  );
  expect((await handleOf(journey.id).describe()).status.name).toBe('RUNNING');
  await api.db.look(
    (sql) => sql`update journey_watches set watched_until = watched_until - interval '11 minutes'`,
  );
  await handleOf(journey.id).signal(changedSignal);
  expect((await handleOf(journey.id).result()).outcome).toBe('recovered');
});

test('a team watches no more than its share, which others do not use up', async () => {
  const journey = await aJourneyIn(api, team, templateId);
  await api.db.look(
    (sql) => sql`
      with made as (
        insert into journeys
          (team_id, template_id, template_version, contact_id, status, started_at, enrolled_via)
        select t.team_id, t.id, t.template_version, gen_random_uuid(), 'active', now(), 'api'
        from templates t, generate_series(1, ${maxWatches})
        where t.team_id = ${team.id} and t.id = ${templateId}
        returning team_id, id
      )
      insert into journey_watches (team_id, journey_id, reason, watched_until)
      select team_id, id, 'requested', now() + interval '1 day' from made`,
  );
  const refused = await team.post(`${pathOf(journey.id)}/watch`);
  expect([refused.status, codesOf(refused.body)]).toEqual([422, ['quota_exceeded']]);

  const other = await api.newTeam();
  const others = await aJourneyIn(api, other, await aLaunchedTemplate(other));
  expect((await other.post(`${pathOf(others.id)}/watch`)).status).toBe(200);
});

// Last: the lanes go on for a moment after it, and would make the overdue step of the other test.
test('the details of a watched journey name its next step, as the explanation does', async () => {
  const name = 'Day 3 `![](https://evil.example)`';
  const later = { ...anEmail, name, trigger: { kind: 'delay', delay: 'P3D' } };
  const onPage = { ...aText, trigger: { kind: 'on_event', event_kind: 'page.viewed' } };
  const template = await aSendingTemplate(team, [later, onPage]);
  const [id = ''] = await enrolled(team, template, [await aReader(team)]);
  await eventually(
    async () => (await team.get(pathOf(id))).body,
    ({ status }) => status === 'active',
  );
  await team.post(`${pathOf(id)}/watch`);
  const details = await detailsOf(handleOf(id), 'The next step is due at');
  const { body: explained } = await team.get(`${pathOf(id)}/explain`);
  const [step] = explained.messages;
  expect(step).toMatchObject({ name, state: 'waiting' });
  // In code, where nothing of the name is Markdown.
  expect(details).toContain(
    `The next step is due at ${String(step.due_at)}: the email message ` +
      `\`Day 3  ![](https://evil.example) \` (${String(step.message_id)}), 3 days after the ` +
      'enrollment. 1 message waits for an event or a page.',
  );
  expect(details).not.toContain('Ada');
  await team.post(`${pathOf(id)}/pause`);
  await handleOf(id).signal(changedSignal);
  await detailsOf(handleOf(id), 'It is paused: nothing is sent before it is resumed.');
});
