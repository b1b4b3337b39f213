import type { Database } from '../../platform/database/client.ts';
import { listFailures } from '../runs/items/queries.ts';
import type { RunRow } from '../runs/queries.ts';

/** Failed items that are read at a time. */
const failureBatch = 1_000;

const columns = ['index', 'status', 'code', 'pointer', 'detail'];

/** Failed items of a run with their errors, as lines of CSV (RFC 4180): one for each error. */
export async function* errorsCsv(database: Database, run: RunRow): AsyncGenerator<string> {
  yield lineOf(columns);
  for await (const items of failuresOf(database, run)) {
    const lines = items.flatMap(({ index, errors }) =>
      errors.map(({ code, detail, meta }) => {
        const pointer: unknown = meta?.['pointer'];
        return lineOf([
          String(index),
          'failed',
          code,
          typeof pointer === 'string' ? pointer : '',
          detail,
        ]);
      }),
    );
    yield lines.join('');
  }
}

/** Each page uses its own connection, so that a slow reader occupies none. */
async function* failuresOf(database: Database, run: RunRow) {
  for (let after = -1; ;) {
    const from = after;
    const page = await database.read((sql) => listFailures(sql, run, from, failureBatch));
    yield page;
    const last = page.at(-1);
    if (!last || page.length < failureBatch) return;
    after = last.index;
  }
}

function lineOf(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

/** A spreadsheet would run a text that begins like a formula. */
function cellOf(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
