import { changedFields } from '../../platform/events/record.ts';
import { writeFields } from '../../platform/schema/fields.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { warningField } from '../rendering/warnings.ts';
import { contentOf } from './body.ts';
import {
  ContentBlock,
  ContentBlockCreate,
  ContentBlockPatch,
  ContentBlockUsage,
  bodyLimitBytes,
  contentBlockFields,
} from './content-block.ts';
import { addBlock, inUse } from './lifecycle.ts';
import {
  contentBlockSource,
  deleteContentBlockRow,
  findUsage,
  lockContentBlock,
  requireContentBlock,
  updateContentBlockRow,
} from './queries.ts';

const tag = 'Content blocks';
const path = '/v2/partner/content-blocks';

export const listContentBlocks = listEndpoint({
  id: 'listContentBlocks',
  path,
  summary: 'List content blocks; archived ones only where a filter names is_archived',
  description:
    'Returns the content blocks of the team. Archived blocks are returned only where a filter ' +
    'names is_archived. Pages, messages and landing pages refer to a block by its id.',
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
  summary: 'Create a content block; its HTML is sanitized and its Liquid validated',
  description:
    'Creates a content block. HTML is sanitized and Liquid is checked; what is invalid is ' +
    'refused with 422 and its place. The key must be unique in the team, and a team has at ' +
    'most 10,000 blocks. Refer to the block from pages, messages and landing pages by its id.',
  errors: ['quota_exceeded', 'key_taken'],
  tag,
  scope: 'partner:content_blocks:write',
  rateClass: 'write',
  audit: 'content_block.created',
  bodyLimitBytes,
  bodyExample: {
    name: 'Greeting',
    key: 'greeting',
    kind: 'rich_text',
    body: { html: '<p>Hello {{ contact.first_name }}</p>' },
  },
  body: ContentBlockCreate,
  status: 201,
  response: ContentBlock,
  location: `${path}/{id}`,
  async handle({ sql, teamId, body: { name, key, kind, body, localizations = {} } }) {
    const { content, warnings } = await contentOf({ kind, body, localizations });
    const row = await addBlock(sql, teamId, { name, key, ...content });
    return { ...row, ...warningField(warnings) };
  },
});

export const getContentBlock = endpoint({
  id: 'getContentBlock',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get a content block',
  description:
    'Returns one content block with the number of places that use it. The places are listed ' +
    'by the operation getContentBlockUsage.',
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
  summary: 'Update a content block; published and launched content is not changed',
  description:
    'Changes the fields that the body names. Published landing pages and launched templates ' +
    'keep the content that they have. A change of the content increases version. Publish a ' +
    'landing page again to show the new content there.',
  errors: ['key_taken'],
  tag,
  scope: 'partner:content_blocks:write',
  rateClass: 'write',
  audit: 'content_block.updated',
  bodyLimitBytes,
  body: ContentBlockPatch,
  response: ContentBlock,
  async handle({ sql, teamId, params, body, checkPrecondition }) {
    const before = await lockContentBlock(sql, teamId, params.id);
    checkPrecondition(before);
    const wanted = writeFields(before, body, ['name', 'key', 'kind', 'body', 'localizations']);
    const { content, warnings } = await contentOf(wanted);
    const { name, key } = wanted;
    const isNew = changedFields(ContentBlock, before, { ...before, ...content }) !== undefined;
    const after = { name, key, ...content, version: before.version + (isNew ? 1 : 0) };
    const isChanged = changedFields(ContentBlock, before, { ...before, ...after }) !== undefined;
    const row = isChanged ? await updateContentBlockRow(sql, teamId, before.id, after) : before;
    return { ...row, ...warningField(warnings) };
  },
});

export const deleteContentBlock = endpoint({
  id: 'deleteContentBlock',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a content block that nothing refers to',
  description:
    'Deletes a content block permanently. A block that is in use is refused with 409. Archive a ' +
    'block instead where it may be needed again.',
  errors: ['content_block_in_use'],
  tag,
  scope: 'partner:content_blocks:delete',
  rateClass: 'write',
  audit: 'content_block.deleted',
  async handle({ sql, teamId, params: { id }, checkPrecondition }) {
    const block = await lockContentBlock(sql, teamId, id);
    checkPrecondition(block);
    if (Object.values(block.used_by).some((count) => count > 0)) throw inUse(block, 'referred to');
    await deleteContentBlockRow(sql, teamId, id);
    return undefined;
  },
});

export const getContentBlockUsage = endpoint({
  id: 'getContentBlockUsage',
  method: 'GET',
  path: `${path}/{id}/usage`,
  summary: 'List the pages, messages and landing pages that use a content block',
  description:
    'Returns the pages, messages and landing pages that refer to a content block. Use it ' +
    'before you change, archive or delete the block. Nothing is changed.',
  tag,
  scope: 'partner:content_blocks:read',
  rateClass: 'read',
  response: ContentBlockUsage,
  async handle({ sql, teamId, params }) {
    const { id } = await requireContentBlock(sql, teamId, params.id);
    return findUsage(sql, teamId, id);
  },
});

export const contentBlockEndpoints = [
  listContentBlocks,
  createContentBlock,
  getContentBlock,
  updateContentBlock,
  deleteContentBlock,
  getContentBlockUsage,
];
