import { Type } from 'typebox';
import {
  Count,
  OneOf,
  Text,
  Timestamp,
  Uri,
  createBody,
  patchBody,
  resource,
} from '../../platform/schema/fields.ts';
import { receiverKinds } from '../receiver.ts';
import type { ListField } from '../../platform/lists/declaration.ts';
import { Verification, VerificationSettings } from './verification/verification.ts';

const ReceiverKind = OneOf(receiverKinds, 'Fixed once the receiver is made');

/** Where a provider posts its callbacks to. */
export const IncomingWebhookReceiver = resource('incoming_webhook_receiver', {
  receiver_kind: ReceiverKind,
  name: Type.Optional(Text(120)),
  is_active: Type.Boolean({ description: 'Calls to an inactive receiver answer 410' }),
  dedup_window_seconds: Type.Integer({
    minimum: 0,
    maximum: 604_800,
    description: 'Counted from the first acceptance of a key; 0 accepts every call',
  }),
  signature_required: Type.Boolean({
    description: 'False accepts unsigned calls, but never a call with a wrong signature',
  }),
  receive_url: Uri('The address to configure at the provider'),
  last_received_at: Type.Optional(Timestamp('When the last call was accepted')),
  last_signature_failure_at: Type.Optional(Timestamp()),
  consecutive_signature_failures: Count('Calls with an invalid signature since the last valid one'),
});

/** The receiver with its secrets, which are shown only here. */
export const CreatedIncomingWebhookReceiver = Type.Object(
  {
    ...IncomingWebhookReceiver.properties,
    verification: Verification,
    secrets: Type.Object(
      {
        relay_secret: Type.String({
          description: 'whsec_… (Standard Webhooks): signs normalized bodies of any kind',
        }),
        receiver_token: Type.Optional(
          Type.String({ description: 'dors_…, for kinds that prove themselves by a token' }),
        ),
      },
      { description: 'Shown only here' },
    ),
  },
  { title: 'created_incoming_webhook_receiver' },
);

const Written = Type.Object({
  ...IncomingWebhookReceiver.properties,
  is_active: Type.Optional(Type.Boolean()),
  dedup_window_seconds: Type.Optional(IncomingWebhookReceiver.properties.dedup_window_seconds),
  signature_required: Type.Optional(Type.Boolean()),
  verification: Type.Optional(VerificationSettings),
});

export const IncomingWebhookReceiverCreate = createBody(
  Written,
  ['receiver_kind'],
  ['name', 'is_active', 'dedup_window_seconds', 'signature_required', 'verification'],
);

export const IncomingWebhookReceiverPatch = patchBody(
  Type.Object({
    ...IncomingWebhookReceiver.properties,
    verification: Type.Optional(VerificationSettings),
  }),
  [
    'receiver_kind',
    'name',
    'is_active',
    'dedup_window_seconds',
    'signature_required',
    'verification',
  ],
);

export const receiverListFields = {
  inserted_at: { type: 'timestamp', filter: true, sort: true },
  updated_at: { type: 'timestamp', filter: true, sort: true },
  name: { type: 'text', filter: true, sort: true, nullable: true },
  receiver_kind: { type: 'enum', values: receiverKinds, filter: ['eq', 'neq', 'in', 'nin'] },
  is_active: { type: 'boolean', filter: true },
} as const satisfies Record<string, ListField>;
