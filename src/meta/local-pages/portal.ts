import { plainPage } from '../../platform/content/plain-page.ts';
import type { PlainPage } from '../../platform/content/plain-page.ts';
import type { Services } from '../../platform/http/services.ts';
import { isUuid } from '../../platform/schema/fields.ts';
import { findPortalFrame } from '../../team/portal-sessions/queries.ts';
import { isTeamPage, teamPage } from './pages.ts';

/** The page at a link without a session, also of one that was ended. */
const overPage: PlainPage = {
  status: 404,
  html: plainPage(
    'This link is over.',
    '<p>The link was already used, has expired, or was ended. Request a new one where you got it.</p>',
  ),
};

/**
 * One of the team's pages below the address of a portal session; undefined for any other path. The
 * page has no data: its script exchanges the secret of the link for a token.
 */
export async function portalPage(
  services: Services,
  urlPath: string,
): Promise<PlainPage | undefined> {
  const [, id = '', name = ''] = /^\/portal\/([\w-]{36})\/([a-z]{1,40})$/.exec(urlPath) ?? [];
  if (!isUuid(id) || !isTeamPage(name)) return undefined;
  const frame = await services.database.read((sql) => findPortalFrame(sql, id), {
    isPipelined: true,
  });
  if (!frame) return overPage;
  const frameAncestors = frame.allowed_origins;
  if (frame.is_over) return { ...overPage, frameAncestors };
  const base = `/portal/${id.toLowerCase()}`;
  return { status: 200, html: teamPage(services, name, base), frameAncestors };
}
