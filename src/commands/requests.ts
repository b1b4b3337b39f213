import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from '../platform/database/sql.ts';
import { isUuid } from '../platform/schema/fields.ts';
import { LocalFailure } from '../local/local-failure.ts';
import { findRequests } from '../meta/requests/queries.ts';
import type { LoggedRequestRow, RequestSearch } from '../meta/requests/queries.ts';
import { listTeams } from '../team/queries.ts';
import { withDatabase } from './admin/connection.ts';
import { createOutput, runCommand } from './command.ts';
import { readQuestion } from './requests-question.ts';

const followPauseMs = 1_000;
const overlapMs = 15_000;
const columns = ['occurred_at', 'status', 'ms', 'operation', 'path', 'errors', 'request_id'];

// `npm run requests`: the requests of a team in the last seven days, the latest last.
runCommand(async () => {
  const question = readQuestion(process.argv.slice(2), Date.now());
  const output = createOutput(() => question.isJson);
  const show = (rows: readonly LoggedRequestRow[]) => output.rows(rows.map(lineOf), columns);
  await withDatabase(async (database) => {
    const teamId = await database.read((sql) => teamOf(sql, question.team));
    const find = (more: Partial<RequestSearch> = {}) =>
      database.read((sql) => findRequests(sql, teamId, { ...question.search, ...more }));
    const found = await find();
    if (question.search.requestId === undefined) show(found);
    else for (const row of found) output.row(row);
    if (question.follow) await follow(found, find, show);
  });
});

/** Shows what comes, until the command is stopped. */
async function follow(
  known: readonly LoggedRequestRow[],
  find: (more: Partial<RequestSearch>) => Promise<LoggedRequestRow[]>,
  show: (rows: readonly LoggedRequestRow[]) => void,
): Promise<never> {
  let seen = new Set(known.map(({ id }) => id));
  for (;;) {
    await pause(followPauseMs);
    // Each API process writes a little behind, so that a request may come after a later one.
    const recent = await find({ sinceMs: Date.now() - overlapMs });
    const fresh = recent.filter(({ id }) => !seen.has(id));
    if (fresh.length > 0) show(fresh);
    seen = new Set(recent.map(({ id }) => id));
  }
}

function lineOf(row: LoggedRequestRow) {
  return { ...row, ms: row.duration_ms, errors: row.error_codes };
}

/** A team by its id, or by a name that only one has. */
async function teamOf(sql: Sql, wanted: string): Promise<string> {
  if (isUuid(wanted)) return wanted.toLowerCase();
  const [team, ...more] = (await listTeams(sql)).filter(({ name }) => name === wanted);
  if (team && more.length === 0) return team.id;
  throw new LocalFailure(
    `${team ? 'Several teams have' : 'No team has'} this name; \`npm run admin -- teams list\` shows the ids.`,
  );
}
