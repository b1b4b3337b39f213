import { beforeAll, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { linesOf, planInsights, stepsOf } from '../support/insight-plans.ts';
import type { PlannedInsight } from '../support/insight-plans.ts';
import { drawing, liveALife } from './rows.ts';

const api = useTestApi();
let team: TestTeam;
let planned: PlannedInsight[];
const nowMs = Date.now();

beforeAll(async () => {
  team = await api.newTeam();
  await liveALife(api, team, drawing(3));
  await api.db.look((sql) => sql`analyze`);
  const { body } = await team.get('/v2/partner/templates?page[size]=1');
  planned = await planInsights({
    ...{ url: api.db.url, teamId: team.id, templateId: body.data[0].id },
    ...{ periods: ['P30D', 'P365D'], nowMs, isAnalyzed: false },
    // Here are few rows, which are read whole for less; what is left then has no other way.
    settings: { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' },
  });
});

const isLarge = (relation = '') =>
  /^(engagement_events|message_deliveries)_|^(delivery_counts_hourly|journeys|objective_completions|contacts)/.test(
    relation,
  );
/** Bitmaps are read by the index scans below them. */
const reads = ['Seq Scan', 'Index Scan', 'Index Only Scan', 'Bitmap Index Scan'];

test('no insight has to read a large table, or the rows of all teams', () => {
  const names = new Set(planned.map(({ name }) => name));
  expect(names.size).toBe(22);
  const seen = new Set<string>();
  for (const { name, period, plans } of planned) {
    for (const plan of plans) {
      for (const step of stepsOf(plan)) {
        const large = step['Relation Name'] ?? step['Index Name'];
        if (!reads.includes(step['Node Type']) || !isLarge(large)) continue;
        seen.add((large ?? '').replace(/_\d{6}.*$/, ''));
        const about = `${name} ${period}\n${linesOf(plan).join('\n')}`;
        expect([about, step['Node Type']]).not.toEqual([about, 'Seq Scan']);
        expect([about, step['Index Cond']]).toEqual([about, expect.stringContaining('team_id')]);
      }
    }
  }
  expect([...seen]).toEqual(
    expect.arrayContaining(['engagement_events', 'message_deliveries', 'journeys']),
  );
});

test('events and deliveries are read by a key or a time, or else in the months since the start only', () => {
  for (const { name, period, plans } of planned) {
    const days = Number(/\d+/.exec(period)?.[0]);
    const first = new Date(nowMs - days * 86_400_000).toISOString().slice(0, 7).replace('-', '');
    for (const plan of plans) {
      for (const step of stepsOf(plan)) {
        const large = step['Relation Name'] ?? step['Index Name'] ?? '';
        const [, month = ''] =
          /^(?:engagement_events|message_deliveries)_(\d{6})/.exec(large) ?? [];
        if (month === '' || month >= first || !reads.includes(step['Node Type'])) continue;
        const about = `${name} ${period}\n${linesOf(plan).join('\n')}`;
        const others = step['Index Cond']?.replaceAll('team_id', '') ?? '';
        expect([about, others]).toEqual([about, expect.stringMatching(/_at|_id|kind|COALESCE/)]);
      }
    }
  }
});
