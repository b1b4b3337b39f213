import { Type } from 'typebox';
import { Count, Id, OneOf } from '../../platform/schema/fields.ts';
import { receivingEndpoint } from '../../platform/http/endpoint.ts';
import { nativeForms } from '../native-forms.ts';
import { receivers } from '../receivers.ts';
import { receiveCallback } from './receive.ts';

const Receipt = Type.Object(
  {
    status: OneOf(['accepted', 'duplicate'], 'Duplicate: every event was received before'),
    delivery_id: Id('The first delivery that was created; for a duplicate, the earlier delivery'),
    accepted: Count(),
    duplicates: Count(),
    delivery_ids: Type.Array(Id(), { description: 'In the order of the events' }),
  },
  { title: 'inbound_receipt' },
);

/** One address form per kind of provider callback. */
export const intakeEndpoints = Object.values(receivers).map((definition) =>
  receivingEndpoint({
    id: definition.operationId,
    path: `/v2/webhooks/inbound/${definition.kind}/{receiver_id}`,
    summary: definition.summary,
    description:
      `Receives callbacks of the kind ${definition.kind}. ` +
      'The body is either the payload of the provider, with the signature of the provider, or the normalized form. ' +
      'A relay signs with the whsec_ secret of the receiver by Standard Webhooks, and a partner can send a token instead. ' +
      'An event that was received before is answered with 200 and the status duplicate, so repeats are harmless. ' +
      'The answer is sent once the callback is stored; its effects follow in the background.',
    errors: [
      'signature_missing',
      'signature_invalid',
      'signature_expired',
      'receiver_disabled',
      'callback_refused',
      'scope_missing',
    ],
    tag: 'InboundReceivers',
    body: definition.takesMany
      ? Type.Union([definition.payload, Type.Array(definition.payload, { maxItems: 1_000 })])
      : definition.payload,
    otherBodies: nativeForms[definition.kind],
    bodyLimitBytes: definition.bodyLimitBytes,
    status: 200,
    response: Receipt,
    receive: (call) => receiveCallback(definition, call),
  }),
);
