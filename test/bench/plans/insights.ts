import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { connectDatabase } from '../../../src/platform/database/client.ts';
import { linesOf, planInsights } from '../../support/insight-plans.ts';

// `DATABASE_URL=… npm run bench -- insight-plans --team <id> [--file .onward/insight-plans.txt]`: how Postgres
// reads the rows behind the insights of a team, such as one that `npm run seed` has filled.
const { values } = parseArgs({
  options: {
    team: { type: 'string' },
    file: { type: 'string', default: '.onward/insight-plans.txt' },
  },
});
const url = process.env['DATABASE_URL'];
const { team: teamId, file } = values;
if (url === undefined || teamId === undefined) {
  console.error('DATABASE_URL and --team are needed.');
  process.exit(2);
}
const database = connectDatabase({ url, maxConnections: 1, applicationName: 'plans' });
const [size] = await database.read(
  (sql) => sql<{ events: number; template_id: string }[]>`
    select count(*) as events, (select min(id::text) from templates where team_id = ${teamId})
      as template_id
    from engagement_events where team_id = ${teamId}`,
  { deadlineMs: 600_000 },
);
await database.close();
const planned = await planInsights({
  ...{ url, teamId, templateId: size?.template_id ?? '', periods: ['P30D', 'P365D'] },
  ...{ nowMs: Date.now(), isAnalyzed: true },
});
const lines = [
  'What Postgres reads for each insight of a team that has a database to itself. Made by',
  '`npm run bench -- insight-plans`: steps with their rows and pages of 8 KB, months that are read alike as one.',
  '',
  `Engagement events of the team: ${(size?.events ?? 0).toLocaleString('en')}`,
];
for (const { name, period, plans } of planned) {
  for (const [at, plan] of plans.entries()) {
    lines.push('', `== ${name}, ${period}, statement ${String(at + 1)}`, ...linesOf(plan));
  }
}
writeFileSync(file, `${lines.join('\n')}\n`);
console.log(`${file}: ${String(planned.length)} answers`);
