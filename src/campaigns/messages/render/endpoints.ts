import { Type } from 'typebox';
import { endpoint } from '../../../platform/http/endpoint.ts';
import { fail } from '../../../platform/http/errors.ts';
import { findBlocks } from '../../content-blocks/queries.ts';
import { renderMessageInTurns } from '../../rendering/message.ts';
import { surroundingsOf } from '../../rendering/audience.ts';
import { PreviewFor, contactOf, letterheadOf, previewFor } from '../../rendering/preview.ts';
import { variablesIn } from '../../rendering/sources.ts';
import { unknownVariables } from '../../rendering/variables.ts';
import { requireStep } from '../../templates/steps/queries.ts';
import { requireTemplate } from '../../templates/queries.ts';
import { textsOf } from '../content.ts';
import { RenderedMessage, messageSteps } from '../message.ts';
import type { MessageRow } from '../message.ts';
import { variantOf } from '../variant.ts';

export const renderMessageFor = endpoint({
  id: 'renderMessage',
  method: 'POST',
  path: '/v2/partner/messages/{id}/render',
  summary: 'Render a message for a contact, a sample person or given data',
  description:
    'Returns a message as it would be sent now to a contact, to a sample person or with given ' +
    'data: in the language, the time zone and the variant of the contact, or in the variant ' +
    'that is named. Addresses of the journey, of unsubscribing and of preferences have the form ' +
    'of real ones and open nothing. Variables that do not exist are listed in ' +
    'unknown_variables; they prevent a launch. Nothing is sent. The data of a contact needs ' +
    'the scope partner:contacts:read.',
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
  async handle(call) {
    const { sql, teamId, params, body } = call;
    const message = await requireStep<MessageRow>(sql, messageSteps, teamId, params.id);
    const { variant_key: named, ...whom } = body;
    if (named !== undefined && !message.variants.some(({ key }) => key === named)) {
      throw fail('validation_failed', {
        detail: 'The message has no such variant.',
        meta: { pointer: '/variant_key', rule: 'reference_not_found' },
      });
    }
    const blocks = await findBlocks(sql, teamId, message.content_block_ids);
    const template = await requireTemplate(sql, teamId, message.template_id);
    const contact = await contactOf(call, whom);
    const surroundings = surroundingsOf(message, template, letterheadOf(call));
    const values = await previewFor(call, contact, whom, surroundings);
    const variantKey = named ?? (contact && variantOf(message.variants, message.id, contact.id));
    const variables = await variablesIn(
      textsOf(message),
      ...blocks.map(({ body: block }) => block),
    );
    return {
      ...(await renderMessageInTurns(message, blocks, { values, variantKey })),
      variables,
      unknown_variables: unknownVariables(variables, 'message', message.data_schema),
    };
  },
});

export const messageRenderEndpoints = [renderMessageFor];
