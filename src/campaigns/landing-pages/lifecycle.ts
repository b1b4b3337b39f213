import { countRows } from '../../platform/database/count-rows.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { EventType } from '../../platform/events/event-type.ts';
import { changedFields, recordEvent } from '../../platform/events/record.ts';
import { landingPageCreated, landingPageUpdated } from '../events.ts';
import type { Call } from '../../platform/http/endpoint.ts';
import { actionNotAllowed, failAll } from '../../platform/http/errors.ts';
import { blockProblems } from '../rendering/use-of-blocks.ts';
import { checkQuota } from '../../platform/resources/quota.ts';
import { LandingPage, maxLandingPages } from './landing-page.ts';
import type { LandingPageRow } from './landing-page.ts';
import { insertLandingPage, lockLandingPage, requireLandingPage } from './queries.ts';
import type { LandingPageContent, PageKey } from './queries.ts';
import { allowedActions, statusAfter } from './rules.ts';
import type { LandingPageAction } from './rules.ts';

/** A request for one landing page. */
export type PageCall = Pick<
  Call<{ id: string }, unknown, unknown>,
  'sql' | 'teamId' | 'params' | 'services' | 'checkPrecondition'
>;

export const pageKeyOf = ({ teamId, params, services }: PageCall): PageKey => ({
  teamId,
  id: params.id,
  baseUrl: services.config.publicBaseUrl,
});

/** Locks the page of a call, or throws 404 or 412. */
export async function lockPage(call: PageCall): Promise<LandingPageRow> {
  const page = await lockLandingPage(call.sql, pageKeyOf(call));
  call.checkPrecondition(page);
  return page;
}

/** Creates a draft with its event; checks the quota of the team and the slug. */
export async function addPage(
  sql: Sql,
  baseUrl: string,
  teamId: string,
  content: LandingPageContent,
): Promise<LandingPageRow> {
  await checkQuota(sql, teamId, {
    name: 'landing_pages',
    limit: maxLandingPages,
    count: countRows('landing_pages'),
  });
  const id = await insertLandingPage(sql, teamId, content);
  const page = await requireLandingPage(sql, { teamId, id, baseUrl });
  recordPage(sql, landingPageCreated, page);
  return page;
}

/** Throws 422 for each block that is none of the team's. */
export async function checkBlocks(sql: Sql, teamId: string, ids: readonly string[]): Promise<void> {
  const problems = await blockProblems(sql, teamId, ids);
  if (problems.length > 0) throw failAll(problems);
}

/** Throws 409 where the state does not allow the action. */
export function nextStatus({ status }: LandingPageRow, action: LandingPageAction) {
  const next = statusAfter(status, action);
  if (next) return next;
  const allowed = allowedActions(status);
  throw actionNotAllowed('landing_page', { state: status, action, allowed });
}

/** Stores an event about a page; `before` gives "updated" its `previous`. */
export function recordPage(
  sql: Sql,
  type: EventType,
  page: LandingPageRow,
  before?: LandingPageRow,
): void {
  const previous =
    type === landingPageUpdated && before ? changedFields(LandingPage, before, page) : undefined;
  recordEvent(sql, {
    teamId: page.team_id,
    type,
    data: page,
    sequence: page.lock_version,
    ...(previous && { previous }),
  });
}
