import { beforeAll, expect, test } from '@jest/globals';
import { listOverdueCohorts } from '../../../src/cohorts/evaluation/queries.ts';
import { requireContact } from '../../../src/contacts/queries.ts';
import { findSuppression } from '../../../src/contacts/suppressions/queries.ts';
import type { Sql } from '../../../src/platform/database/sql.ts';
import { claimOutboxEntries } from '../../../src/platform/temporal/outbox.ts';
import { claimIdleLanes } from '../../../src/webhooks/dispatch/lanes/queries.ts';
import { connectDatabase } from '../../../src/platform/database/client.ts';
import type { TestTeam } from '../../support/api.ts';
import { useTestApi } from '../../support/use-test-api.ts';

// Statements of one row or of a few must not read more in a large table (`npm run bench -- plans`).
const rows = 5_000;
const most = 100;

const api = useTestApi();
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
  await api.db.look(async (sql) => {
    await sql`
      insert into contacts (team_id, id, unique_id, consents)
      select ${team.id}, gen_random_uuid(), 'key-' || n, '{}' from generate_series(1, ${rows}) n`;
    await sql`
      insert into suppressions (team_id, channel, address, reason, source)
      select ${team.id}, 'email', n || '@example.com', 'manual', 'api'
      from generate_series(1, ${rows}) n`;
    await sql`
      insert into workflow_outbox (workflow, key, team_id)
      select 'template', gen_random_uuid(), ${team.id} from generate_series(1, ${rows})`;
    await sql`
      insert into cohorts (team_id, name, kind, definition, evaluation_mode, next_evaluation_at)
      select ${team.id}, 'Cohort ' || n, 'dynamic', '{}', 'scheduled', now() + interval '1 hour'
      from generate_series(1, ${rows}) n`;
    await sql`
      with made as (
        insert into webhook_subscriptions (team_id, target_url, event_types, is_active)
        select ${team.id}, 'https://example.com', '{}', true from generate_series(1, ${rows})
        returning team_id, id
      )
      insert into webhook_subscription_states (team_id, subscription_id) select * from made`;
    await sql`vacuum analyze`;
    return [];
  });
});

/** Rows and index entries that a worker's session has read for this. */
async function rowsReadBy(work: (sql: Sql) => Promise<unknown>): Promise<number> {
  const worker = connectDatabase({
    ...{ url: api.db.url, maxConnections: 1, applicationName: 'tests', reusesPlans: true },
  });
  try {
    return await worker.transact(async (sql) => {
      await work(sql);
      const [read] = await sql<[{ count: number }]>`
        select sum(seq_tup_read + coalesce(idx_tup_fetch, 0) + coalesce(idx_scan, 0))::int as count
        from pg_stat_xact_user_tables`;
      return read.count;
    });
  } finally {
    await worker.close();
  }
}

const address = '7@example.com';
const works: Record<string, (sql: Sql) => Promise<unknown>> = {
  'a contact by its key': (sql) => requireContact(sql, team.id, 'unique_id:key-7'),
  'the suppression of an address': (sql) =>
    findSuppression(sql, team.id, { channel: 'email', address, contact_id: null }),
  'the next entries of a long outbox': (sql) => claimOutboxEntries(sql, 10),
  'overdue cohorts': (sql) => listOverdueCohorts(sql, 8_000, 100),
  'lanes with work': (sql) =>
    claimIdleLanes(sql, 4, new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)),
};

test.each(Object.keys(works))('%s: found without reading the table', async (name) => {
  expect(await rowsReadBy(async (sql) => works[name]?.(sql))).toBeLessThan(most);
});
