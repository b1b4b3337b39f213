import type { BatchOperation, Onward } from '../../../typescript/src/index.ts';

const maxShown = 10;

/** Sentences about what failed: the first records with their rows, and where the rest is. */
export async function describeFailures(
  onward: Onward,
  { id, error, failed_count: failed, total_count: total = 0 }: BatchOperation,
  isCsv: boolean,
  signal: AbortSignal,
): Promise<string[]> {
  const whole = error ? [`${error.code}: ${error.detail}`] : [];
  if (failed === 0) return whole;
  const query = { filter: { status: 'failed' }, page: { size: maxShown } } as const;
  const { data } = await onward.batchOperations.listItems(id, query, { signal });
  const rest = failed - data.length;
  return [
    ...whole,
    `${String(failed)} of ${String(total)} records failed:`,
    ...data.map(({ index, errors }) => `  ${placeOf(index, isCsv)}: ${sentenceOf(errors)}`),
    ...(rest > 0 ? [`  and ${String(rest)} more.`] : []),
    `\`onward batch-operations get-errors ${id}\` writes all of them as CSV.`,
  ];
}

/** As a spreadsheet counts rows that are not empty: the first one has the names. */
const placeOf = (index: number, isCsv: boolean) =>
  isCsv ? `Row ${String(index + 2)}` : `Record ${String(index + 1)}`;

function sentenceOf(errors: readonly { code: string; detail: string }[]): string {
  const [first, ...more] = errors;
  if (!first) return 'failed.';
  return more.length === 0 ? first.detail : `${first.detail} (and ${String(more.length)} more)`;
}
