import type { Sql } from '../../platform/database/sql.ts';
import type { Problem } from '../../platform/http/errors.ts';
import type { DataSchema } from '../../platform/schema/data-schema.ts';
import { unknownBlocks } from '../content-blocks/queries.ts';
import type { VersionedBlock } from '../content-blocks/queries.ts';
import { maxHtmlLength } from './blocks.ts';
import { unknownVariables } from './variables.ts';
import type { Place } from './variables.ts';

/** A 422 for each id that a body newly refers to and that is no block of the team. */
export async function blockProblems(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
): Promise<Problem[]> {
  const unknown = await unknownBlocks(sql, teamId, ids);
  return ids.flatMap((id, at) => {
    if (!unknown.has(id)) return [];
    const pointer = `/content_block_ids/${String(at)}`;
    const meta = { pointer, rule: 'reference_not_found' };
    return [{ code: 'validation_failed', detail: 'The team has no such content block.', meta }];
  });
}

/** Reasons why these blocks cannot be shown in a place, in the form of `meta.missing`. */
export function missingInBlocks(
  blocks: readonly VersionedBlock[],
  place: Place,
  dataSchema: DataSchema | null = null,
): string[] {
  const length = blocks.reduce((sum, block) => sum + htmlLengthOf(block), 0);
  const missing = blocks.flatMap(({ id, variables, is_archived }) => [
    ...(is_archived ? [`content_blocks/${id}/unarchived`] : []),
    ...unknownVariables(variables, place, dataSchema).map(
      (path) => `content_blocks/${id}/variables/${path}`,
    ),
  ]);
  return length > maxHtmlLength ? [...missing, 'content_blocks/shorter_html'] : missing;
}

/** In the language in which it is longest. */
function htmlLengthOf({ body, localizations }: VersionedBlock): number {
  const lengths = [body, ...Object.values(localizations)].map((content) => {
    const html: unknown = Reflect.get(content, 'html');
    return typeof html === 'string' ? html.length : 0;
  });
  return Math.max(...lengths);
}
