import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import type { TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { useService } from '../support/use-service.ts';
import { jobId } from '../../src/platform/jobs/shape.ts';
import { cohortLane } from '../../workflows/lanes.ts';

const { api, temporal } = useService();
let team: TestTeam;
const path = '/v2/partner/cohorts';
const contactsPath = '/v2/partner/contacts';

beforeAll(async () => {
  team = await api.newTeam();
});

async function aCohort(definition: object, of = team) {
  const made = await of.post(path, { name: randomUUID(), kind: 'dynamic', definition });
  const id = String(made.body.id);
  const get = async () => (await of.get(`${path}/${id}`)).body;
  return {
    id,
    get,
    ready: () => eventually(get, (row) => row.evaluation_status === 'ready'),
    has: (count: number) => eventually(get, ({ member_count }) => member_count === count),
  };
}
const aContact = async (fields: object, of = team) =>
  String((await of.post(contactsPath, { unique_id: randomUUID(), ...fields })).body.id);
/** One of two, by the first bit of the id. */
const laneOf = ({ id }: TestTeam) => Number(id.slice(0, 1) >= '8');
const inLocale = (value: string) => ({ field: 'contact.locale', op: 'eq', value });

test('members follow changes of contacts, through cohorts that refer to others, until no change is left', async () => {
  const english = await aCohort(inLocale('en'));
  const others = await aCohort({ cohort: { id: english.id, member: false } });
  await Promise.all([english.ready(), others.ready()]);
  const { last_evaluated_at: before } = await english.get();
  const contact = await aContact({ locale: 'en' });
  await english.has(1);
  await team.patch(`${contactsPath}/${contact}`, { locale: 'de' });
  await english.has(0);
  await others.has(1);
  // No evaluation of all contacts has run meanwhile.
  expect((await english.get()).last_evaluated_at).toBe(before);
  const lane = temporal.handleOf(jobId(cohortLane, String(laneOf(team))));
  const { changes, moved } = await lane.result();
  // To english, out of it, and to the others.
  expect(changes).toBeGreaterThanOrEqual(2);
  expect(moved).toBeGreaterThanOrEqual(3);
  await team.patch(`${contactsPath}/${contact}`, { locale: 'en' });
  await english.has(1);
});

test('a cohort that cannot follow changes has failed, and the others continue', async () => {
  const [broken, good] = [await aCohort(inLocale('fr')), await aCohort(inLocale('fr'))];
  await Promise.all([broken.ready(), good.ready()]);
  await team.db.look(
    (sql) => sql`
      update cohorts set definition = '{"field": "contact.nothing", "op": "eq", "value": "x"}'
      where team_id = ${team.id} and id = ${broken.id}`,
  );
  await aContact({ locale: 'fr' });
  await good.has(1);
  expect(await broken.get()).toMatchObject({
    evaluation_status: 'failed',
    last_error: expect.stringContaining('followed'),
  });
  await team.patch(`${path}/${broken.id}`, { definition: inLocale('fr') });
  await broken.has(1);
});

test('a team whose changes cannot be followed blocks no other team, and catches up', async () => {
  let other = await api.newTeam();
  while (laneOf(other) !== laneOf(team)) other = await api.newTeam();
  const held = await aCohort(inLocale('sv'));
  const free = await aCohort(inLocale('sv'), other);
  await Promise.all([held.ready(), free.ready()]);
  await api.db.look((sql) =>
    sql.unsafe(
      `alter table cohort_members add constraint refused check (team_id <> '${team.id}') not valid`,
    ),
  );
  await aContact({ locale: 'sv' });
  for (let members = 1; members <= 3; members += 1) {
    await aContact({ locale: 'sv' }, other);
    await free.has(members);
  }
  expect(await held.get()).toMatchObject({ evaluation_status: 'ready', member_count: 0 });
  await api.db.look((sql) => sql.unsafe(`alter table cohort_members drop constraint refused`));
  await held.has(1);
});

test('an evaluation waits for earlier transactions that did not see the cohort', async () => {
  const contact = await aContact({ locale: 'it' });
  const { made } = await api.db.database.transact(async (sql) => {
    // It looks for followers before there is one, and commits after there is.
    await sql`
      update contacts set locale = 'es' where team_id = ${team.id} and id = ${contact}`;
    const follower = await aCohort(inLocale('es'));
    await eventually(follower.get, (row) => row.evaluation_status === 'evaluating');
    return { made: follower };
  });
  await made.has(1);
});
