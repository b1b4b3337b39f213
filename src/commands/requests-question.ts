import { parseArgs } from 'node:util';
import { LocalFailure } from '../local/local-failure.ts';
import type { RequestSearch } from '../meta/requests/queries.ts';

const usage =
  'npm run requests -- --team <id or name> [--status 4xx] [--operation createContact] ' +
  '[--since 1h] [--id <request id>] [--limit 100] [--follow] [--json]';

/** Reads the arguments of `npm run requests`; throws what the user can correct. */
export function readQuestion(args: readonly string[], nowMs: number) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      team: { type: 'string' },
      status: { type: 'string' },
      operation: { type: 'string' },
      since: { type: 'string', default: '7d' },
      id: { type: 'string' },
      limit: { type: 'string', default: '100' },
      follow: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const { team, status, follow, json } = values;
  if (team === undefined) throw new LocalFailure(`Say whose requests: ${usage}`);
  const search: RequestSearch = {
    sinceMs: nowMs - durationMs(values.since),
    status: status === undefined ? undefined : statusRange(status),
    operation: values.operation,
    requestId: values.id,
    limit: limitOf(values.limit),
  };
  return { team, search, follow, isJson: json };
}

const units: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** "404", or "4xx" for all of a kind. */
function statusRange(text: string): [from: number, to: number] {
  const [, kind] = /^([1-5])xx$/i.exec(text) ?? [];
  if (kind !== undefined) return [Number(kind) * 100, Number(kind) * 100 + 99];
  if (/^[1-5]\d\d$/.test(text)) return [Number(text), Number(text)];
  throw new LocalFailure('--status takes a status such as 404, or 4xx.');
}

function durationMs(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const { [unit]: unitMs } = units;
  if (count !== undefined && unitMs !== undefined) return Number(count) * unitMs;
  throw new LocalFailure('--since takes seconds, minutes, hours or days: 30s, 15m, 1h, 2d.');
}

function limitOf(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 10_000) return limit;
  throw new LocalFailure('--limit takes a number from 1 to 10000.');
}
