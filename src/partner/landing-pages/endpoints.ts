import { Type } from 'typebox';
import type { Sql } from '../../database/client.ts';
import type { EventName } from '../../events/catalog.ts';
import { changedFields, recordEvent } from '../../events/record.ts';
import { writeFields } from '../../fields.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Call } from '../../http/endpoint.ts';
import { fail, failAll } from '../../http/errors.ts';
import { listEndpoint } from '../../listing/list-endpoint.ts';
import { ContentBlock } from '../content-blocks/content-block.ts';
import { findBlocks, loadBlocks } from '../content-blocks/queries.ts';
import type { KeptBlock } from '../content-blocks/queries.ts';
import { renderLandingPage } from '../rendering/landing-page.ts';
import { PreviewFor, previewFor } from '../rendering/preview.ts';
import { blockProblems, missingInBlocks } from '../rendering/use-of-blocks.ts';
import {
  LandingPage,
  LandingPageCreate,
  LandingPagePatch,
  landingPageFields,
  maxLandingPages,
} from './landing-page.ts';
import type { LandingPageRow } from './landing-page.ts';
import {
  countLandingPages,
  deleteLandingPageRow,
  findFreeSlug,
  insertLandingPage,
  landingPageSource,
  lockLandingPage,
  publishSnapshot,
  requireLandingPage,
  updateLandingPageRow,
} from './queries.ts';
import type { LandingPageContent, Place, Snapshot } from './queries.ts';
import { allowedActions, statusAfter } from './rules.ts';
import type { LandingPageAction } from './rules.ts';

const tag = 'Landing pages';
const path = '/v2/partner/landing-pages';
const readScope = 'partner:landing_pages:read';
const writeScope = 'partner:landing_pages:write';

type PageCall = Pick<
  Call<{ id: string }, unknown, unknown>,
  'sql' | 'teamId' | 'params' | 'services' | 'checkPrecondition'
>;

const placeOf = ({ teamId, params, services }: PageCall): Place => ({
  teamId,
  id: params.id,
  baseUrl: services.config.publicBaseUrl,
});

async function lock(call: PageCall): Promise<LandingPageRow> {
  const page = await lockLandingPage(call.sql, placeOf(call));
  call.checkPrecondition(page);
  return page;
}

async function record(sql: Sql, type: EventName, page: LandingPageRow, before?: LandingPageRow) {
  const previous = before && changedFields(LandingPage, before, page);
  recordEvent(sql, {
    teamId: page.team_id,
    type,
    data: page,
    sequence: page.lock_version,
    ...(previous && { previous }),
  });
}

export const listLandingPages = listEndpoint({
  id: 'listLandingPages',
  path,
  summary: 'List landing pages; archived ones only where a filter names status',
  tag,
  scope: readScope,
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

const blank: Omit<LandingPageContent, 'name' | 'slug'> = {
  title: null,
  description: null,
  locale: null,
  theme: {},
  seo: { noindex: true },
  content_block_ids: [],
};
const writable = [
  ...['name', 'slug', 'title', 'description', 'locale', 'theme', 'content_block_ids'],
] as const;

async function add(sql: Sql, baseUrl: string, teamId: string, content: LandingPageContent) {
  if ((await countLandingPages(sql, teamId)) >= maxLandingPages) {
    throw fail('quota_exceeded', {
      detail: `A team has at most ${String(maxLandingPages)} landing pages.`,
      meta: { quota: 'landing_pages', limit: maxLandingPages },
    });
  }
  const id = await insertLandingPage(sql, teamId, content);
  const page = await requireLandingPage(sql, { teamId, id, baseUrl });
  await record(sql, 'landing_page.created', page);
  return page;
}

async function checkBlocks(sql: Sql, teamId: string, ids: readonly string[]) {
  const problems = await blockProblems(sql, teamId, ids);
  if (problems.length > 0) throw failAll(problems);
}

export const createLandingPage = endpoint({
  id: 'createLandingPage',
  method: 'POST',
  path,
  summary: 'Create a landing page, a draft',
  tag,
  scope: writeScope,
  rateClass: 'write',
  audit: 'landing_page.created',
  body: LandingPageCreate,
  status: 201,
  response: LandingPage,
  location: `${path}/{id}`,
  async handle({ sql, teamId, body, services: { config } }) {
    const content_block_ids = (body.content_block_ids ?? []).map((id) => id.toLowerCase());
    await checkBlocks(sql, teamId, content_block_ids);
    const { name, slug } = body;
    const fields = writeFields({ ...blank, name, slug }, body, writable);
    const seo = { ...blank.seo, ...body.seo };
    return add(sql, config.publicBaseUrl, teamId, { ...fields, seo, content_block_ids });
  },
});

export const getLandingPage = endpoint({
  id: 'getLandingPage',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get a landing page',
  tag,
  scope: readScope,
  rateClass: 'read',
  response: LandingPage,
  handle: (call) => requireLandingPage(call.sql, placeOf(call)),
});

export const updateLandingPage = endpoint({
  id: 'updateLandingPage',
  method: 'PATCH',
  path: `${path}/{id}`,
  summary: 'Change a landing page; visitors see it once it is published again, a slug at once',
  tag,
  scope: writeScope,
  rateClass: 'write',
  audit: 'landing_page.updated',
  body: LandingPagePatch,
  response: LandingPage,
  async handle(call) {
    const { sql, teamId, body } = call;
    const before = await lock(call);
    const wanted = {
      ...writeFields(before, body, writable),
      seo: body.seo ? { ...blank.seo, ...body.seo } : before.seo,
      content_block_ids:
        body.content_block_ids?.map((id) => id.toLowerCase()) ?? before.content_block_ids,
    };
    if (!changedFields(LandingPage, before, { ...before, ...wanted })) return before;
    await checkBlocks(sql, teamId, wanted.content_block_ids);
    const after = await updateLandingPageRow(sql, placeOf(call), wanted);
    await record(sql, 'landing_page.updated', after, before);
    return after;
  },
});

export const deleteLandingPage = endpoint({
  id: 'deleteLandingPage',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a landing page that is not published',
  tag,
  scope: 'partner:landing_pages:delete',
  rateClass: 'write',
  audit: 'landing_page.deleted',
  async handle(call) {
    const page = await lock(call);
    nextStatus(page, 'delete');
    await deleteLandingPageRow(call.sql, call.teamId, page.id);
    return undefined;
  },
});

/** Throws 409 where the state does not allow the action. */
function nextStatus({ status }: LandingPageRow, action: LandingPageAction) {
  const next = statusAfter(status, action);
  if (next) return next;
  throw fail('invalid_state_transition', {
    detail: `A landing page that is ${status} does not allow the action ${action}.`,
    meta: {
      resource: 'landing_page',
      state: status,
      action,
      allowed_actions: allowedActions(status),
    },
  });
}

export const publishLandingPage = endpoint({
  id: 'publishLandingPage',
  method: 'POST',
  path: `${path}/{id}/publish`,
  summary: 'Show visitors the page as it is now, until it is published again',
  tag,
  scope: writeScope,
  rateClass: 'execute',
  audit: 'landing_page.published',
  response: LandingPage,
  async handle(call) {
    const { sql, teamId } = call;
    const page = await lock(call);
    nextStatus(page, 'publish');
    await checkBlocks(sql, teamId, page.content_block_ids);
    const blocks = await findBlocks(sql, teamId, page.content_block_ids);
    checkComplete(page, blocks);
    const published = await publishSnapshot(sql, placeOf(call), snapshotOf(page, blocks));
    await record(sql, 'landing_page.published', published);
    return published;
  },
});

function checkComplete({ title }: LandingPageRow, blocks: readonly KeptBlock[]) {
  const missing = [
    ...(title === null ? ['title'] : []),
    ...(blocks.length === 0 ? ['content_block'] : []),
    ...missingInBlocks(blocks, 'landing_page'),
  ];
  if (missing.length === 0) return;
  throw fail('landing_page_incomplete', {
    detail: `The landing page lacks: ${missing.join(', ')}.`,
    meta: { resource: 'landing_page', missing },
  });
}

function snapshotOf(page: LandingPageRow, blocks: readonly KeptBlock[]): Snapshot {
  const { title, description, locale, theme, seo } = page;
  const kept = blocks.map(({ id, key, kind, body, localizations, version }) => ({
    ...{ id, key, kind, body, localizations, version },
  }));
  return { title, description, locale, theme, seo, blocks: kept };
}

const verbs = { unpublish: 'unpublished', archive: 'archived', unarchive: 'unarchived' } as const;

/** Declares an action that changes the status and nothing that visitors would see of the page. */
function action(
  id: string,
  name: Exclude<LandingPageAction, 'publish' | 'delete'>,
  event: EventName,
  summary: string,
) {
  return endpoint({
    id,
    method: 'POST',
    path: `${path}/{id}/${name}`,
    summary,
    tag,
    scope: writeScope,
    rateClass: 'execute',
    audit: `landing_page.${verbs[name]}`,
    response: LandingPage,
    async handle(call) {
      const before = await lock(call);
      const status = nextStatus(before, name);
      const archived_at = status === 'archived' ? new Date().toISOString() : null;
      const changes = { slug: before.slug, status, archived_at };
      const after = await updateLandingPageRow(call.sql, placeOf(call), changes);
      await record(call.sql, event, after, event === 'landing_page.updated' ? before : undefined);
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
  path: `${path}/{id}/duplicate`,
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
  location: `${path}/{id}`,
  async handle(call) {
    const { sql, teamId, body, services } = call;
    const page = await requireLandingPage(sql, placeOf(call));
    const { title, description, locale, theme, seo, content_block_ids } = page;
    const name = body.name ?? `${page.name.slice(0, 113)} (copy)`;
    const stem = `${page.slug.slice(0, 70)}-copy`.replaceAll(/-+/g, '-');
    const stems = [stem, ...Array.from({ length: 98 }, (_, at) => `${stem}-${String(at + 2)}`)];
    const slug = body.slug ?? (await findFreeSlug(sql, teamId, stems)) ?? stem;
    const content = { title, description, locale, theme, seo, content_block_ids };
    return add(sql, services.config.publicBaseUrl, teamId, { name, slug, ...content });
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
    html: renderLandingPage(snapshotOf(page, blocks), values, locale),
    missing: missingInBlocks(blocks, 'landing_page'),
  };
}

export const previewLandingPage = endpoint({
  id: 'previewLandingPage',
  method: 'GET',
  path: `${path}/{id}/preview`,
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
  path: `${path}/{id}/render`,
  summary: 'Show a landing page as it is now to a contact or with given data',
  tag,
  scope: readScope,
  rateClass: 'read',
  body: PreviewFor,
  bodyOptional: true,
  response: Preview,
  handle: (call) => preview(call, call.body),
});

export const landingPageEndpoints = [
  listLandingPages,
  createLandingPage,
  getLandingPage,
  updateLandingPage,
  deleteLandingPage,
  publishLandingPage,
  unpublishLandingPage,
  archiveLandingPage,
  unarchiveLandingPage,
  duplicateLandingPage,
  previewLandingPage,
  renderLandingPageFor,
];
