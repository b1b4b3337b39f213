import type { Sql } from './sql.ts';

/**
 * The function `folded` of the database for these texts. It is asked only about texts beyond ASCII,
 * whose folding is that of lower case.
 */
export async function foldingOf(
  sql: Sql,
  texts: readonly string[],
): Promise<(text: string) => string> {
  const nonAscii = [...new Set(texts)].filter((text) => /[^\0-\x7f]/.test(text));
  if (nonAscii.length === 0) return (text) => text.toLowerCase();
  const rows = await sql<{ text: string; form: string }[]>`
    select text, folded(text) as form from unnest(${nonAscii}::text[]) as text`;
  const forms = new Map(rows.map(({ text, form }) => [text, form]));
  return (text) => forms.get(text) ?? text.toLowerCase();
}
