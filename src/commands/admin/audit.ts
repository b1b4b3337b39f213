import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Sql } from '../../database/client.ts';
import { LocalFailure } from '../../local/local-failure.ts';
import {
  countUnsealed,
  findHead,
  findSeal,
  findStrays,
  listAuditedTeams,
  verifyChain,
} from '../../partner/audit-events/sealing/queries.ts';
import { listLatestAuditEvents } from '../../partner/audit-events/queries.ts';
import { installationTrail } from '../../http/audit.ts';
import type { Output } from '../command.ts';
import { parseId } from './arguments.ts';
import { withDatabase } from './connection.ts';

const linesAtATime = 1_000;
const straysShown = 100;

/** A line that somebody noted earlier: `<number>:<hash>`. */
interface Noted {
  number: number;
  hash: string;
}

export function addAuditCommands(program: Command, output: Output): void {
  const audit = program.command('audit').description('the trail of administrative changes');

  audit
    .command('list')
    .description('list the latest events of a team, or of the installation: its keys')
    .option('--team <team-id>', 'id of the team', parseId, installationTrail)
    .option('--limit <count>', 'how many', parseLimit, 50)
    .action(async ({ team, limit }: { team: string; limit: number }) => {
      const rows = await withDatabase((database) =>
        database.read((sql) => listLatestAuditEvents(sql, team, limit)),
      );
      output.rows(
        rows.map((row) => ({ ...row, by: row.actor ?? row.client_id })),
        ['occurred_at', 'action', 'by', 'source_ip', 'resource_id', 'changed_fields', 'reason'],
      );
    });

  audit
    .command('verify')
    .description('check that no sealed line of the trail was changed or removed')
    .option('--team <team-id>', 'only this team', parseId)
    .option(
      '--noted <number:hash>',
      'the last line of an earlier check of the team, which must still be there',
      parseNoted,
    )
    .action(async ({ team, noted }: { team?: string; noted?: Noted }) => {
      if (noted && team === undefined) throw new LocalFailure('--noted needs --team.');
      const checks = await withDatabase((database) =>
        database.read(
          async (sql) => {
            const found = [];
            for (const teamId of team === undefined ? await listAuditedTeams(sql) : [team]) {
              found.push(await check(sql, teamId, noted));
            }
            return found;
          },
          { deadlineMs: 3_600_000 },
        ),
      );
      output.rows(
        checks.map(({ breaches, ...summary }) => ({ ...summary, breaches: breaches.length })),
        ['team_id', 'lines', 'last', 'waiting', 'breaches'],
      );
      const breaches = checks.flatMap((checked) => checked.breaches);
      if (breaches.length > 0) throw new LocalFailure(breaches.join('\n'));
      output.remark('Every line is as it was written. Note "last" outside the database.');
    });
}

async function check(sql: Sql, teamId: string, noted: Noted | undefined) {
  const broken = await verifyChain(sql, teamId, linesAtATime);
  const strays = await findStrays(sql, teamId, straysShown);
  const { waiting, removed } = await countUnsealed(sql, teamId);
  const { number, hash } = await findHead(sql, teamId);
  const breaches = [...broken, ...strays].map(
    (breach) =>
      `Team ${teamId}, ${breach.number === undefined ? 'unsealed' : `line ${String(breach.number)}`}, ` +
      `event ${breach.event_id}: ${breach.problem}.`,
  );
  if (removed > 0) {
    breaches.push(`Team ${teamId}: ${String(removed)} events were removed before their seal.`);
  }
  if (noted && (await findSeal(sql, teamId, noted.number)) !== noted.hash) {
    breaches.push(`Team ${teamId}: the noted line ${String(noted.number)} is gone or another.`);
  }
  const last = `${String(number)}:${Buffer.from(hash).toString('hex')}`;
  return { team_id: teamId, lines: number, last, waiting, breaches };
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 10_000) return limit;
  throw new InvalidArgumentError('A limit is an integer from 1 to 10000.');
}

function parseNoted(text: string): Noted {
  const [, number, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (number !== undefined && hash !== undefined) return { number: Number(number), hash };
  throw new InvalidArgumentError('Copy "last" of an earlier check: <number>:<hash>.');
}
