import { beforeAll, expect, test } from '@jest/globals';
import type { TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { useService } from '../support/use-service.ts';
import { runNow } from '../support/schedules.ts';
import { drawing, liveALife } from '../insights/rows.ts';
import { insightCacheRefresh, rollupComparison, rollupRefresh } from '../../workflows/schedules.ts';

const { api, temporal } = useService({ INSIGHTS_CACHE_MIN_MS: '0' });
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
  await liveALife(api, team, drawing(5));
});

async function messages() {
  const at = '/v2/partner/insights/advanced/messages?period=P180D';
  const { status, body } = await team.call('GET', at, {
    headers: { 'Cache-Control': 'no-cache' },
  });
  expect(status).toBe(200);
  return { kind: body.source.kind, value: body.value };
}

test('schedules add past and changed hours to the rollups, and correct wrong ones', async () => {
  const live = await messages();
  expect(live.kind).toBe('live');
  await runNow(temporal.client, rollupRefresh.id);
  expect(await messages()).toEqual({ kind: 'rollup', value: live.value });

  await api.db.look(
    (sql) =>
      sql`update delivery_counts_hourly set clicked = clicked + 1 where team_id = ${team.id}`,
  );
  expect(await messages()).not.toEqual({ kind: 'rollup', value: live.value });
  // Some weeks at a time, from the first hour on.
  for (let run = 0; run < 20; run += 1) {
    await runNow(temporal.client, rollupComparison.id);
  }
  expect(await messages()).toEqual({ kind: 'rollup', value: live.value });
});

test('a schedule refreshes cached answers', async () => {
  const at = '/v2/partner/insights/advanced/objective-total-value?period=P180D';
  const ask = async () => (await team.get(at)).body;
  const kept = await eventually(ask, ({ source }) => source.kind === 'cache');
  expect(kept.value.total_completions).toBeGreaterThan(0);
  await api.db.look(
    (sql) => sql`update objective_completions set voided_at = now() where team_id = ${team.id}`,
  );
  expect(await ask()).toEqual(kept);
  await api.db.look(
    (sql) => sql`update insight_cache set expires_at = now() + interval '2 minutes'`,
  );
  await runNow(temporal.client, insightCacheRefresh.id);
  const { source, value } = await ask();
  expect([source.kind, value.total_completions]).toEqual(['cache', 0]);
});
