import { Type } from 'typebox';
import type { EventName } from '../../../events/catalog.ts';
import { endpoint } from '../../../http/endpoint.ts';
import type { Call } from '../../../http/endpoint.ts';
import { findBlocks } from '../../content-blocks/queries.ts';
import { penFor } from '../../rendering/blocks.ts';
import { renderLandingPage } from '../../rendering/landing-page.ts';
import { PreviewFor, previewFor } from '../../rendering/preview.ts';
import { missingInBlocks } from '../../rendering/use-of-blocks.ts';
import { LandingPage } from '../landing-page.ts';
import { addPage, lockPage, nextStatus, placeOf, recordPage } from '../lifecycle.ts';
import type { PageCall } from '../lifecycle.ts';
import { publish, snapshotOf } from '../publish.ts';
import { findFreeSlug, requireLandingPage, updateLandingPageRow } from '../queries.ts';

const tag = 'Landing pages';
const path = '/v2/partner/landing-pages/{id}';
const readScope = 'partner:landing_pages:read';
const writeScope = 'partner:landing_pages:write';

export const publishLandingPage = endpoint({
  id: 'publishLandingPage',
  method: 'POST',
  path: `${path}/publish`,
  summary: 'Show visitors the page as it is now, until it is published again',
  tag,
  scope: writeScope,
  rateClass: 'execute',
  audit: 'landing_page.published',
  response: LandingPage,
  handle: async (call) => publish(call.sql, placeOf(call), await lockPage(call)),
});

/** What the audit trail calls each action. */
const verbs = { unpublish: 'unpublished', archive: 'archived', unarchive: 'unarchived' } as const;

/** Declares an action that changes the status and nothing that visitors would see of the page. */
function action(id: string, name: keyof typeof verbs, event: EventName, summary: string) {
  return endpoint({
    id,
    method: 'POST',
    path: `${path}/${name}`,
    summary,
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
      const after = await updateLandingPageRow(call.sql, placeOf(call), changes);
      recordPage(call.sql, event, after, before);
      return after;
    },
  });
}

export const unpublishLandingPage = action(
  'unpublishLandingPage',
  'unpublish',
  'landing_page.unpublished',
  'Take a landing page down; it is a draft again',
);
export const archiveLandingPage = action(
  'archiveLandingPage',
  'archive',
  'landing_page.archived',
  'Archive a landing page, taken down if it was published; its slug is free again',
);
export const unarchiveLandingPage = action(
  'unarchiveLandingPage',
  'unarchive',
  'landing_page.updated',
  'Take a landing page out of the archive, as a draft; its slug must be free',
);

export const duplicateLandingPage = endpoint({
  id: 'duplicateLandingPage',
  method: 'POST',
  path: `${path}/duplicate`,
  summary: 'Make a draft with the same content, under a slug of its own',
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
    const page = await requireLandingPage(sql, placeOf(call));
    const { title, description, locale, theme, seo, content_block_ids } = page;
    const name = body.name ?? `${page.name.slice(0, 113)} (copy)`;
    const stem = `${page.slug.slice(0, 70)}-copy`.replaceAll(/-+/g, '-');
    const stems = [stem, ...Array.from({ length: 98 }, (_, at) => `${stem}-${String(at + 2)}`)];
    const slug = body.slug ?? (await findFreeSlug(sql, teamId, stems)) ?? stem;
    const content = { title, description, locale, theme, seo, content_block_ids };
    return addPage(sql, services.config.publicBaseUrl, teamId, { name, slug, ...content });
  },
});

const Preview = Type.Object(
  {
    html: Type.String({ description: 'The whole document, as publishing now would show it' }),
    missing: Type.Array(Type.String(), { description: 'What keeps it from publication' }),
  },
  { title: 'landing_page_preview' },
);

async function preview(
  call: PageCall & Pick<Call<unknown, unknown, unknown>, 'principal'>,
  whom: Parameters<typeof previewFor>[3],
) {
  const { sql, teamId, principal } = call;
  const page = await requireLandingPage(sql, placeOf(call));
  const blocks = await findBlocks(sql, teamId, page.content_block_ids);
  const { values, locale } = await previewFor(sql, teamId, principal, whom);
  return {
    html: renderLandingPage(snapshotOf(page, blocks), penFor(values), locale),
    missing: missingInBlocks(blocks, 'landing_page'),
  };
}

export const previewLandingPage = endpoint({
  id: 'previewLandingPage',
  method: 'GET',
  path: `${path}/preview`,
  summary: 'Show a landing page as it is now to a sample person',
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
  summary: 'Show a landing page as it is now to a contact or with given data',
  tag,
  scope: readScope,
  rateClass: 'read',
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
