import { landingPagePublished } from '../events.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { fail } from '../../platform/http/errors.ts';
import { findBlocks } from '../content-blocks/queries.ts';
import type { VersionedBlock } from '../content-blocks/queries.ts';
import { missingInBlocks } from '../rendering/use-of-blocks.ts';
import type { LandingPageRow } from './landing-page.ts';
import { checkBlocks, nextStatus, recordPage } from './lifecycle.ts';
import { publishSnapshot } from './queries.ts';
import type { PageKey, Snapshot } from './queries.ts';

/**
 * Publishes the current content of a page, which is locked. Throws 409, and 422 if the page is
 * incomplete.
 */
export async function publish(
  sql: Sql,
  place: PageKey,
  page: LandingPageRow,
): Promise<LandingPageRow> {
  nextStatus(page, 'publish');
  await checkBlocks(sql, place.teamId, page.content_block_ids);
  const blocks = await findBlocks(sql, place.teamId, page.content_block_ids);
  checkComplete(blocks);
  const published = await publishSnapshot(sql, place, snapshotOf(page, blocks));
  recordPage(sql, landingPagePublished, published);
  return published;
}

function checkComplete(blocks: readonly VersionedBlock[]): void {
  const missing = missingInBlocks(blocks, 'landing_page');
  if (missing.length === 0) return;
  throw fail('landing_page_incomplete', {
    detail: `The landing page lacks: ${missing.join(', ')}.`,
    meta: { resource: 'landing_page', missing },
  });
}

/** The content that visitors see; the name is the title of a page without one. */
export function snapshotOf(page: LandingPageRow, blocks: readonly VersionedBlock[]): Snapshot {
  const { name, title, description, locale, theme, seo } = page;
  const kept = blocks.map(({ id, key, kind, body, localizations, version }) => ({
    id,
    key,
    kind,
    body,
    localizations,
    version,
  }));
  return { title: title ?? name, description, locale, theme, seo, blocks: kept };
}
