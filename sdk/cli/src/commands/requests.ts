import type { Command } from 'commander';
import type { LoggedRequest, Onward } from '../../../typescript/src/index.ts';
import { readCount, readSince } from '../arguments.ts';
import { UsageError } from '../failures.ts';
import { pauseUntil } from '../pause.ts';
import { openSession } from '../session.ts';
import type { Terminal } from '../session.ts';

interface TailOptions {
  status?: string;
  operation?: string;
  since: string;
  limit: string;
  once?: boolean;
}

const everyMs = 1_000;
/** Each API process writes a little behind, so that a request may come after a later one. */
const overlapMs = 15_000;

/** `onward requests tail`: the requests of the team, the latest last, and those to come. */
export function addRequests(program: Command, terminal: Terminal): void {
  const requests = program.command('requests').description('requests of the team');
  const tail = requests
    .command('tail')
    .description('shows the last requests, and those to come until Ctrl-C')
    .option('--status <status>', 'a status such as 404, or 4xx')
    .option('--operation <id>', 'of one operation, such as createContact')
    .option('--since <time>', '15m, 2h, 7d or a time', '15m')
    .option('--limit <count>', 'of the last requests', '20')
    .option('--once', 'show the last requests only');
  tail.action(async (options: TailOptions) => {
    const { onward, output } = openSession(terminal, tail);
    const show = (row: LoggedRequest) => output.event(row, lineOf(row));
    const filter = filterOf(options);
    const find = (sinceMs: string | number, limit: number) =>
      findRequests(onward, { ...filter, occurred_at: { gte: new Date(sinceMs) } }, limit);
    let found = await find(readSince(options.since, Date.now()), readCount(options.limit));
    for (const row of found) show(row);
    while (options.once !== true) {
      await pauseUntil(everyMs, terminal.signal);
      if (terminal.signal.aborted) return;
      const seen = new Set(found.map(({ id }) => id));
      const recent = await find(Date.now() - overlapMs, 1_000);
      for (const row of recent) if (!seen.has(row.id)) show(row);
      found = [...found, ...recent].slice(-2_000);
    }
  });
}

type Query = NonNullable<Parameters<Onward['meta']['listRequests']>[0]>;
type Filter = NonNullable<Query['filter']>;

function filterOf({ status, operation }: TailOptions): Filter {
  return {
    ...(operation !== undefined && { operation }),
    ...(status !== undefined && { status: statusOf(status) }),
  };
}

function statusOf(text: string) {
  const [, kind] = /^([1-5])xx$/i.exec(text) ?? [];
  if (kind !== undefined) return { gte: Number(kind) * 100, lte: Number(kind) * 100 + 99 };
  if (/^[1-5]\d\d$/.test(text)) return Number(text);
  throw new UsageError('--status takes a status such as 404, or 4xx.');
}

/** The latest ones, the oldest of them first. */
async function findRequests(onward: Onward, filter: Filter, limit: number) {
  const rows: LoggedRequest[] = [];
  const query = {
    sort: '-occurred_at',
    page: { size: Math.min(limit, 100) },
    ...{ filter },
  } as const;
  for await (const row of onward.meta.listRequests(query)) {
    rows.unshift(row);
    if (rows.length >= limit) break;
  }
  return rows;
}

function lineOf(row: LoggedRequest): string {
  const { occurred_at, status, duration_ms, method, path, operation, error_codes, request_id } =
    row;
  const time = occurred_at.slice(11, 19);
  const cells = [time, String(status), `${String(duration_ms)} ms`, operation, `${method} ${path}`];
  return [...cells, ...error_codes, request_id].join('  ');
}
