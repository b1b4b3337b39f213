import { expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { newKeyFile } from '../../src/platform/auth/keyring.ts';
import { listTeamsToSum, reconcileHours } from '../../src/insights/rollups/queries.ts';
import { drawing, liveALife } from '../insights/rows.ts';
import { startTestApi } from '../support/api.ts';
import { environmentNames, required } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import { newNamespace } from '../support/worker.ts';
import { startChildWorker } from '../webhooks/a-worker.ts';
import { rollupRefresh } from '../../workflows/schedules.ts';

test('the rollups of a killed worker are correct, and the next worker adds the rest', async () => {
  const keys = { ONWARD_KEYS: JSON.stringify(newKeyFile()) };
  const api = await startTestApi(keys);
  const { database } = api.db;
  const team = await api.newTeam();
  await liveALife(api, team, drawing(6));
  const messages = async () => {
    const at = '/v2/partner/insights/advanced/messages?period=P180D';
    const { source, value } = (await team.get(at)).body;
    return { kind: source.kind, value };
  };
  const live = await messages();
  expect(live.kind).toBe('live');

  const namespace = await newNamespace();
  const address = required(environmentNames.temporalAddress);
  const connection = await Connection.connect({ address });
  const addresses = { ...keys, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
  const first = await startChildWorker(api, addresses);
  const schedule = new Client({ connection, namespace }).schedule.getHandle(rollupRefresh.id);
  const isThere = () => schedule.describe().then(Boolean, () => false);
  await eventually(isThere, Boolean);

  const summed = async () => {
    const [row] = await database.read(
      (sql) => sql<{ hours: number; waiting: number }[]>`
        select (select count(distinct hour)::int from delivery_counts_hourly where team_id = ${team.id})
            as hours,
          (select count(*)::int from pg_stat_activity where datname = current_database()
            and application_name = 'onward-worker' and wait_event_type = 'Lock') as waiting`,
    );
    return row ?? { hours: 0, waiting: 0 };
  };
  const killing = database.transact(
    async (sql) => {
      // The sums of one of the last hours are held: some months are summed, and those not.
      await sql`
        insert into delivery_counts_hourly
        select team_id, date_trunc('hour', coalesce(sent_at, failed_at), 'UTC'), message_id,
          template_id, channel, coalesce(variant_key, ''), 0, 0, 0, 0, 0, 0, 0, 0, 0
        from message_deliveries
        where team_id = ${team.id} and coalesce(sent_at, failed_at) < now() - interval '5 hours'
        order by coalesce(sent_at, failed_at) desc limit 1`;
      await schedule.trigger();
      await eventually(
        // A query here as well, since Postgres ends an idle transaction.
        async () => sql`select 1`.then(summed),
        ({ hours, waiting }) => hours > 0 && waiting > 0,
      );
      await first.kill();
      throw new Error('held no longer');
    },
    { deadlineMs: 60_000 },
  );
  await expect(killing).rejects.toThrow('held no longer');
  expect(await messages()).toEqual({ kind: 'rollup', value: live.value });

  const second = await startChildWorker(api, addresses);
  try {
    const open = () => database.read((sql) => listTeamsToSum(sql, 1_000));
    await eventually(open, (teams) => teams.every(({ id }) => id !== team.id));
    expect(await messages()).toEqual({ kind: 'rollup', value: live.value });
    const compared = await database.transact((sql) => reconcileHours(sql, team.id, 24 * 400));
    expect(compared).toMatchObject({ corrected: 0 });
    expect(compared.hours).toBeGreaterThan(24 * 30);
  } finally {
    await second.stop();
    await connection.close();
    await api.stop();
  }
});
