import type { Sql } from '../../platform/database/sql.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { fail, failAll, withPointerPrefix } from '../../platform/http/errors.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { inUtc, toTimestamp } from '../../platform/time/rules.ts';
import { findContacts } from '../../contacts/queries.ts';
import { recordEngagement } from '../../engagement/engagement-events/record.ts';
import type { EventToRecord } from '../../engagement/engagement-events/record.ts';
import { reportProblems } from '../../engagement/engagement-events/rules.ts';
import { requireTeam } from '../../team/queries.ts';
import { eventOf } from '../engagement.ts';
import { askable } from '../identity/rules.ts';
import type { ShownJourneyRow } from '../journeys/queries.ts';
import { isLocked, journeyFor, proofs } from '../journeys/render.ts';
import { recipientOf, widgetBodyLimitBytes } from '../recipient.ts';
import { RecipientEventReceipt, RecipientEvents, maxRecipientEvents } from './event.ts';
import type { RecipientEvent } from './event.ts';
import { cutText } from '../../platform/cut-text.ts';
import { recordCompletions } from '../../engagement/completions/record.ts';
import { holdObjectives } from '../../campaigns/objectives/queries.ts';

/** An event of a page, once it is recorded. */
interface PageEvent {
  kind: string;
  page_id?: string | undefined;
  occurred_at: string;
}

/**
 * Completes the objectives of pages whose completion_rule these events meet, once per journey.
 * Pages of an ended journey, which are still shown, complete nothing.
 */
async function completeByPages(
  sql: Sql,
  journey: ShownJourneyRow,
  events: readonly PageEvent[],
): Promise<void> {
  if (!['scheduled', 'active', 'paused'].includes(journey.status)) return;
  const met = new Map<string, string>();
  for (const { kind, page_id, occurred_at } of events) {
    const page = journey.content.pages.find(({ id }) => id === page_id);
    if (!page?.objective_id || page.completion_rule === 'objective_completed') continue;
    if (proofs[page.completion_rule] === kind) met.set(page.objective_id, occurred_at);
  }
  if (met.size === 0) return;
  const objectives = await holdObjectives(sql, journey.team_id, { ids: [...met.keys()], keys: [] });
  await recordCompletions(
    sql,
    journey.team_id,
    objectives
      .filter(({ is_active, archived_at }) => is_active && archived_at === null)
      .map((objective) => ({
        objective,
        contactId: journey.contact_id,
        completedAt: met.get(objective.id) ?? '',
        source: 'widget' as const,
        uniqueId: `journey:${journey.id}`,
      })),
  );
}

export const recordRecipientEvents = endpoint({
  id: 'recordRecipientEvents',
  method: 'POST',
  path: '/v2/widget/journeys/{journey_id}/events',
  summary: 'Record up to 50 events of a recipient, all or none; repeats of a unique_id are ignored',
  description:
    'Records up to 50 events of a recipient, such as a page view. Either all of them are ' +
    'recorded or none. An event whose unique_id was recorded before in this journey counts as ' +
    'a duplicate. Events can complete objectives.',
  errors: ['too_many_items'],
  tag: 'Recipients',
  scope: 'widget:events:write',
  rateClass: 'widget',
  audit: { none: 'recipient' },
  body: RecipientEvents,
  bodyLimitBytes: widgetBodyLimitBytes,
  status: 202,
  response: RecipientEventReceipt,
  isLogged: false,
  async handle({ sql, teamId, principal, params, body: { events }, request }) {
    if (events.length > maxRecipientEvents) {
      throw fail('too_many_items', {
        detail: `A request takes at most ${String(maxRecipientEvents)} events.`,
        meta: { pointer: '/events', max: maxRecipientEvents },
      });
    }
    const recipient = recipientOf(principal);
    const journey = await journeyFor(sql, teamId, recipient, params.journey_id);
    const { assurance } = recipient;
    // Only this assurance opens pages by what is recorded of the contact.
    const asked = assurance === 'recognized' ? await findAsked(sql, journey) : undefined;
    const nowMs = Date.now();
    const problems = events.flatMap((event, at) =>
      [...reportProblems(event, nowMs), ...pageProblems({ journey, assurance, asked }, event)].map(
        (problem) => withPointerPrefix(problem, `/events/${String(at)}`),
      ),
    );
    if (problems.length > 0) throw failAll(problems);
    const agent = cutText(request.headers['user-agent'] ?? '', 512);
    const about = { ...eventOf(principal, journey), ...(agent && { user_agent: agent }) };
    const requested = events.map((event) => toRecord(event, journey, about, nowMs));
    const recorded = await recordEngagement(sql, teamId, requested);
    const fresh = requested.filter((_, at) => recorded[at]?.status === 'created');
    await completeByPages(sql, journey, fresh);
    return { accepted: fresh.length, duplicates: requested.length - fresh.length };
  },
});

async function findAsked(sql: Sql, { team_id: teamId, contact_id }: ShownJourneyRow) {
  const [[contact], team] = await Promise.all([
    findContacts(sql, teamId, [contact_id]),
    requireTeam(sql, teamId),
  ]);
  return askable(contact, team);
}

/** A page that the recipient cannot see is none of theirs. */
function pageProblems(
  view: Parameters<typeof isLocked>[0],
  { page_id }: RecipientEvent,
): Problem[] {
  if (page_id === undefined) return [];
  const page = view.journey.content.pages.find(({ id }) => id === page_id.toLowerCase());
  if (page && !isLocked(view, page)) return [];
  const meta = { pointer: '/page_id', rule: 'reference_not_found' };
  return [{ code: 'validation_failed', detail: 'The journey has no such page.', meta }];
}

/** A key of a recipient is unique within the journey, so that it cannot collide with others. */
function toRecord(
  { unique_id, kind, occurred_at, page_id, properties }: RecipientEvent,
  { id }: ShownJourneyRow,
  about: Omit<EventToRecord, 'kind' | 'occurred_at'>,
  nowMs: number,
): EventToRecord {
  return {
    ...about,
    kind,
    unique_id: `journey:${id}:${unique_id}`,
    occurred_at: occurred_at ? inUtc(occurred_at) : toTimestamp(nowMs),
    ...(page_id && { page_id: page_id.toLowerCase() }),
    ...(properties && { properties }),
  };
}

export const recipientEventEndpoints = [recordRecipientEvents];
