import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Sql } from '../../database/client.ts';
import { OneOf, Text, writeFields } from '../../fields.ts';
import { changedFields } from '../../events/record.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Call } from '../../http/endpoint.ts';
import { fail } from '../../http/errors.ts';
import { listEndpoint } from '../../listing/list-endpoint.ts';
import { penFor, renderBlocks } from '../rendering/blocks.ts';
import type { BlockContent } from '../rendering/blocks.ts';
import { PreviewFor, previewFor } from '../rendering/preview.ts';
import { variablesIn } from '../rendering/sources.ts';
import { unknownVariables } from '../rendering/variables.ts';
import { contentOf } from './body.ts';
import {
  ContentBlock,
  ContentBlockCreate,
  ContentBlockPatch,
  ContentBlockUsage,
  blockKinds,
  contentBlockFields,
  maxContentBlocks,
} from './content-block.ts';
import type { ContentBlockRow } from './content-block.ts';
import {
  contentBlockSource,
  countContentBlocks,
  deleteContentBlockRow,
  findUsage,
  insertContentBlock,
  isShown,
  lockContentBlock,
  requireContentBlock,
  setArchived,
  updateContentBlockRow,
} from './queries.ts';
import type { BlockColumns } from './queries.ts';

const tag = 'Content blocks';
const path = '/v2/partner/content-blocks';
const bodyLimitBytes = 2_000_000;

export const listContentBlocks = listEndpoint({
  id: 'listContentBlocks',
  path,
  summary: 'List content blocks; archived ones only where a filter names is_archived',
  tag,
  scope: 'partner:content_blocks:read',
  item: ContentBlock,
  fields: contentBlockFields,
  defaultSort: '-updated_at',
  source: ({ teamId }) => contentBlockSource(teamId),
});

export const createContentBlock = endpoint({
  id: 'createContentBlock',
  method: 'POST',
  path,
  summary: 'Create a content block; its HTML is sanitised, its Liquid checked',
  tag,
  scope: 'partner:content_blocks:write',
  rateClass: 'write',
  bodyLimitBytes,
  body: ContentBlockCreate,
  status: 201,
  response: ContentBlock,
  location: `${path}/{id}`,
  handle: ({ sql, teamId, body: { name, key, kind, body, localizations = {} } }) =>
    addBlock(sql, teamId, { name, key, ...contentOf({ kind, body, localizations }) }),
});

async function addBlock(sql: Sql, teamId: string, block: Omit<BlockColumns, 'version'>) {
  if ((await countContentBlocks(sql, teamId)) >= maxContentBlocks) {
    throw fail('quota_exceeded', {
      detail: `A team has at most ${String(maxContentBlocks)} content blocks.`,
      meta: { quota: 'content_blocks', limit: maxContentBlocks },
    });
  }
  return insertContentBlock(sql, teamId, block);
}

export const getContentBlock = endpoint({
  id: 'getContentBlock',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get a content block',
  tag,
  scope: 'partner:content_blocks:read',
  rateClass: 'read',
  response: ContentBlock,
  handle: ({ sql, teamId, params }) => requireContentBlock(sql, teamId, params.id),
});

export const updateContentBlock = endpoint({
  id: 'updateContentBlock',
  method: 'PATCH',
  path: `${path}/{id}`,
  summary: 'Change a content block; what is published or launched keeps what it has',
  tag,
  scope: 'partner:content_blocks:write',
  rateClass: 'write',
  bodyLimitBytes,
  body: ContentBlockPatch,
  response: ContentBlock,
  async handle({ sql, teamId, params, body, checkPrecondition }) {
    const before = await lockContentBlock(sql, teamId, params.id);
    checkPrecondition(before);
    const wanted = writeFields(before, body, ['name', 'key', 'kind', 'body', 'localizations']);
    const content = contentOf(wanted);
    const { name, key } = wanted;
    const isNew = changedFields(ContentBlock, before, { ...before, ...content }) !== undefined;
    const after = { name, key, ...content, version: before.version + (isNew ? 1 : 0) };
    if (!changedFields(ContentBlock, before, { ...before, ...after })) return before;
    return updateContentBlockRow(sql, teamId, before.id, after);
  },
});

export const deleteContentBlock = endpoint({
  id: 'deleteContentBlock',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a content block that nothing refers to',
  tag,
  scope: 'partner:content_blocks:delete',
  rateClass: 'write',
  async handle({ sql, teamId, params: { id }, checkPrecondition }) {
    const block = await lockContentBlock(sql, teamId, id);
    checkPrecondition(block);
    if (Object.values(block.used_by).some((count) => count > 0)) throw inUse(block, 'referred to');
    await deleteContentBlockRow(sql, teamId, id);
    return undefined;
  },
});

function inUse({ used_by }: ContentBlockRow, how: string) {
  return fail('content_block_in_use', {
    detail: `The content block is ${how} by something that needs it.`,
    meta: { resource: 'content_block', used_by },
  });
}

export const archiveContentBlock = endpoint({
  id: 'archiveContentBlock',
  method: 'POST',
  path: `${path}/{id}/archive`,
  summary: 'Archive a content block that nothing launched or published shows',
  tag,
  scope: 'partner:content_blocks:write',
  rateClass: 'execute',
  response: ContentBlock,
  async handle({ sql, teamId, params: { id }, checkPrecondition }) {
    const block = await lockContentBlock(sql, teamId, id);
    checkPrecondition(block);
    if (block.is_archived) throw illegal('archived', 'archive', 'unarchive');
    if (await isShown(sql, teamId, id)) throw inUse(block, 'launched or published');
    return setArchived(sql, teamId, id, true);
  },
});

export const unarchiveContentBlock = endpoint({
  id: 'unarchiveContentBlock',
  method: 'POST',
  path: `${path}/{id}/unarchive`,
  summary: 'Take a content block out of the archive',
  tag,
  scope: 'partner:content_blocks:write',
  rateClass: 'execute',
  response: ContentBlock,
  async handle({ sql, teamId, params: { id }, checkPrecondition }) {
    const block = await lockContentBlock(sql, teamId, id);
    checkPrecondition(block);
    if (!block.is_archived) throw illegal('active', 'unarchive', 'archive');
    return setArchived(sql, teamId, id, false);
  },
});

function illegal(state: string, action: string, allowed: string) {
  return fail('invalid_state_transition', {
    detail: `A content block that is ${state} does not allow the action ${action}.`,
    meta: { resource: 'content_block', state, action, allowed_actions: [allowed] },
  });
}

export const duplicateContentBlock = endpoint({
  id: 'duplicateContentBlock',
  method: 'POST',
  path: `${path}/{id}/duplicate`,
  summary: 'Make a content block with the same content under another key',
  tag,
  scope: 'partner:content_blocks:write',
  rateClass: 'execute',
  body: Type.Object(
    { key: ContentBlock.properties.key, name: Type.Optional(Text(120)) },
    { additionalProperties: false },
  ),
  status: 201,
  response: ContentBlock,
  location: `${path}/{id}`,
  async handle({ sql, teamId, params, body }) {
    const {
      name,
      kind,
      body: content,
      localizations,
      variables,
    } = await requireContentBlock(sql, teamId, params.id);
    const copy = { kind, body: content, localizations, variables };
    const named = body.name ?? `${name.slice(0, 113)} (copy)`;
    return addBlock(sql, teamId, { name: named, key: body.key, ...copy });
  },
});

export const getContentBlockUsage = endpoint({
  id: 'getContentBlockUsage',
  method: 'GET',
  path: `${path}/{id}/usage`,
  summary: 'Name the pages, messages and landing pages that refer to a content block',
  tag,
  scope: 'partner:content_blocks:read',
  rateClass: 'read',
  response: ContentBlockUsage,
  async handle({ sql, teamId, params }) {
    const { id } = await requireContentBlock(sql, teamId, params.id);
    return findUsage(sql, teamId, id);
  },
});

/** What a render answers. */
const Rendered = Type.Object(
  {
    html: Type.String(),
    variables: Type.Array(Type.String()),
    unknown_variables: Type.Array(Type.String(), { description: 'They keep it from publication' }),
  },
  { title: 'rendered_content' },
);

async function show(
  { sql, teamId, principal }: Pick<Call<unknown, unknown, unknown>, 'sql' | 'teamId' | 'principal'>,
  block: BlockContent,
  whom: Static<typeof PreviewFor>,
) {
  const { values, locale } = await previewFor(sql, teamId, principal, whom);
  const variables = variablesIn(block.body, block.localizations);
  const html = renderBlocks([block], penFor(values), locale);
  return { html, variables, unknown_variables: unknownVariables(variables) };
}

export const renderContentBlock = endpoint({
  id: 'renderContentBlock',
  method: 'POST',
  path: `${path}/{id}/render`,
  summary: 'Show a content block as a contact, a sample person or given data would have it',
  tag,
  scope: 'partner:content_blocks:read',
  rateClass: 'read',
  body: PreviewFor,
  bodyOptional: true,
  response: Rendered,
  async handle(call) {
    const block = await requireContentBlock(call.sql, call.teamId, call.params.id);
    return show(call, block, call.body);
  },
});

export const previewContentBlock = endpoint({
  id: 'previewContentBlock',
  method: 'POST',
  path: `${path}/preview`,
  summary: 'Show a content block that is not kept yet',
  tag,
  scope: 'partner:content_blocks:read',
  rateClass: 'read',
  bodyLimitBytes,
  body: Type.Object(
    {
      ...PreviewFor.properties,
      kind: OneOf([...blockKinds]),
      body: ContentBlock.properties.body,
      localizations: Type.Optional(ContentBlock.properties.localizations),
    },
    { additionalProperties: false },
  ),
  response: Rendered,
  handle(call) {
    const { kind, body, localizations = {}, ...whom } = call.body;
    return show(call, { key: 'preview', ...contentOf({ kind, body, localizations }) }, whom);
  },
});

export const contentBlockEndpoints = [
  listContentBlocks,
  createContentBlock,
  previewContentBlock,
  getContentBlock,
  updateContentBlock,
  deleteContentBlock,
  archiveContentBlock,
  unarchiveContentBlock,
  duplicateContentBlock,
  getContentBlockUsage,
  renderContentBlock,
];
