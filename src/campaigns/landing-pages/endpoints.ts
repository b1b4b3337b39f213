import { changedFields } from '../../platform/events/record.ts';
import { landingPageUpdated } from '../events.ts';
import { writeFields } from '../../platform/schema/fields.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { ContentBlock } from '../content-blocks/content-block.ts';
import { loadBlocks } from '../content-blocks/queries.ts';
import {
  LandingPage,
  LandingPageCreate,
  LandingPagePatch,
  landingPageFields,
} from './landing-page.ts';
import { addPage, checkBlocks, lockPage, nextStatus, pageKeyOf, recordPage } from './lifecycle.ts';
import {
  deleteLandingPageRow,
  landingPageSource,
  requireLandingPage,
  updateLandingPageRow,
} from './queries.ts';
import type { LandingPageContent } from './queries.ts';

const tag = 'Landing pages';
const path = '/v2/partner/landing-pages';

const defaultSeo = { noindex: true };
const noContent: Pick<LandingPageContent, 'title' | 'description' | 'locale' | 'theme'> = {
  title: null,
  description: null,
  locale: null,
  theme: {},
};
const plainFields = ['name', 'slug', 'title', 'description', 'locale', 'theme'] as const;

export const listLandingPages = listEndpoint({
  id: 'listLandingPages',
  path,
  summary: 'List landing pages; archived ones only where a filter names status',
  description:
    'Returns the landing pages of the team. Archived pages are returned only where a filter ' +
    'names status. has_unpublished_changes marks drafts that visitors do not see yet.',
  tag,
  scope: 'partner:landing_pages:read',
  item: LandingPage,
  fields: landingPageFields,
  defaultSort: '-inserted_at',
  includes: {
    content_blocks: {
      scope: 'partner:content_blocks:read',
      item: ContentBlock,
      many: true,
      load: loadBlocks,
    },
  },
  source: ({ teamId, services }) => landingPageSource(teamId, services.config.publicBaseUrl),
});

export const createLandingPage = endpoint({
  id: 'createLandingPage',
  method: 'POST',
  path,
  summary: 'Create a landing page as a draft',
  description:
    'Creates a landing page as a draft. The slug must be unique in the team, and a team has ' +
    'at most 5,000 pages. Visitors see nothing before it is published. Preview and publish it ' +
    'next.',
  errors: ['quota_exceeded', 'slug_taken'],
  tag,
  scope: 'partner:landing_pages:write',
  rateClass: 'write',
  audit: 'landing_page.created',
  body: LandingPageCreate,
  status: 201,
  response: LandingPage,
  location: `${path}/{id}`,
  async handle({ sql, teamId, body, services: { config } }) {
    const { name, slug, content_block_ids: blockIds = [] } = body;
    const content_block_ids = blockIds.map((id) => id.toLowerCase());
    await checkBlocks(sql, teamId, content_block_ids);
    const fields = writeFields({ ...noContent, name, slug }, body, plainFields);
    const seo = { ...defaultSeo, ...body.seo };
    return addPage(sql, config.publicBaseUrl, teamId, { ...fields, seo, content_block_ids });
  },
});

export const getLandingPage = endpoint({
  id: 'getLandingPage',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get a landing page',
  description:
    'Returns one landing page with its public address and its status. It shows the content as ' +
    'edited, which can differ from the published content.',
  tag,
  scope: 'partner:landing_pages:read',
  rateClass: 'read',
  response: LandingPage,
  handle: (call) => requireLandingPage(call.sql, pageKeyOf(call)),
});

export const updateLandingPage = endpoint({
  id: 'updateLandingPage',
  method: 'PATCH',
  path: `${path}/{id}`,
  summary:
    'Update a landing page; visitors see changes after the next publish, a new slug immediately',
  description:
    'Changes the fields that the body names. Visitors see a change of the content after the ' +
    'next publication. A change of the slug takes effect immediately. A body that changes ' +
    'nothing records nothing.',
  errors: ['slug_taken'],
  tag,
  scope: 'partner:landing_pages:write',
  rateClass: 'write',
  audit: 'landing_page.updated',
  body: LandingPagePatch,
  response: LandingPage,
  async handle(call) {
    const { sql, teamId, body } = call;
    const before = await lockPage(call);
    const requested = {
      ...writeFields(before, body, plainFields),
      seo: body.seo ? { ...defaultSeo, ...body.seo } : before.seo,
      content_block_ids:
        body.content_block_ids?.map((id) => id.toLowerCase()) ?? before.content_block_ids,
    };
    if (!changedFields(LandingPage, before, { ...before, ...requested })) return before;
    await checkBlocks(sql, teamId, requested.content_block_ids);
    const after = await updateLandingPageRow(sql, pageKeyOf(call), requested);
    recordPage(sql, landingPageUpdated, after, before);
    return after;
  },
});

export const deleteLandingPage = endpoint({
  id: 'deleteLandingPage',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a landing page that is not published',
  description:
    'Deletes a landing page permanently. A published page is refused with 409: unpublish or ' +
    'archive it first. Its slug becomes free.',
  errors: ['invalid_state_transition'],
  tag,
  scope: 'partner:landing_pages:delete',
  rateClass: 'write',
  audit: 'landing_page.deleted',
  async handle(call) {
    const page = await lockPage(call);
    nextStatus(page, 'delete');
    await deleteLandingPageRow(call.sql, call.teamId, page.id);
    return undefined;
  },
});

export const landingPageEndpoints = [
  listLandingPages,
  createLandingPage,
  getLandingPage,
  updateLandingPage,
  deleteLandingPage,
];
