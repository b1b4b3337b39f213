import type { Problem } from '../../platform/http/errors.ts';

const columns = ['index', 'status', 'code', 'pointer', 'detail'];

/** Failed items with their errors, as lines of CSV (RFC 4180): one for each error. */
export async function* errorsCsv(
  pages: AsyncIterable<readonly { index: number; errors: readonly Problem[] }[]>,
): AsyncGenerator<string> {
  yield lineOf(columns);
  for await (const items of pages) {
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

function lineOf(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

/** A spreadsheet would run a text that begins like a formula. */
function cellOf(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
