import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectDatabase } from '../../../src/platform/database/client.ts';
import type { Database } from '../../../src/platform/database/client.ts';
import type { Sql } from '../../../src/platform/database/sql.ts';
import { groupBy } from '../../../src/platform/group-by.ts';
import { addToCounts } from '../../../src/engagement/completions/queries.ts';
import { anObjective } from '../../campaigns/a-template.ts';
import { aReader, aSendingTemplate } from '../../journeys/a-send.ts';
import { startTestApi } from '../../support/api.ts';
import type { TestApi } from '../../support/api.ts';

/** Transactions that count at once without any wait. */
const atOnce = 16;
let api: TestApi;
let pool: Database;

beforeAll(async () => {
  api = await startTestApi();
  pool = connectDatabase({
    ...{ url: api.db.url, maxConnections: atOnce + 1, applicationName: 'tests' },
    ...{ acquireTimeoutMs: 60_000, deadlineMs: 60_000 },
  });
});
afterAll(async () => {
  await pool.close();
  await api.stop();
});

/**
 * Runs `work` on transactions that are open at once. Of one more than there are rows to count in, two
 * have processes that are alike by that number; the two are among them.
 */
async function inManyAtOnce(work: (open: readonly Sql[]) => Promise<void>) {
  const open: { sql: Sql; rest: number }[] = [];
  const openNext = (): Promise<void> =>
    pool.transact(async (sql) => {
      await sql`set local lock_timeout = '1s'`;
      const [row] = await sql<[{ rest: number }]>`select pg_backend_pid() % ${atOnce}::int as rest`;
      open.push({ sql, rest: row.rest });
      if (open.length <= atOnce) return openNext();
      const byRest = groupBy(open, ({ rest }) => rest);
      const [alike = []] = [...byRest.values()].filter(({ length }) => length > 1);
      const others = open.filter((one) => !alike.includes(one));
      return work([...alike, ...others].slice(0, atOnce).map((one) => one.sql));
    });
  await openNext();
}

test('concurrent transactions count in separate rows, and no count is lost', async () => {
  const team = await api.newTeam();
  const objective = await anObjective(team);
  const template = await aSendingTemplate(team);
  const [message = ''] = template.messageIds;
  const contacts = await Promise.all(Array.from({ length: atOnce }, () => aReader(team)));
  await inManyAtOnce(async (open) => {
    for (const [at, sql] of open.entries()) {
      const ids = { team_id: team.id, template_id: template.id, contact_id: contacts[at] ?? '' };
      await sql`
        insert into journeys ${sql({ ...ids, template_version: 1, enrolled_via: 'api' })}`;
      const delivery = { id: randomUUID(), message_id: message, channel: 'email', status: 'sent' };
      await sql`insert into message_deliveries ${sql({ ...ids, ...delivery })}`;
      await addToCounts(sql, team.id, [objective], 1);
    }
  });
  const of = async (path: string) => (await team.get(`/v2/partner/${path}`)).body;
  expect(await of(`objectives/${objective}`)).toMatchObject({ completion_count: atOnce });
  expect(await of(`templates/${template.id}`)).toMatchObject({
    ...{ enrolled_count: atOnce, active_journey_count: atOnce },
  });
  const { data: messages } = await of(`templates/${template.id}/messages`);
  expect(messages).toMatchObject([{ stats: { sent: atOnce } }]);
});
