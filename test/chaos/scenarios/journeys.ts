import { seedContacts } from '../../../src/commands/seed/queries.ts';
import type { ReceivedMail } from '../../support/mail-server.ts';
import { comesTrue, mustComeTrue } from '../../world/moments.ts';
import { newTeam } from '../../world/teams.ts';
import type { Team } from '../../world/teams.ts';
import { killAtRandom } from '../kills.ts';
import type { Report } from '../report.ts';
import type { World } from '../world.ts';

const templatesPath = '/v2/partner/templates';
const cohortsPath = '/v2/partner/cohorts';
const patient = { deadlineMs: 120_000 };
/** Latency of the mail server. A killed worker has mails in flight whose outcome is unknown. */
const answerMs = 120;
/** Connections of a worker, and outcomes that are not stored yet. */
const repeatsPerKill = 16;

interface Person {
  contact_id: string;
  number: number;
  email: string | null;
  is_holdout: boolean | null;
  /** Numbers of journeys and of deliveries. */
  journeys: number;
  deliveries: number;
  status: string | null;
  skip_reason: string | null;
}

/**
 * A template is launched for many while workers, Temporal and Postgres are killed: each is enrolled
 * once and gets one mail, or has the reason why not. What a server was taking at a kill comes twice
 * at most, under one Message-ID.
 */
export async function journeys(world: World, report: Report): Promise<void> {
  const { isShort, note, victims, mail } = world;
  const random = world.random.fork('journeys');
  const [count, kills] = isShort ? [1_000, 4] : [10_000, 25];
  const team = await newTeam(world);
  await team.must('PATCH', '/v2/partner/team', { quiet_hours: null, frequency_cap: null });
  await makePeople(world, team, count);
  const template = await aCampaignFor(world, team);
  mail.slowBy(answerMs);

  const before = mail.received.length;
  const pauses = { shortestMs: 300, maxMs: isShort ? 1_000 : 4_000 };
  const all = [...victims.worker, ...victims.temporal, ...victims.postgres];
  const killing = killAtRandom(all, { random, note, pauses, times: kills });
  killing.catch(() => undefined);
  await team.must('POST', `${templatesPath}/${template}/launch`);
  const lastKillAtMs = await killing;
  const meanwhile = mail.received.length - before;
  note(`${String(meanwhile)} mails had come when the last was killed`);
  const isDone = async () => {
    const [left] = await world.database.read(
      (sql) => sql<{ open: number; decided: number }[]>`
        select (select count(*)::int from message_sends where team_id = ${team.id}) as open,
          (select count(*)::int from message_deliveries where team_id = ${team.id}) as decided`,
      patient,
    );
    return left?.open === 0 && left.decided >= count;
  };
  const hasDrained = await comesTrue(isDone, 300_000, 500);
  const drainedMs = performance.now() - lastKillAtMs;
  mail.slowBy(0);

  const people = await readPeople(world, team);
  const mails = mailsOf(mail.received.slice(before));
  const wanted = people.filter((one) => reasonOf(one) === undefined);
  const isMailed = ({ email }: Person) => email !== null && mails.has(email);
  const copies = [...mails.values()];
  const repeats = copies.reduce((sum, some) => sum + some.length - 1, 0);
  const shown = await team.must('GET', `${templatesPath}/${template}`);
  const { data } = await team.must('GET', `${templatesPath}/${template}/messages`);
  report.exactly('journeys.kills', kills, kills);
  report.atLeast('journeys.mails_between_kills', meanwhile, count / 20);
  report.exactly('journeys.drained', Number(hasDrained), 1);
  report.exactly(
    'journeys.enrolled_once',
    people.filter((one) => one.journeys === 1).length,
    count,
  );
  report.exactly('journeys.enrolled_told', await countTold(world, team), count);
  report.exactly(
    'journeys.decided_once',
    people.filter((one) => one.deliveries === 1).length,
    count,
  );
  report.exactly('journeys.without_mail', wanted.filter((one) => !isMailed(one)).length, 0);
  report.exactly('journeys.mailed_unwanted', mails.size - wanted.filter(isMailed).length, 0);
  report.atLeast('journeys.held_out', people.filter((one) => one.is_holdout).length, count / 40);
  report.exactly('journeys.wrong_outcomes', people.filter(isWrong).length, 0);
  report.exactly('journeys.other_message_ids', copies.filter(hasSeveralIds).length, 0);
  report.atMost('journeys.repeats', repeats, kills * repeatsPerKill);
  report.exactly('journeys.counted_enrolled', Number(shown.enrolled_count), count);
  report.exactly('journeys.counted_sent', Number(data[0].stats.sent), wanted.length);
  report.exactly('journeys.counted_skipped', Number(data[0].stats.skipped), count - wanted.length);
  report.atMost('journeys.drained_seconds', drainedMs / 1_000, 240);
}

/** Contacts of all kinds, distinguished by their number. */
async function makePeople({ database }: World, team: Team, count: number): Promise<void> {
  await database.read(async (sql) => {
    await seedContacts(sql, team.id, 1, count);
    await sql`
      update contacts
      set email = case when ${sql.unsafe(numberOf)} % 40 <> 1 then unique_id || '@example.com' end
      where team_id = ${team.id}`;
  }, patient);
  for (let number = 3; number <= count; number += 100) {
    const address = `seed-${String(number)}@example.com`;
    await team.must('POST', '/v2/partner/suppressions', { channel: 'email', address });
  }
}

const numberOf = `substr(unique_id, 6)::int`;

/** The first rule by which a contact gets no mail; undefined if it gets one. */
function reasonOf({ number, is_holdout: isHoldout }: Person): string | undefined {
  if (isHoldout) return 'holdout';
  if (number % 40 === 1) return 'missing_address';
  if (number % 500 === 0 || number % 100 === 3) return 'suppressed';
  return number % 4 === 0 ? 'no_consent' : undefined;
}

function isWrong(person: Person): boolean {
  const reason = reasonOf(person);
  if (reason === undefined) return person.status !== 'sent';
  return person.status !== 'skipped' || person.skip_reason !== reason;
}

/** A template with a marketing e-mail for all contacts of the team, not launched. */
async function aCampaignFor({ database }: World, team: Team): Promise<string> {
  const cohort = await team.must('POST', cohortsPath, {
    ...{ name: 'Everybody', kind: 'dynamic', evaluation_mode: 'on_demand' },
    definition: { field: 'contact.unique_id', op: 'present' },
  });
  await team.must('POST', `${cohortsPath}/${String(cohort.id)}/evaluate`);
  const isKnown = async () => {
    const { evaluation_status: status } = await team.must(
      'GET',
      `${cohortsPath}/${String(cohort.id)}`,
    );
    return status === 'ready';
  };
  await mustComeTrue('the members of the cohort', isKnown, 120_000);
  await database.read((sql) => sql`analyze contacts, cohort_members`, patient);
  const objectives = await team.must('GET', '/v2/partner/objectives?page[size]=1');
  const { id } = await team.must('POST', templatesPath, {
    ...{ name: 'For many', objective_ids: [objectives.data[0].id], holdout_percent: 5 },
    ...{ entry: 'on_launch_snapshot', target_cohort_ids: [cohort.id] },
  });
  await team.must('POST', `${templatesPath}/${String(id)}/messages`, {
    ...{ name: 'Hello', channel: 'email', from_email: 'hello@bank.example', subject: 'Hello' },
    body_html: '<p>Dear {{ contact.first_name }}, <a href="{{ journey.link_url }}">go on</a></p>',
    respect_quiet_hours: false,
  });
  return String(id);
}

async function readPeople({ database }: World, team: Team): Promise<Person[]> {
  return database.read(
    (sql) => sql<Person[]>`
      select c.id as contact_id, ${sql.unsafe(numberOf)} as number, c.email,
        j.is_holdout, coalesce(j.count, 0)::int as journeys, coalesce(d.count, 0)::int as deliveries,
        d.status, d.skip_reason
      from contacts c
      left join (
        select contact_id, count(*), bool_or(is_holdout) as is_holdout from journeys
        where team_id = ${team.id} group by 1
      ) j on j.contact_id = c.id
      left join (
        select contact_id, count(*), min(status) as status, min(skip_reason) as skip_reason
        from message_deliveries where team_id = ${team.id} group by 1
      ) d on d.contact_id = c.id
      where c.team_id = ${team.id}`,
    patient,
  );
}

async function countTold({ database }: World, team: Team): Promise<number> {
  const [row] = await database.read(
    (sql) => sql<{ count: number }[]>`
      select count(*)::int as count from engagement_events
      where team_id = ${team.id} and kind = 'journey.enrolled'`,
    patient,
  );
  return row?.count ?? 0;
}

/** Mails by their recipient. */
function mailsOf(received: readonly ReceivedMail[]): Map<string, ReceivedMail[]> {
  const mails = new Map<string, ReceivedMail[]>();
  for (const one of received) {
    mails.set(one.recipient, [...(mails.get(one.recipient) ?? []), one]);
  }
  return mails;
}

const hasSeveralIds = (copies: readonly ReceivedMail[]) =>
  new Set(copies.map(({ messageId }) => messageId)).size > 1;
