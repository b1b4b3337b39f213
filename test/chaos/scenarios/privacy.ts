import { seedContacts } from '../../../src/commands/seed/queries.ts';
import type { Sql } from '../../../src/platform/database/sql.ts';
import { foundInSealed, foundInTables, foundInTemporal } from '../../world/personal-data.ts';
import { comesTrue, offer } from '../../world/moments.ts';
import { newTeam } from '../../world/teams.ts';
import type { Team } from '../../world/teams.ts';
import { killAtRandom } from '../kills.ts';
import type { Report } from '../report.ts';
import type { World } from '../world.ts';

const contactsPath = '/v2/partner/contacts';
const exportsPath = '/v2/partner/exports';
const patient = { deadlineMs: 120_000 };

interface Person {
  id: string;
  key: string;
  values: string[];
}

/**
 * People are erased and files of contacts are written while workers, Temporal and Postgres are
 * killed: of those nothing is left in any table, sealed value or history, and of the others every
 * file holds each exactly once.
 */
export async function privacy(world: World, report: Report): Promise<void> {
  const { isShort, note, victims, database } = world;
  const random = world.random.fork('privacy');
  const [count, large, kills] = isShort ? [12, 5_000, 4] : [60, 100_000, 30];
  const team = await newTeam(world);
  await team.must('POST', '/v2/partner/webhook-subscriptions', {
    ...{ target_url: 'http://127.0.0.1:1024/hooks', event_types: ['*'], is_active: true },
  });
  const people: Person[] = [];
  for (let made = 0; made < count; made += 1) people.push(await somebody(team, made));
  const leaving = people.filter((_, at) => at % 2 === 0);
  const staying = people.filter((_, at) => at % 2 === 1);

  const values = leaving.flatMap((one) => one.values);
  const look = <Row extends object>(work: (sql: Sql) => Promise<readonly Row[]>) =>
    database.read(work, patient);
  const before = await foundInTables(look, values);

  const crowd = await newTeam(world);
  await database.read((sql) => seedContacts(sql, crowd.id, 1, large), patient);
  const file = await crowd.must('POST', exportsPath, { kind: 'contacts' });

  let isOver = false;
  let refused = 0;
  const pauses = { shortestMs: 300, maxMs: isShort ? 1_000 : 4_000 };
  const all = [...victims.worker, ...victims.temporal, ...victims.postgres];
  const killing = killAtRandom(all, { random, note, pauses, times: kills }).finally(() => {
    isOver = true;
  });
  killing.catch(() => undefined);
  const asked = new Map<string, string>();
  await offer({ perSecond: isShort ? 3 : 1, limit: 8, until: () => isOver }, async (index) => {
    const one = leaving[index % leaving.length];
    if (!one) return;
    const key = `erase-${one.id}`;
    const [reply, listed] = await Promise.all([
      team.call('POST', `${contactsPath}/${one.id}/erase`, undefined, key),
      team.call('POST', exportsPath, { kind: 'contacts' }, `export-${String(index)}`),
    ]);
    if (reply.status !== 202 || (listed.status !== 202 && listed.status !== 429)) refused += 1;
    else asked.set(one.id, String(reply.body.id));
  });
  const lastKillAtMs = await killing;

  const isAt = async (path: string, status: string) =>
    (await team.must('GET', path)).status === status;
  const areErased = () =>
    Promise.all(
      [...asked.values()].map((id) => isAt(`/v2/partner/contact-erasures/${id}`, 'completed')),
    ).then((answers) => answers.every(Boolean));
  const hasErased = await comesTrue(areErased, 240_000, 500);
  const drainedMs = performance.now() - lastKillAtMs;
  const isWritten = async () =>
    (await crowd.must('GET', `${exportsPath}/${String(file.id)}`)).status === 'succeeded';
  const hasWritten = await comesTrue(isWritten, 240_000, 500);

  const gone = leaving.filter(({ id }) => asked.has(id));
  const temporal = { address: world.temporal.address, namespace: 'default' };
  const inTables = await foundInTables(look, values);
  const inSealed = await foundInSealed(look, world.keyring, values);
  const { found: inTemporal } = await foundInTemporal(temporal, values);
  for (const place of [...inTables, ...inTemporal]) note(`something is left in ${place}`);

  let lost = 0;
  for (const { id, key } of staying) {
    const { status, body } = await team.call('GET', `${contactsPath}/${id}`);
    if (status !== 200 || body.unique_id !== key) lost += 1;
  }
  const wrongFiles = await countWrongFiles(team, { gone, staying });
  const rows = await rowsOf(crowd, String(file.id));
  report.exactly('privacy.kills', kills, kills);
  report.exactly('privacy.refused', refused, 0);
  report.exactly('privacy.erased', gone.length, leaving.length);
  report.exactly('privacy.erasures_completed', Number(hasErased), 1);
  report.atLeast('privacy.found_in_tables_before', before.length, 5);
  report.exactly('privacy.found_in_tables', inTables.length, 0);
  report.exactly('privacy.found_in_sealed', inSealed.length, 0);
  report.exactly('privacy.found_in_temporal', inTemporal.length, 0);
  report.exactly('privacy.others_lost', lost, 0);
  report.exactly('privacy.wrong_files', wrongFiles, 0);
  report.exactly('privacy.large_file_written', Number(hasWritten), 1);
  report.exactly('privacy.large_file_rows', rows.length, large);
  report.exactly('privacy.large_file_contacts', new Set(rows).size, large);
  report.atMost('privacy.drained_seconds', drainedMs / 1_000, 180);
}

/** A contact with a row, events, a batch and its results. */
async function somebody(team: Team, number: number): Promise<Person> {
  const mark = `${team.id.slice(0, 8)}x${String(number)}x`;
  const [key, email] = [`key-${mark}`, `mail-${mark}@example.com`];
  const names = { first_name: `Given${mark}`, last_name: `Family${mark}` };
  const made = await team.must('POST', contactsPath, { unique_id: key, email, ...names });
  const id = String(made.id);
  await team.must('POST', `${contactsPath}/${id}/accounts`, { kind: 'loan', name: `Loan${mark}` });
  await team.must('POST', '/v2/partner/engagement-events', {
    events: [{ kind: 'custom', contact_id: id, unique_id: `e-${email}`, properties: { email } }],
  });
  await team.call(
    'POST',
    '/v2/batch/operations',
    {
      operation_kind: 'contacts.bulk_upsert',
      items: [{ unique_id: key, ...names }, { email: `bad ${email}` }],
    },
    `batch-${mark}`,
  );
  return { id, key, values: [email, key, names.first_name, names.last_name, `Loan${mark}`] };
}

/** Ids in the lines of a file. */
async function rowsOf(team: Team, id: string): Promise<string[]> {
  const { body } = await team.call('GET', `${exportsPath}/${id}/file`);
  const lines = String(body).split('\r\n').slice(1);
  return lines.flatMap((line) => (line === '' ? [] : [line.slice(0, 36)]));
}

/** Files that name an erased contact, or not each of the others once. */
async function countWrongFiles(
  team: Team,
  { gone, staying }: { gone: readonly Person[]; staying: readonly Person[] },
): Promise<number> {
  const { data } = await team.must('GET', `${exportsPath}?page[size]=100`);
  let wrong = 0;
  for (const { id } of data) {
    const at = `${exportsPath}/${String(id)}`;
    await comesTrue(async () => (await team.must('GET', at)).status === 'succeeded', 60_000, 200);
    const rows = await rowsOf(team, String(id));
    const isWhole = staying.every((one) => rows.filter((row) => row === one.id).length === 1);
    if (!isWhole || gone.some((one) => rows.includes(one.id))) wrong += 1;
  }
  return wrong;
}
