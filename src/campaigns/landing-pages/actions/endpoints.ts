import { Type } from 'typebox';
import type { EventType } from '../../../platform/events/event-type.ts';
import { landingPageArchived, landingPageUnpublished, landingPageUpdated } from '../../events.ts';
import { endpoint } from '../../../platform/http/endpoint.ts';
import type { Endpoint } from '../../../platform/http/endpoint.ts';
import { findBlocks } from '../../content-blocks/queries.ts';
import { penForBlocks } from '../../rendering/blocks.ts';
import { renderLandingPage } from '../../rendering/landing-page.ts';
import { PreviewFor, contactOf, previewFor } from '../../rendering/preview.ts';
import type { PreviewCall } from '../../rendering/preview.ts';
import { missingInBlocks } from '../../rendering/use-of-blocks.ts';
import { LandingPage } from '../landing-page.ts';
import { addPage, lockPage, nextStatus, pageKeyOf, recordPage } from '../lifecycle.ts';
import type { PageCall } from '../lifecycle.ts';
import { publish, snapshotOf } from '../publish.ts';
import { findFreeSlug, requireLandingPage, updateLandingPageRow } from '../queries.ts';
import { cutShown, cutText } from '../../../platform/cut-text.ts';

const tag = 'Landing pages';
const path = '/v2/partner/landing-pages/{id}';
const readScope = 'partner:landing_pages:read';
const writeScope = 'partner:landing_pages:write';

export const publishLandingPage = endpoint({
  id: 'publishLandingPage',
  method: 'POST',
  path: `${path}/publish`,
  summary: 'Publish the current content of a landing page',
  description:
    'Publishes the current content of the landing page and records the event landing_page.published. ' +
    'Visitors see this version until the next publication. A page that lacks content is ' +
    'refused with 422, and meta.missing names the gaps.',
  errors: ['invalid_state_transition', 'landing_page_incomplete', 'precondition_failed'],
  tag,
  scope: writeScope,
  rateClass: 'execute',
  audit: 'landing_page.published',
  response: LandingPage,
  handle: async (call) => publish(call.sql, pageKeyOf(call), await lockPage(call)),
});

/** Verb of each action in the audit trail. */
const verbs = { unpublish: 'unpublished', archive: 'archived', unarchive: 'unarchived' } as const;

/** Declares an action that changes the status and nothing that visitors would see of the page. */
function action(
  id: string,
  name: keyof typeof verbs,
  event: EventType,
  texts: Pick<Endpoint, 'summary' | 'description'>,
) {
  return endpoint({
    id,
    method: 'POST',
    path: `${path}/${name}`,
    ...texts,
    errors: ['invalid_state_transition', 'slug_taken', 'precondition_failed'],
    tag,
    scope: writeScope,
    rateClass: 'execute',
    audit: `landing_page.${verbs[name]}`,
    response: LandingPage,
    async handle(call) {
      const before = await lockPage(call);
      const status = nextStatus(before, name);
      const archived_at = status === 'archived' ? new Date().toISOString() : null;
      const changes = { slug: before.slug, status, archived_at };
      const after = await updateLandingPageRow(call.sql, pageKeyOf(call), changes);
      recordPage(call.sql, event, after, before);
      return after;
    },
  });
}

export const unpublishLandingPage = action(
  'unpublishLandingPage',
  'unpublish',
  landingPageUnpublished,
  {
    summary: 'Unpublish a landing page; it becomes a draft',
    description:
      'Unpublishes a landing page, which becomes a draft. Visitors see that ' +
      'the page does not exist. A page that is not published is refused with 409. The event ' +
      'landing_page.unpublished is recorded.',
  },
);
export const archiveLandingPage = action('archiveLandingPage', 'archive', landingPageArchived, {
  summary: 'Archive a landing page; it is unpublished and its slug becomes free',
  description:
    'Archives a landing page, and unpublishes it if it was published. Its slug is free for ' +
    'another page. The event landing_page.archived is recorded. It can be unarchived.',
});
export const unarchiveLandingPage = action(
  'unarchiveLandingPage',
  'unarchive',
  landingPageUpdated,
  {
    summary: 'Unarchive a landing page as a draft; its slug must be free',
    description:
      'Unarchives a landing page as a draft. If another page has taken its slug, the answer is ' +
      '409. The event landing_page.updated is recorded. Publish it to show it again.',
  },
);

export const duplicateLandingPage = endpoint({
  id: 'duplicateLandingPage',
  method: 'POST',
  path: `${path}/duplicate`,
  summary: 'Duplicate a landing page as a draft with a new slug',
  description:
    'Creates a draft with the same content under a slug of its own. Without a slug in the ' +
    'body, a free one is derived from the original. The original and its statistics stay as ' +
    'they are.',
  errors: ['quota_exceeded', 'slug_taken'],
  tag,
  scope: writeScope,
  rateClass: 'execute',
  audit: 'landing_page.created',
  body: Type.Object(
    {
      name: Type.Optional(LandingPage.properties.name),
      slug: Type.Optional(LandingPage.properties.slug),
    },
    { additionalProperties: false },
  ),
  bodyOptional: true,
  status: 201,
  response: LandingPage,
  location: path,
  async handle(call) {
    const { sql, teamId, body, services } = call;
    const page = await requireLandingPage(sql, pageKeyOf(call));
    const { title, description, locale, theme, seo, content_block_ids } = page;
    const name = body.name ?? `${cutShown(page.name, 113)} (copy)`;
    const stem = `${cutText(page.slug, 70)}-copy`.replaceAll(/-+/g, '-');
    const stems = [stem, ...Array.from({ length: 98 }, (_, at) => `${stem}-${String(at + 2)}`)];
    const slug = body.slug ?? (await findFreeSlug(sql, teamId, stems)) ?? stem;
    const content = { title, description, locale, theme, seo, content_block_ids };
    return addPage(sql, services.config.publicBaseUrl, teamId, { name, slug, ...content });
  },
});

const Preview = Type.Object(
  {
    html: Type.String({ description: 'The whole document, as publishing now would show it' }),
    missing: Type.Array(Type.String(), { description: 'Reasons that prevent its publication' }),
  },
  { title: 'landing_page_preview' },
);

async function preview(call: PageCall & PreviewCall, whom: Parameters<typeof contactOf>[1]) {
  const { sql, teamId } = call;
  const page = await requireLandingPage(sql, pageKeyOf(call));
  const blocks = await findBlocks(sql, teamId, page.content_block_ids);
  const snapshot = snapshotOf(page, blocks);
  const surroundings = { landing_page: { title: snapshot.title, url: page.url } };
  const contact = await contactOf(call, whom);
  // A page has one language and one time zone for all its visitors.
  const visitor = contact && { ...contact, locale: null, timezone: null };
  const shown = { ...whom, locale: whom.locale ?? page.locale };
  const values = await previewFor(call, visitor, shown, surroundings);
  const pen = await penForBlocks(snapshot.blocks, values);
  return {
    html: renderLandingPage(snapshot, pen),
    missing: missingInBlocks(blocks, 'landing_page'),
  };
}

export const previewLandingPage = endpoint({
  id: 'previewLandingPage',
  method: 'GET',
  path: `${path}/preview`,
  summary: 'Render the current landing page for a sample person',
  description:
    'Returns the document that a publication now would show to a sample person, and what ' +
    'prevents publication. Nothing is stored or published. Use renderLandingPage to show it ' +
    'to a contact.',
  tag,
  scope: readScope,
  rateClass: 'read',
  response: Preview,
  handle: (call) => preview(call, {}),
});

export const renderLandingPageFor = endpoint({
  id: 'renderLandingPage',
  method: 'POST',
  path: `${path}/render`,
  summary: 'Render the current landing page for a contact or given data',
  description:
    'Returns the document that a publication now would show to a contact or with given data, ' +
    'in the language of the page unless the body names one. Nothing is stored or published. ' +
    'The data of a contact needs the scope partner:contacts:read.',
  tag,
  scope: readScope,
  rateClass: 'read',
  audit: { none: 'question' },
  body: PreviewFor,
  bodyOptional: true,
  response: Preview,
  handle: (call) => preview(call, call.body),
});

export const landingPageActionEndpoints = [
  publishLandingPage,
  unpublishLandingPage,
  archiveLandingPage,
  unarchiveLandingPage,
  duplicateLandingPage,
  previewLandingPage,
  renderLandingPageFor,
];
