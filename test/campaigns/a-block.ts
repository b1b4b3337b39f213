import { blockBodies, blockKinds } from '../../src/campaigns/content-blocks/content-block.ts';
import type { BlockKind } from '../../src/campaigns/content-blocks/content-block.ts';
import { valueOf } from '../contract/json-schema.ts';

/** The smallest body of a content block of this kind. */
function blockBodyOf(kind: BlockKind): unknown {
  if (kind !== 'form') return valueOf(blockBodies[kind]);
  const fields = [{ name: 'email', label: 'E-mail', kind: 'email' }];
  return { submit_label: 'Send', fields };
}

export const blocksOfEachKind = blockKinds.map((kind) => ({ kind, body: blockBodyOf(kind) }));
