import { countRows } from '../../platform/database/count-rows.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { fail } from '../../platform/http/errors.ts';
import { checkQuota } from '../../platform/resources/quota.ts';
import { maxContentBlocks } from './content-block.ts';
import type { ContentBlockRow } from './content-block.ts';
import { insertContentBlock } from './queries.ts';
import type { BlockColumns } from './queries.ts';

/** Makes a block; the quota of the team and the key are checked. */
export async function addBlock(sql: Sql, teamId: string, block: Omit<BlockColumns, 'version'>) {
  await checkQuota(sql, teamId, {
    name: 'content_blocks',
    limit: maxContentBlocks,
    count: countRows('content_blocks'),
  });
  return insertContentBlock(sql, teamId, block);
}

/** The 409 of what would break something that shows the block. */
export function inUse({ used_by }: ContentBlockRow, how: string) {
  return fail('content_block_in_use', {
    detail: `The content block is ${how} by something that needs it.`,
    meta: { resource: 'content_block', used_by },
  });
}
