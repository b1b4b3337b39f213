import { withinEntitlement } from '../../platform/auth/scopes.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { findSchedulerEntitlement } from './history/queries.ts';
import { findBlocks } from '../content-blocks/queries.ts';
import { textsOf } from '../messages/content.ts';
import type { MessageRow } from '../messages/message.ts';
import type { PageRow } from '../pages/page.ts';
import { findReadyCohorts } from '../../cohorts/queries.ts';
import { variablesIn } from '../rendering/sources.ts';
import { missingInBlocks } from '../rendering/use-of-blocks.ts';
import { unknownVariables } from '../rendering/variables.ts';
import type { TemplateRow } from './queries.ts';

/** Target cohorts whose members are not known, as `meta.missing` names them. */
export async function missingCohorts(
  sql: Sql,
  { team_id, entry, target_cohort_ids: ids }: TemplateRow,
): Promise<string[]> {
  if (entry === 'manual' || ids.length === 0) return [];
  const ready = await findReadyCohorts(sql, team_id, ids);
  return ids.flatMap((id) => (ready.has(id) ? [] : [`target_cohorts/${id}`]));
}

/** The right to launch, where the client that scheduled the template has lost it since. */
export async function missingRights(sql: Sql, row: TemplateRow): Promise<string[]> {
  const entitled = await findSchedulerEntitlement(sql, row);
  if (!entitled || withinEntitlement([launchScope], entitled).length > 0) return [];
  return [`scopes/${launchScope}`];
}

const launchScope = 'partner:templates:write';

/**
 * Reasons why the content of pages and messages cannot be launched, in the form of `meta.missing`:
 * archived blocks, variables without a value, deleted pages. The launch fails early, so that no
 * send fails later.
 */
export async function missingContent(
  sql: Sql,
  teamId: string,
  pages: readonly PageRow[],
  messages: readonly MessageRow[],
): Promise<string[]> {
  const missing: string[] = [];
  for (const { id, title, content_block_ids } of pages) {
    const unknown = unknownVariables(await variablesIn({ title }), 'page');
    missing.push(...unknown.map((path) => `pages/${id}/variables/${path}`));
    missing.push(...missingInBlocks(await findBlocks(sql, teamId, content_block_ids), 'page'));
  }
  const pageIds = new Set(pages.map(({ id }) => id));
  for (const message of messages) {
    const { id, content_block_ids, trigger, data_schema } = message;
    const unknown = unknownVariables(await variablesIn(textsOf(message)), 'message', data_schema);
    missing.push(...unknown.map((path) => `messages/${id}/variables/${path}`));
    if (trigger.page_id !== undefined && !pageIds.has(trigger.page_id.toLowerCase())) {
      missing.push(`messages/${id}/trigger/page_id`);
    }
    const blocks = await findBlocks(sql, teamId, content_block_ids);
    missing.push(...missingInBlocks(blocks, 'message', data_schema));
  }
  return [...new Set(missing)];
}
