import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { newKeyFile } from '../../src/platform/auth/keyring.ts';
import { aLaunchedTemplate, at } from '../campaigns/a-template.ts';
import { startTestApi } from '../support/api.ts';
import { environmentNames, required } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import { newNamespace } from '../support/worker.ts';
import { startChildWorker } from '../webhooks/a-worker.ts';

const members = 3_000;

test('a launch enrolls each contact once despite a kill of its worker', async () => {
  const settings = { ONWARD_KEYS: JSON.stringify(newKeyFile()) };
  const api = await startTestApi(settings);
  const addresses = {
    ...settings,
    TEMPORAL_ADDRESS: required(environmentNames.temporalAddress),
    TEMPORAL_NAMESPACE: await newNamespace(),
  };
  const first = await startChildWorker(api, addresses);
  const team = await api.newTeam();
  const made = await team.post('/v2/partner/cohorts', { name: randomUUID(), kind: 'static' });
  await api.db.look(
    (sql) => sql`
    with made as (
      insert into contacts (team_id, id, unique_id, consents)
      select ${team.id}, gen_random_uuid(), gen_random_uuid()::text,
        '{"email": {"status": "never"}, "sms": {"status": "never"}, "push": {"status": "never"}}'
      from generate_series(1, ${members}::int)
      returning id
    )
    insert into cohort_members (team_id, cohort_id, contact_id)
    select ${team.id}, ${made.body.id}, id from made
    returning contact_id`,
  );
  const template = await aLaunchedTemplate(team, {
    // A contact that is processed twice would be enrolled twice.
    ...{ entry: 'on_launch_snapshot', reentry: 'after_exit' },
    target_cohort_ids: [made.body.id],
  });
  const counts = () =>
    api.db.look(
      (sql) => sql<{ journeys: number; contacts: number; told: number }[]>`
      select count(*)::int as journeys, count(distinct contact_id)::int as contacts,
        (select count(*)::int from engagement_events
         where team_id = ${team.id} and kind = 'journey.enrolled') as told
      from journeys where team_id = ${team.id}`,
    );
  const until = (count: number) => eventually(counts, ([row]) => (row?.journeys ?? 0) >= count);
  await until(1);
  await first.kill();
  const [killed] = await counts();
  expect(killed?.journeys).toBeLessThan(members);
  const second = await startChildWorker(api, addresses);
  try {
    await until(members);
    expect(await counts()).toEqual([{ journeys: members, contacts: members, told: members }]);
    const { body } = await team.get(at(template));
    expect(body).toMatchObject({ enrolled_count: members, active_journey_count: members });
  } finally {
    await second.stop();
    await api.stop();
  }
});
