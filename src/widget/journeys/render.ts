import type { Assurance, Recipient } from '../../platform/auth/principal.ts';
import { renderText } from '../../platform/content/liquid.ts';
import type { Values } from '../../platform/content/liquid.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { fail } from '../../platform/http/errors.ts';
import type { Services } from '../../platform/http/services.ts';
import { findContacts } from '../../contacts/queries.ts';
import type { ContactRow } from '../../contacts/queries.ts';
import { linkUrl } from '../../messaging/journey-link.ts';
import { Compile } from 'typebox/compile';
import { blockBodies } from '../../campaigns/content-blocks/content-block.ts';
import type { PageRow } from '../../campaigns/pages/page.ts';
import type { BlockContent } from '../../campaigns/rendering/blocks.ts';
import { renderPage } from '../../campaigns/rendering/page.ts';
import { valuesFor } from '../../campaigns/rendering/audience.ts';
import { requireTeam } from '../../team/queries.ts';
import { findThemeOfTeam, widgetInstances } from '../widget-instances/queries.ts';
import type { WidgetInstanceRow } from '../widget-instances/widget-instance.ts';
import { askable, opensProtectedPages, raisingFactors } from '../identity/rules.ts';
import type { Askable } from '../identity/rules.ts';
import { isStepDone } from './rules.ts';
import type { TaskBlock } from './rules.ts';
import { findShownJourney } from './queries.ts';
import type { ShownJourneyRow } from './queries.ts';

/** Data of a page for a recipient. */
export interface RecipientView {
  journey: ShownJourneyRow;
  team: { name: string };
  widget: WidgetInstanceRow | undefined;
  theme: Readonly<Record<string, unknown>>;
  contact: ContactRow | undefined;
  /** Data of the contact for identity challenges. */
  asked: Askable | undefined;
  assurance: Assurance;
  locale: string;
  /** Values for Liquid; those of the contact are absent until the visitor is identified. */
  values: Values;
}

/** A visitor who is not known may have been forwarded the message. */
export const isKnown = (assurance: Assurance) => assurance !== 'none';

type Viewer = Pick<Recipient, 'journeyId' | 'widgetInstanceId' | 'assurance' | 'locale'>;

/** Throws 404 where the recipient has no such journey. */
export async function journeyFor(
  sql: Sql,
  teamId: string,
  { journeyId }: Viewer,
  wantedId: string,
): Promise<ShownJourneyRow> {
  // The path of a cookie is no security boundary: the session determines the journey.
  const journey =
    journeyId === wantedId ? await findShownJourney(sql, teamId, wantedId) : undefined;
  if (journey) return journey;
  throw fail('not_found', { detail: 'No such journey.', meta: { resource: 'journey' } });
}

/** Throws 404 where the recipient has no such journey. */
export async function viewOf(
  sql: Sql,
  { config, keyring }: Pick<Services, 'config' | 'keyring'>,
  teamId: string,
  recipient: Viewer,
  wantedId: string,
): Promise<RecipientView> {
  const { widgetInstanceId, assurance } = recipient;
  const journey = await journeyFor(sql, teamId, recipient, wantedId);
  const [[contact], team, widget, themeOfTeam] = await Promise.all([
    findContacts(sql, teamId, [journey.contact_id]),
    requireTeam(sql, teamId),
    widgetInstanceId === null ? undefined : widgetInstances.find(sql, teamId, widgetInstanceId),
    widgetInstanceId === null ? findThemeOfTeam(sql, teamId, journey.template_id) : undefined,
  ]);
  const link = { link_url: linkUrl(config.publicBaseUrl, keyring, journey) };
  const template = { name: journey.template_name, deadline_at: journey.deadline_at };
  const locale = recipient.locale ?? contact?.locale ?? widget?.locale ?? team.locale;
  return {
    journey,
    team,
    widget,
    theme: widget?.theme ?? themeOfTeam ?? {},
    contact,
    assurance,
    asked: askable(contact, team),
    locale,
    values: valuesFor({
      ...{ team, contact, locale },
      isContactShown: isKnown(assurance),
      surroundings: { template, ...(isKnown(assurance) && { journey: link }) },
    }),
  };
}

/** Everything of a journey but the content of its pages. */
export function renderJourney(view: RecipientView) {
  const { journey, team, widget, theme, locale } = view;
  const { objectives } = journey;
  const pages = journey.content.pages.map((page) => summaryOf(view, page));
  return {
    type: 'recipient_journey' as const,
    team_id: journey.team_id,
    journey: {
      ...journey,
      progress: {
        pages_viewed: pages.filter(({ is_viewed }) => is_viewed).length,
        pages_done: pages.filter(({ is_done }) => is_done).length,
        pages_total: pages.length,
        objectives_completed: objectives.filter(({ completed_at }) => completed_at !== null).length,
        objectives_total: objectives.length,
      },
    },
    team: { name: team.name },
    template: { id: journey.template_id, name: journey.template_name, theme },
    locale,
    widget: widget && widgetOf(widget),
    pages: pages.map((page) => ({ ...page, type: 'recipient_page_summary' as const })),
  };
}

/** A widget as its recipients see it. */
export const widgetOf = (widget: WidgetInstanceRow) => ({
  ...widget,
  type: 'recipient_widget' as const,
});

/** Whether a challenge could make the recipient known. */
export function canVerify({ journey, asked, assurance }: RecipientView): boolean {
  const { secure_personalization } = journey.content;
  return raisingFactors(assurance, secure_personalization, asked).length > 0;
}

/** Whether the recipient may not see a page before they have passed a challenge. */
export const isLocked = (
  { journey, assurance, asked }: Pick<RecipientView, 'journey' | 'assurance' | 'asked'>,
  page: PageRow,
) =>
  page.requires_identity_challenge &&
  !opensProtectedPages(assurance, journey.content.secure_personalization, asked);

/** A page of the version that the journey uses. Throws 404. */
export function pageOf({ journey }: RecipientView, pageId: string): PageRow {
  const page = journey.content.pages.find(({ id }) => id === pageId);
  if (page) return page;
  throw fail('not_found', { detail: 'No such page.', meta: { resource: 'page' } });
}

/** A page with its content, unless it waits for a challenge. */
export async function renderOnePage(view: RecipientView, page: PageRow) {
  const { journey, assurance, values } = view;
  const summary = { ...summaryOf(view, page), type: 'recipient_page' as const };
  if (summary.is_locked) return { ...summary, is_personalized: false };
  const html = await renderPage(page, blocksOf(journey, page), values);
  return { ...summary, is_personalized: isKnown(assurance), html };
}

/** The event that meets a completion_rule. */
export const proofs = {
  viewed: 'page.viewed',
  cta_clicked: 'page.cta_clicked',
  form_submitted: 'page.form_submitted',
} as const;

function blocksOf({ content }: ShownJourneyRow, page: PageRow) {
  const byId = new Map(content.content_blocks.map((block) => [block.id, block]));
  return page.content_block_ids.flatMap((id) => byId.get(id) ?? []);
}

const isCard = Compile(blockBodies.product_card);
const isChecklist = Compile(blockBodies.objective_checklist);

const taskOf = ({ kind, body }: BlockContent): TaskBlock => ({
  kind,
  hasButton: kind === 'product_card' && isCard.Check(body) && body.button !== undefined,
  objectiveKeys:
    kind === 'objective_checklist' && isChecklist.Check(body)
      ? body.items.map(({ objective_key }) => objective_key)
      : [],
});

function summaryOf(view: RecipientView, page: PageRow) {
  const { journey, values } = view;
  const { [page.id]: kinds = [] } = journey.page_events;
  const objective = journey.objectives.find(({ id }) => id === page.objective_id);
  const isCompleted =
    page.completion_rule === 'objective_completed'
      ? objective?.completed_at != null
      : kinds.includes(proofs[page.completion_rule]);
  return {
    ...page,
    team_id: journey.team_id,
    title: page.title === null ? page.name : renderText(page.title, values) || page.name,
    is_viewed: kinds.includes('page.viewed'),
    is_completed: isCompleted,
    is_done: isStepDone({
      page,
      isCompleted,
      kinds,
      blocks: blocksOf(journey, page).map(taskOf),
      objectives: new Map(
        journey.objectives.map(({ key, completed_at }) => [key, completed_at !== null]),
      ),
    }),
    is_locked: isLocked(view, page),
  };
}
