import { Type } from 'typebox';
import type { Static } from 'typebox';
import { OneOf, Text } from '../../../platform/schema/fields.ts';
import { endpoint } from '../../../platform/http/endpoint.ts';
import { checkQuota } from '../../../platform/resources/quota.ts';
import { penForBlocks, renderBlocks } from '../../rendering/blocks.ts';
import type { BlockContent } from '../../rendering/blocks.ts';
import { sampleSurroundings } from '../../rendering/audience.ts';
import { PreviewFor, contactOf, letterheadOf, previewFor } from '../../rendering/preview.ts';
import type { PreviewCall } from '../../rendering/preview.ts';
import { variablesIn } from '../../rendering/sources.ts';
import { unknownVariables } from '../../rendering/variables.ts';
import { Warnings, warningField } from '../../rendering/warnings.ts';
import { contentOf } from '../body.ts';
import { ContentBlock, blockKinds, bodyLimitBytes, maxContentBlocks } from '../content-block.ts';
import { contentBlocks } from '../queries.ts';
import { cutShown } from '../../../platform/cut-text.ts';

const tag = 'Content blocks';
const path = '/v2/partner/content-blocks';

export const duplicateContentBlock = endpoint({
  id: 'duplicateContentBlock',
  method: 'POST',
  path: `${path}/{id}/duplicate`,
  summary: 'Duplicate a content block under another key',
  description:
    'Creates a content block with the same content under another key. The name gets the ' +
    'suffix (copy) unless the body has a name. The key must be unique in the team.',
  errors: ['quota_exceeded', 'key_taken'],
  tag,
  scope: 'partner:content_blocks:write',
  rateClass: 'execute',
  audit: 'content_block.created',
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
    } = await contentBlocks.require(sql, teamId, params.id);
    const copy = { kind, body: content, localizations, variables };
    const named = body.name ?? `${cutShown(name, 113)} (copy)`;
    await checkQuota(sql, teamId, { ...contentBlocks, limit: maxContentBlocks });
    return contentBlocks.insert(sql, teamId, { name: named, key: body.key, ...copy });
  },
});

/** Response of a render. */
const Rendered = Type.Object(
  {
    html: Type.String(),
    variables: Type.Array(Type.String()),
    unknown_variables: Type.Array(Type.String(), { description: 'They prevent publication' }),
    warnings: Warnings,
  },
  { title: 'rendered_content' },
);

async function show(call: PreviewCall, block: BlockContent, whom: Static<typeof PreviewFor>) {
  const surroundings = sampleSurroundings(letterheadOf(call));
  const values = await previewFor(call, await contactOf(call, whom), whom, surroundings);
  const variables = await variablesIn(block.body, block.localizations);
  const html = renderBlocks([block], await penForBlocks([block], values));
  return { html, variables, unknown_variables: unknownVariables(variables) };
}

export const renderContentBlock = endpoint({
  id: 'renderContentBlock',
  method: 'POST',
  path: `${path}/{id}/render`,
  summary: 'Render a content block for a contact, a sample person or given data',
  description:
    'Returns the HTML of a content block for a contact, for given data, or for a sample ' +
    'person where the body is absent. Variables that do not exist are listed in ' +
    'unknown_variables; they prevent publication. Nothing is stored or sent. The data of a ' +
    'contact needs the scope partner:contacts:read.',
  tag,
  scope: 'partner:content_blocks:read',
  rateClass: 'read',
  audit: { none: 'question' },
  body: PreviewFor,
  bodyOptional: true,
  response: Rendered,
  async handle(call) {
    const block = await contentBlocks.require(call.sql, call.teamId, call.params.id);
    return show(call, block, call.body);
  },
});

export const previewContentBlock = endpoint({
  id: 'previewContentBlock',
  method: 'POST',
  path: `${path}/preview`,
  summary: 'Render an unsaved content block',
  description:
    'Returns the HTML of content that is not stored yet. It sanitizes and checks the content ' +
    'as createContentBlock does. Nothing is stored or sent. Use it for an editor with a live ' +
    'preview.',
  tag,
  scope: 'partner:content_blocks:read',
  rateClass: 'read',
  audit: { none: 'question' },
  bodyLimitBytes,
  bodyExample: {
    kind: 'rich_text',
    body: { html: '<p>Hello {{ contact.first_name }}</p>' },
  },
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
  async handle(call) {
    const { kind, body, localizations = {}, ...whom } = call.body;
    const { content, warnings } = await contentOf({ kind, body, localizations });
    const shown = await show(call, { key: 'preview', ...content }, whom);
    return { ...shown, ...warningField(warnings) };
  },
});

export const contentBlockActionEndpoints = [
  duplicateContentBlock,
  renderContentBlock,
  previewContentBlock,
];
