import type { Command } from 'commander';
import { findRequests } from '../../meta/requests/queries.ts';
import type { Output } from '../../../sdk/cli/src/output.ts';
import { parseAge, parseId, parseLimit, parseStatus } from './arguments.ts';
import { withDatabase } from './connection.ts';

interface Question {
  team: string;
  status?: readonly [from: number, to: number];
  operation?: string;
  since: number;
  id?: string;
  limit: number;
}

/** Requests of any team; a team lists its own with `onward requests tail`. */
export function addRequestCommands(program: Command, output: Output): void {
  program
    .command('requests')
    .description('requests of teams in the last seven days')
    .command('list')
    .description('list the latest requests of a team, the last one at the end')
    .requiredOption('--team <team-id>', 'id of the team', parseId)
    .option('--status <status>', 'a status such as 404, or 4xx', parseStatus)
    .option('--operation <id>', 'of one operation, such as createContact')
    .option('--since <age>', '30s, 15m, 1h or 2d', parseAge, parseAge('7d'))
    .option('--id <request-id>', 'the X-Request-Id of one request, which is shown in full')
    .option('--limit <count>', 'how many', parseLimit, 100)
    .action(async ({ team, status, operation, since, id, limit }: Question) => {
      const search = { sinceMs: Date.now() - since, status, operation, requestId: id, limit };
      const rows = await withDatabase((database) =>
        database.read((sql) => findRequests(sql, team, search)),
      );
      if (id === undefined) {
        output.rows(
          rows.map((row) => ({ ...row, ms: row.duration_ms, errors: row.error_codes })),
          ['occurred_at', 'status', 'ms', 'operation', 'path', 'errors', 'request_id'],
        );
      } else for (const row of rows) output.row(row);
    });
}
