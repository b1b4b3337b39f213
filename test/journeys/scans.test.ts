import { beforeAll, expect, test } from '@jest/globals';
import { createLog } from '../../src/platform/observability/log.ts';
import { insertScan } from '../../src/journeys/scans/queries.ts';
import type { ScanRow } from '../../src/journeys/scans/queries.ts';
import { scanTogether } from '../../src/journeys/scans/scan.ts';
import { at } from '../campaigns/a-template.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { aReader, aSendingTemplate, anEmail } from './a-send.ts';

const api = useTestApi();
let team: TestTeam;
let readers: string[];
const later = { ...anEmail, trigger: { kind: 'delay', delay: 'P3D' } };

beforeAll(async () => {
  team = await api.newTeam();
  readers = await Promise.all(Array.from({ length: 25 }, () => aReader(team)));
});

async function aScan() {
  const template = await aSendingTemplate(team, [later]);
  const cohort = await team.post('/v2/partner/cohorts', { name: template.id, kind: 'static' });
  const cohort_ids = [String(cohort.body.id)];
  const path = `/v2/partner/cohorts/${String(cohort.body.id)}/members/add`;
  expect((await team.post(path, { contact_ids: readers })).status).toBe(200);
  const row = { team_id: team.id, id: template.id, template_id: template.id, cohort_ids };
  await api.db.database.transact((sql) => insertScan(sql, row));
  const place = { teamId: team.id, templateId: template.id, scanId: template.id };
  return {
    templateId: template.id,
    next: (limit: number) =>
      scanTogether(
        { database: api.db.database, log: createLog('silent', 'worker') },
        place,
        limit,
        10_000,
      ),
    async state() {
      const [scan] = await api.db.look(
        (sql) => sql<ScanRow[]>`select * from enrollment_scans where id = ${template.id}`,
      );
      const journeys = await api.db.look(
        (sql) => sql<{ contact_id: string }[]>`
          select contact_id from journeys where template_id = ${template.id}`,
      );
      expect(new Set(journeys.map(({ contact_id }) => contact_id)).size).toBe(journeys.length);
      const { seen_count: seen, enrolled_count: enrolled, finished_at } = scan ?? {};
      return { seen, enrolled, journeys: journeys.length, isFinished: finished_at !== null };
    },
  };
}

test('a scan enrolls pages of several transactions until its cohorts are through', async () => {
  const scan = await aScan();
  await scan.next(10);
  expect(await scan.state()).toEqual({ seen: 20, enrolled: 20, journeys: 20, isFinished: false });
  await scan.next(10);
  const all = { seen: 25, enrolled: 25, journeys: 25, isFinished: true };
  expect(await scan.state()).toEqual(all);
  await scan.next(10);
  expect(await scan.state()).toEqual(all);
});

test('members that a crash makes it repeat are enrolled once and counted once', async () => {
  const scan = await aScan();
  await scan.next(4);
  // As if the process had ended before the position was written.
  await api.db.look(
    (sql) => sql`
      update enrollment_scans set seen_count = 0, after_joined_at = '-infinity',
        after_contact_id = '00000000-0000-0000-0000-000000000000'
      where id = ${scan.templateId} returning id`,
  );
  for (let pages = 0; pages < 3; pages += 1) await scan.next(6);
  const all = { seen: 25, enrolled: 25, journeys: 25, isFinished: true };
  expect(await scan.state()).toEqual(all);
});

test('two processes with the same scan enroll each member once', async () => {
  const scan = await aScan();
  for (let pages = 0; pages < 4; pages += 1) await Promise.all([scan.next(4), scan.next(4)]);
  const all = { seen: 25, enrolled: 25, journeys: 25, isFinished: true };
  expect(await scan.state()).toEqual(all);
});

test('a paused template enrolls nobody, and its scan stays where it is', async () => {
  const scan = await aScan();
  await scan.next(5);
  expect((await team.post(at(scan.templateId, '/pause'))).status).toBe(200);
  await scan.next(5);
  expect(await scan.state()).toEqual({ seen: 10, enrolled: 10, journeys: 10, isFinished: false });
  expect((await team.post(at(scan.templateId, '/resume'))).status).toBe(200);
  await scan.next(10);
  expect(await scan.state()).toMatchObject({ seen: 25, enrolled: 25, isFinished: true });
});
