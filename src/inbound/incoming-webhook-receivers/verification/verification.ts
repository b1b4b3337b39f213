import { isDeepStrictEqual } from 'node:util';
import { Type } from 'typebox';
import type { TProperties } from 'typebox';
import { receivers } from '../../receivers.ts';
import { Id, OneOf, Text, Timestamp } from '../../../platform/schema/fields.ts';

/** Public settings of all kinds. A setting that kinds limit differently has a wider schema here. */
const publicSettings: TProperties = {};
for (const { settings, secretSettings } of Object.values(receivers)) {
  for (const [name, schema] of Object.entries(settings.properties)) {
    if (secretSettings.includes(name)) continue;
    const known = publicSettings[name] ?? schema;
    publicSettings[name] = isDeepStrictEqual(known, schema)
      ? schema
      : Type.Optional(Type.Unknown());
  }
}

/** Fields that only responses define; a body may repeat them. */
export const shownOnly = [
  'type',
  'team_id',
  'scheme',
  'status',
  'accepted_headers',
  'secrets',
  'pending_confirmation',
] as const;

/** Verification of a receiver's callbacks; secrets are write-only. */
export const Verification = Type.Object(
  {
    type: Type.Literal('receiver_verification'),
    team_id: Id(),
    ...publicSettings,
    scheme: Type.String({ description: 'Name of the native scheme of the kind' }),
    status: OneOf(
      ['configured', 'unconfigured', 'pending_confirmation'],
      'Whether native calls can be verified; relayed calls and those with a token always can',
    ),
    accepted_headers: Type.Array(Type.String(), {
      description: 'Headers that carry the signature',
    }),
    secrets: Type.Array(
      Type.Object({
        name: Type.String(),
        hint: Type.String({ description: 'Its last four characters' }),
        expires_at: Type.Optional(Timestamp('A replaced secret is accepted until then')),
        inserted_at: Timestamp(),
      }),
      { description: 'The material that is set, newest first' },
    ),
    pending_confirmation: Type.Optional(
      Type.Object(
        { delivery_id: Id(), topic_arn: Type.String(), received_at: Timestamp() },
        { description: 'A topic subscription waits for confirmation: POST …/confirm-subscription' },
      ),
    ),
  },
  { title: 'receiver_verification', description: 'Settings are those of the kind' },
);

const anything = (description?: string) =>
  Type.Optional(Type.Unknown({ ...(description !== undefined && { description }) }));

/**
 * Settings and secrets by name: merged, null clears one. Their names and formats are checked once
 * the kind is known. Fields that only responses define are ignored.
 */
export const VerificationSettings = Type.Unsafe<Record<string, unknown>>(
  Type.Object(
    {
      ...Object.fromEntries(
        Object.values(receivers).flatMap(({ settings }) =>
          Object.entries(settings.properties).map(([name, schema]) => [
            name,
            anything(descriptionOf(schema)),
          ]),
        ),
      ),
      ...Object.fromEntries(shownOnly.map((name) => [name, anything('Ignored')])),
      type: Type.Optional(Type.Literal('receiver_verification')),
    },
    {
      additionalProperties: false,
      description: 'Settings and secrets of the kind; merged, null clears one',
    },
  ),
);

function descriptionOf(schema: object): string | undefined {
  return 'description' in schema && typeof schema.description === 'string'
    ? schema.description
    : undefined;
}

export const ConfirmSubscription = Type.Object(
  {
    topic_arn: Type.Optional(Text(512, 'Which of several; it is pinned')),
  },
  { additionalProperties: false },
);
