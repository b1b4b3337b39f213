import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { installationTrail } from '../../platform/http/audit.ts';
import { LocalFailure } from '../../local/local-failure.ts';
import {
  countUnsealed,
  findHead,
  findSeal,
  findStrays,
  listAuditedTeams,
  verifyChain,
} from '../../team/audit-events/sealing/queries.ts';
import { listLatestAuditEvents } from '../../team/audit-events/queries.ts';
import { headText } from '../../team/audit-events/sealing/chain.ts';
import type { Output } from '../../../sdk/cli/src/output.ts';
import { parseId, parseLimit } from './arguments.ts';
import { openServiceKeys, withDatabase } from './connection.ts';

const linesAtATime = 1_000;
const straysShown = 100;
/** The verification of a long trail may take minutes. */
const slowly = { deadlineMs: 3_600_000 };

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
    .command('heads')
    .description('show the last line of each trail, to be kept outside the database')
    .action(async () => {
      const rows = await withDatabase((database) =>
        database.read(async (sql) => {
          const heads = [];
          for (const teamId of await listAuditedTeams(sql)) {
            heads.push({ team_id: teamId, head: headText(await findHead(sql, teamId)) });
          }
          return heads;
        }, slowly),
      );
      output.rows(rows, ['team_id', 'head']);
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
    .option(
      '--heads <file>',
      'earlier output of `audit heads --json`, or lines of the log with `head`; all must be there',
    )
    .action(async ({ team, noted, heads }: { team?: string; noted?: Noted; heads?: string }) => {
      if (noted && team === undefined) throw new LocalFailure('--noted needs --team.');
      const keyring = await openServiceKeys();
      const known = heads === undefined ? new Map<string, Noted[]>() : await readHeads(heads);
      if (noted && team !== undefined) known.set(team, [...(known.get(team) ?? []), noted]);
      const checks = await withDatabase((database) =>
        database.read(async (sql) => {
          const teams = new Set([...(await listAuditedTeams(sql)), ...known.keys()]);
          const found = [];
          for (const teamId of team === undefined ? teams : [team]) {
            found.push(await check(sql, keyring, teamId, known.get(teamId) ?? []));
          }
          return found;
        }, slowly),
      );
      output.rows(
        checks.map(({ breaches, ...summary }) => ({ ...summary, breaches: breaches.length })),
        ['team_id', 'lines', 'last', 'waiting', 'late', 'keyed_since', 'breaches'],
      );
      const breaches = checks.flatMap((checked) => checked.breaches);
      if (breaches.length > 0) throw new LocalFailure(breaches.join('\n'));
      output.remark('Every line is as it was written. Keep "last" outside the database.');
    });
}

async function check(sql: Sql, keyring: Keyring, teamId: string, noted: readonly Noted[]) {
  const report = await verifyChain(sql, keyring, teamId, linesAtATime);
  const strays = await findStrays(sql, teamId, straysShown);
  const { waiting, removed } = await countUnsealed(sql, teamId);
  const head = await findHead(sql, teamId);
  const breaches = [...report.breaches, ...strays].map(
    (breach) =>
      `Team ${teamId}, ${breach.number === undefined ? 'unsealed' : `line ${String(breach.number)}`}, ` +
      `event ${breach.event_id}: ${breach.problem}.`,
  );
  if (removed > 0) {
    breaches.push(`Team ${teamId}: ${String(removed)} events were removed before their seal.`);
  }
  for (const { number, hash } of noted) {
    if ((await findSeal(sql, teamId, number)) === hash) continue;
    breaches.push(`Team ${teamId}: the noted line ${String(number)} is gone or another.`);
  }
  const { late, keyedSince: keyed_since } = report;
  const last = headText(head);
  return { team_id: teamId, lines: head.number, last, waiting, late, keyed_since, breaches };
}

/** The heads of a file by their team: one JSON array, or a JSON object on each line. */
async function readHeads(path: string): Promise<Map<string, Noted[]>> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new LocalFailure(`The heads in ${path} cannot be read.`, { cause });
  });
  const heads = new Map<string, Noted[]>();
  for (const { team_id, head } of headLines(text)) {
    heads.set(team_id, [...(heads.get(team_id) ?? []), parseNoted(head)]);
  }
  if (heads.size > 0) return heads;
  throw new LocalFailure(`${path} holds no heads: neither a JSON array nor lines of the log.`);
}

function headLines(text: string): { team_id: string; head: string }[] {
  const isArray = text.trimStart().startsWith('[');
  const parts = isArray ? [text] : text.split('\n').filter((line) => line.startsWith('{'));
  return parts.flatMap((part): unknown => JSON.parse(part)).filter(isHeadLine);
}

function isHeadLine(line: unknown): line is { team_id: string; head: string } {
  if (typeof line !== 'object' || line === null) return false;
  if (!('team_id' in line) || !('head' in line)) return false;
  return typeof line.team_id === 'string' && typeof line.head === 'string';
}

function parseNoted(text: string): Noted {
  const [, number, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (number !== undefined && hash !== undefined) return { number: Number(number), hash };
  throw new InvalidArgumentError('Copy "last" of an earlier check: <number>:<hash>.');
}
