import { belongs } from '../../cohorts/judge.ts';
import { readFacts } from '../../cohorts/facts.ts';
import { comesTrue, mustComeTrue, offer } from '../../world/moments.ts';
import { newTeam } from '../../world/teams.ts';
import type { Team } from '../../world/teams.ts';
import { killAtRandom } from '../kills.ts';
import type { Random } from '../random.ts';
import type { Report } from '../report.ts';
import type { World } from '../world.ts';

const path = '/v2/partner/cohorts';
const contactsPath = '/v2/partner/contacts';
const patient = { deadlineMs: 60_000 };
const perSecond = 60;
const day = 86_400_000;

/**
 * Cohorts follow every change while workers, Temporal and Postgres are killed: at the end their
 * members are those that a judge finds who reads whole rows.
 */
export async function cohorts(world: World, report: Report): Promise<void> {
  const { isShort, note, victims } = world;
  const random = world.random.fork('cohorts');
  const [count, kills] = isShort ? [40, 3] : [300, 40];
  const team = await newTeam(world);
  const contacts: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const { id } = await team.must('POST', contactsPath, { unique_id: `c-${String(made)}` });
    contacts.push(String(id));
  }
  const list = String((await team.must('POST', path, { name: 'list', kind: 'static' })).id);
  const definitions = new Map<string, any>();
  for (const definition of definitionsWith(list)) {
    const name = `Follower ${String(definitions.size)}`;
    const { id } = await team.must('POST', path, { name, kind: 'dynamic', definition });
    definitions.set(String(id), definition);
  }
  const chain = { cohort: { id: [...definitions.keys()][0], member: false } };
  const last = await team.must('POST', path, { name: 'Last', kind: 'dynamic', definition: chain });
  definitions.set(String(last.id), chain);
  const isQuiet = () => hasSettled(world, team);
  await mustComeTrue('the first evaluation', isQuiet, 60_000);

  let isOver = false;
  let refused = 0;
  const all = [...victims.worker, ...victims.temporal, ...victims.postgres];
  const pauses = { shortestMs: 300, maxMs: isShort ? 1_000 : 4_000 };
  const killing = killAtRandom(all, { random, note, pauses, times: kills }).finally(() => {
    isOver = true;
  });
  killing.catch(() => undefined);
  const changes = await offer({ perSecond, limit: 64, until: () => isOver }, async (index) => {
    const { method, at, json } = change(random, contacts, list);
    const { status } = await team.call(method, at, json, `change-${String(index)}`);
    if (status < 200 || status >= 300) refused += 1;
  });
  const lastKillAtMs = await killing;
  const isFollowed = await comesTrue(isQuiet, 120_000, 250);
  const drainedMs = performance.now() - lastKillAtMs;

  const look = (work: Parameters<typeof world.database.read>[0]) =>
    world.database.read(work, patient) as Promise<any[]>;
  const facts = await readFacts(team.id, look, Date.now());
  let [wrong, miscounted] = [0, 0];
  for (const [id, definition] of definitions) {
    for (const one of facts) {
      const wanted = one.contact.status !== 'archived' && belongs(definition, one);
      if (wanted !== one.cohorts.has(id)) wrong += 1;
    }
    const { member_count: told } = await team.must('GET', `${path}/${id}`);
    if (told !== facts.filter((one) => one.cohorts.has(id)).length) miscounted += 1;
  }
  report.exactly('cohorts.kills', kills, kills);
  report.atLeast('cohorts.changes', changes, isShort ? 50 : 2_000);
  report.exactly('cohorts.refused', refused, 0);
  report.exactly('cohorts.followed_to_the_end', Number(isFollowed), 1);
  report.exactly('cohorts.wrong_memberships', wrong, 0);
  report.exactly('cohorts.wrong_counts', miscounted, 0);
  report.atMost('cohorts.drained_seconds', drainedMs / 1_000, 60);
}

/** Whether no change and no evaluation is pending. */
async function hasSettled({ database }: World, { id }: Team): Promise<boolean> {
  const rows = await database.read(
    (sql) => sql`
      select from cohorts
      where team_id = ${id} and kind = 'dynamic'
        and (evaluation_status <> 'ready' or not is_caught_up)
      union all
      select from cohort_changes where team_id = ${id}`,
    patient,
  );
  return rows.length === 0;
}

const definitionsWith = (list: string) => [
  { field: 'contact.locale', op: 'eq', value: 'en' },
  { field: 'contact.attributes.score', op: 'gte', value: 2 },
  { op: 'none', rules: [{ account: { where: [{ field: 'kind', op: 'eq', value: 'loan' }] } }] },
  { event: { kind: 'custom', times: { op: 'gte', value: 2 }, within: 'P90D' } },
  {
    op: 'any',
    rules: [
      { cohort: { id: list, member: true } },
      { consent: { channel: 'sms', status: 'subscribed' } },
    ],
  },
];

/** The next change of a client. */
function change(random: Random, contacts: readonly string[], list: string) {
  const contact = random.pick(contacts);
  const at = `${contactsPath}/${contact}`;
  const opened_at = new Date(Date.now() - day).toISOString();
  const members = { contact_ids: [contact] };
  const occurred_at = new Date(Date.now() - 60_000).toISOString();
  return random.pick([
    { method: 'PATCH', at, json: { locale: random.pick(['en', 'de']) } },
    { method: 'PATCH', at, json: { attributes: { score: random.pick([0, 1, 2, 3]) } } },
    { method: 'POST', at: `${at}/accounts`, json: { kind: 'loan', opened_at } },
    {
      method: 'POST',
      at: '/v2/partner/engagement-events',
      json: { events: [{ kind: 'custom', contact_id: contact, occurred_at }] },
    },
    { method: 'POST', at: `${path}/${list}/members/add`, json: members },
    { method: 'POST', at: `${path}/${list}/members/remove`, json: members },
    {
      method: 'PUT',
      at: `${at}/consents/sms`,
      json: { status: random.pick(['subscribed', 'unsubscribed']), source: 'branch' },
    },
  ]);
}
