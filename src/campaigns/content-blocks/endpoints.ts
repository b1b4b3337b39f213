import { changedFields } from '../../platform/events/record.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { fail } from '../../platform/http/errors.ts';
import { standardEndpoints } from '../../platform/resources/standard-endpoints.ts';
import { warningField } from '../rendering/warnings.ts';
import { contentOf } from './body.ts';
import {
  ContentBlock,
  ContentBlockUsage,
  bodyLimitBytes,
  contentBlockFields,
  maxContentBlocks,
} from './content-block.ts';
import type { ContentBlockRow } from './content-block.ts';
import { contentBlocks, findUsage, isShown } from './queries.ts';

const standard = standardEndpoints(contentBlocks, {
  tag: 'Content blocks',
  path: '/v2/partner/content-blocks',
  scope: 'partner:content_blocks',
});

export const listContentBlocks = standard.list({
  summary: 'List content blocks; archived ones only where a filter names is_archived',
  description:
    'Returns the content blocks of the team. Archived blocks are returned only where a filter ' +
    'names is_archived. Pages, messages and landing pages refer to a block by its id.',
  fields: contentBlockFields,
  defaultSort: '-updated_at',
});

export const createContentBlock = standard.create({
  summary: 'Create a content block; its HTML is sanitized and its Liquid validated',
  description:
    'Creates a content block. HTML is sanitized and Liquid is checked; what is invalid is ' +
    'refused with 422 and its place. The key must be unique in the team, and a team has at ' +
    'most 10,000 blocks. Refer to the block from pages, messages and landing pages by its id.',
  bodyLimitBytes,
  bodyExample: {
    name: 'Greeting',
    key: 'greeting',
    kind: 'rich_text',
    body: { html: '<p>Hello {{ contact.first_name }}</p>' },
  },
  quota: maxContentBlocks,
  async handle({ sql, teamId, body: { name, key, kind, body, localizations = {} } }) {
    const { content, warnings } = await contentOf({ kind, body, localizations });
    const row = await contentBlocks.insert(sql, teamId, { name, key, ...content });
    return { ...row, ...warningField(warnings) };
  },
});

export const getContentBlock = standard.get({
  summary: 'Get a content block',
  description:
    'Returns one content block with the number of places that use it. The places are listed ' +
    'by the operation getContentBlockUsage.',
});

export const updateContentBlock = standard.update({
  summary: 'Update a content block; published and launched content is not changed',
  description:
    'Changes the fields that the body names. Published landing pages and launched templates ' +
    'keep the content that they have. A change of the content increases version. Publish a ' +
    'landing page again to show the new content there.',
  bodyLimitBytes,
  async handle({ sql, body }, before) {
    const { name, key, ...given } = contentBlocks.change(before, body);
    const { content, warnings } = await contentOf(given);
    const isNew = changedFields(ContentBlock, before, { ...before, ...content }) !== undefined;
    const after = { name, key, ...content, version: before.version + (isNew ? 1 : 0) };
    const isChanged = changedFields(ContentBlock, before, { ...before, ...after }) !== undefined;
    const row = isChanged ? await contentBlocks.update(sql, before, after) : before;
    return { ...row, ...warningField(warnings) };
  },
});

export const deleteContentBlock = standard.delete({
  summary: 'Delete a content block that nothing refers to',
  description:
    'Deletes a content block permanently. A block that is in use is refused with 409. Archive a ' +
    'block instead where it may be needed again.',
  errors: ['content_block_in_use'],
  async check({ sql, teamId }, { id }) {
    const { used_by } = await contentBlocks.require(sql, teamId, id);
    if (Object.values(used_by).some((count) => count > 0)) throw inUse(used_by, 'referred to');
  },
});

export const getContentBlockUsage = endpoint({
  id: 'getContentBlockUsage',
  method: 'GET',
  path: '/v2/partner/content-blocks/{id}/usage',
  summary: 'List the pages, messages and landing pages that use a content block',
  description:
    'Returns the pages, messages and landing pages that refer to a content block. Use it ' +
    'before you change, archive or delete the block. Nothing is changed.',
  tag: 'Content blocks',
  scope: 'partner:content_blocks:read',
  rateClass: 'read',
  response: ContentBlockUsage,
  async handle({ sql, teamId, params }) {
    const { id } = await contentBlocks.require(sql, teamId, params.id);
    return findUsage(sql, teamId, id);
  },
});

export const archiveContentBlock = standard.archive({
  summary: 'Archive a content block that no launched or published content uses',
  description:
    'Archives a content block. A block that is shown by something launched or published is ' +
    'refused with 409. It can be unarchived.',
  errors: ['content_block_in_use'],
  async check({ sql, teamId }, { id }) {
    if (!(await isShown(sql, teamId, id))) return;
    const { used_by } = await contentBlocks.require(sql, teamId, id);
    throw inUse(used_by, 'launched or published');
  },
});

export const unarchiveContentBlock = standard.unarchive({
  summary: 'Unarchive a content block',
  description:
    'Unarchives a content block. A block that is not archived is refused with ' +
    '409. Its content is as it was.',
});

export const contentBlockEndpoints = [
  listContentBlocks,
  createContentBlock,
  getContentBlock,
  updateContentBlock,
  deleteContentBlock,
  getContentBlockUsage,
  archiveContentBlock,
  unarchiveContentBlock,
];

/**
 * The 409 for a change that would break content that shows the block. The counts are read once the block is
 * locked: those of the locked row may be older.
 */
function inUse(used_by: ContentBlockRow['used_by'], how: string) {
  return fail('content_block_in_use', {
    detail: `The content block is ${how} by something that needs it.`,
    meta: { resource: 'content_block', used_by },
  });
}
