import { Type } from 'typebox';
import { endpoint } from '../../../platform/http/endpoint.ts';
import { fail } from '../../../platform/http/errors.ts';
import { findBlocks } from '../../content-blocks/queries.ts';
import { renderMessage } from '../../rendering/message.ts';
import { PreviewFor, previewFor } from '../../rendering/preview.ts';
import { variablesIn } from '../../rendering/sources.ts';
import { unknownVariables } from '../../rendering/variables.ts';
import { requireStep } from '../../templates/steps/queries.ts';
import { textsOf } from '../content.ts';
import { RenderedMessage, messageSteps } from '../message.ts';
import type { MessageRow } from '../message.ts';

export const renderMessageFor = endpoint({
  id: 'renderMessage',
  method: 'POST',
  path: '/v2/partner/messages/{id}/render',
  summary: 'Show a message as a contact, a sample person or given data would have it',
  description:
    'Returns a message as a contact, a sample person or given data would have it, also one of ' +
    'its variants. Variables that do not exist are listed in unknown_variables; they prevent ' +
    'a launch. Nothing is sent. The data of a contact needs the scope partner:contacts:read.',
  tag: 'Messages',
  scope: 'partner:messages:read',
  rateClass: 'read',
  audit: { none: 'question' },
  body: Type.Object(
    { ...PreviewFor.properties, variant_key: Type.Optional(Type.String({ maxLength: 40 })) },
    { additionalProperties: false },
  ),
  bodyOptional: true,
  response: RenderedMessage,
  async handle({ sql, teamId, principal, params, body }) {
    const message = await requireStep<MessageRow>(sql, messageSteps, teamId, params.id);
    const { variant_key: variantKey, ...whom } = body;
    if (variantKey !== undefined && !message.variants.some(({ key }) => key === variantKey)) {
      throw fail('validation_failed', {
        detail: 'The message has no such variant.',
        meta: { pointer: '/variant_key', rule: 'reference_not_found' },
      });
    }
    const blocks = await findBlocks(sql, teamId, message.content_block_ids);
    const { values, locale } = await previewFor(sql, teamId, principal, whom);
    const variables = variablesIn(textsOf(message), ...blocks.map(({ body: block }) => block));
    return {
      ...renderMessage(message, blocks, { values, locale, variantKey }),
      variables,
      unknown_variables: unknownVariables(variables, 'message', message.data_schema),
    };
  },
});

export const messageRenderEndpoints = [renderMessageFor];
