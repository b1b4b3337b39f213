import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { searchAttributes } from '../../src/platform/temporal/search-attributes.ts';
import type { TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { useService } from '../support/use-service.ts';
import { recordHistory } from '../support/histories.ts';
import { jobId } from '../../src/platform/jobs/shape.ts';
import { cohortJob } from '../../workflows/jobs.ts';

// With RECORD_HISTORIES=1 the runs below are stored under test/histories.
const { api, temporal } = useService();
let team: TestTeam;
const path = '/v2/partner/cohorts';

beforeAll(async () => {
  team = await api.newTeam();
});

const rule = (locale: string) => ({ field: 'contact.locale', op: 'eq', value: locale });

async function aCohort(locale: string) {
  const made = await team.post(path, {
    name: randomUUID(),
    kind: 'dynamic',
    evaluation_mode: 'scheduled',
    definition: rule(locale),
  });
  const id = String(made.body.id);
  const get = async () => (await team.get(`${path}/${id}`)).body;
  return {
    id,
    get,
    handle: temporal.handleOf(jobId(cohortJob, id)),
    ready: (version: number) =>
      eventually(
        get,
        ({ evaluation_status, definition_version }) =>
          evaluation_status === 'ready' && definition_version === version,
      ),
  };
}

test('a scheduled cohort sleeps in a workflow until it is due, and ends with its schedule', async () => {
  const cohort = await aCohort('en');
  await cohort.ready(1);
  expect((await cohort.handle.describe()).status.name).toBe('RUNNING');
  await team.patch(`${path}/${cohort.id}`, { definition: rule('de') });
  await cohort.ready(2);
  await team.post(`${path}/${cohort.id}/archive`);
  expect(await cohort.handle.result()).toEqual({ outcome: 'archived', members: 0 });
  const { typedSearchAttributes: shown } = await cohort.handle.describe();
  expect(shown.get(searchAttributes.outcome)).toBe('archived');
  await recordHistory(cohort.handle, 'run-job/waited');
});

test('a cohort that cannot be evaluated has failed, retains its members and is retried', async () => {
  const contact = await team.post('/v2/partner/contacts', { unique_id: 'x', locale: 'fi' });
  const cohort = await aCohort('fi');
  expect((await cohort.ready(1)).member_count).toBe(1);
  await api.db.look((sql) =>
    sql.unsafe(`alter table cohort_members add constraint refused check (false) not valid`),
  );
  await team.post('/v2/partner/contacts', { unique_id: 'y', locale: 'fi' });
  await team.patch(`${path}/${cohort.id}`, { refresh_interval_seconds: 300 });
  const failed = await eventually(cohort.get, (row) => row.evaluation_status === 'failed');
  expect(failed).toMatchObject({ member_count: 1, last_error: expect.stringContaining('failed') });
  const members = await team.get(`${path}/${cohort.id}/members`);
  expect(members.body.data.map(({ contact_id }: any) => contact_id)).toEqual([contact.body.id]);

  await api.db.look((sql) => sql.unsafe(`alter table cohort_members drop constraint refused`));
  await team.patch(`${path}/${cohort.id}`, { refresh_interval_seconds: 600 });
  expect((await cohort.ready(1)).member_count).toBe(2);
  await team.delete(`${path}/${cohort.id}`);
  expect(await cohort.handle.result()).toEqual({ outcome: 'deleted', members: 0 });
});
