import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { ListField } from '../../platform/lists/declaration.ts';
import {
  OneOf,
  Text,
  Timestamp,
  createBody,
  patchBody,
  resource,
} from '../../platform/schema/fields.ts';
import { providerKinds } from '../providers/team-provider.ts';

/** Sending providers of a team. */
export const maxSendingProviders = 10;
/** Sending providers of a team for one channel. */
export const maxProvidersPerChannel = 5;
/** Numbers and names of an SMS provider. */
const maxSenders = 20;
/** Characters of a secret, such as the JSON of a service account. */
const maxSecretLength = 16_384;
/** Seconds for which the secret before a rotation is used. */
const maxOverlapSeconds = 604_800;

const Channel = OneOf(['email', 'sms', 'push'], 'Fixed once the provider is made');
const Kind = OneOf(
  [...providerKinds.email, ...providerKinds.sms, ...providerKinds.push],
  'Fixed. E-mail: `smtp`, `email_a`, `email_b`, `email_c`. SMS: `sms_a`, `sms_b`. Push: `push_a`, ' +
    '`push_b`',
);

/** An account of the team at a provider, through which its messages leave. */
export const SendingProvider = resource('sending_provider', {
  name: Text(120),
  channel: Channel,
  kind: Kind,
  priority: Type.Integer({
    minimum: 1,
    maximum: 100,
    description:
      '1 by default, the first choice. The next provider of the channel is used while those ' +
      'before it accept nothing',
  }),
  is_active: Type.Boolean({ description: 'Through an inactive provider nothing is sent' }),
  url: Type.String({
    pattern: '^[A-Za-z]+://',
    examples: ['https://api.example.com'],
    maxLength: 500,
    description:
      'For smtp, `smtp://host:port` (with STARTTLS) or `smtps://host:port` on port 25, 465, 587 ' +
      'or 2525. For other kinds, the https address without the path of messages',
  }),
  account: Type.Optional(
    Type.String({
      pattern: '^[^\\u0000-\\u001f\\u007f]+$',
      examples: ['AC0123456789'],
      maxLength: 200,
      description:
        'User name (`smtp`), access key id (`email_a`), mail domain (`email_c`), account ' +
        '(`sms_a`), messaging profile (`sms_b`, optional) or application (`push_b`). `email_b` ' +
        'and `push_a` have none',
    }),
  ),
  family: Type.Optional(
    OneOf(
      ['email_a', 'email_b', 'email_c'],
      'For smtp: the provider behind the server, whose headers carry the ids of the service',
    ),
  ),
  senders: Type.Array(Text(254), {
    maxItems: maxSenders,
    uniqueItems: true,
    description:
      'E-mail: one address of a verified sending domain, for messages without `from_email`. SMS: ' +
      'numbers (E.164) and names of at most 11 characters that messages may have as `sender`; ' +
      'the first is for those that have none. Push: empty',
  }),
  secret_changed_at: Timestamp(),
  previous_secret_expires_at: Type.Optional(
    Timestamp('Until then the secret before the rotation is used where the new one is rejected'),
  ),
  released_at: Type.Optional(
    Timestamp(
      'When a second client or an operator released the settings; without it, nothing is sent ' +
        'through the provider where the team has requires_provider_release',
    ),
  ),
  test_status: Type.Optional(
    OneOf(
      ['pending', 'succeeded', 'failed'],
      'Outcome of the last test; absent before the first one and after a change of the connection',
    ),
  ),
  tested_at: Type.Optional(Timestamp('When the last test ended')),
  test_error_code: Type.Optional(
    Type.String({ description: 'Reason of a failed test, such as `http_401` or `timeout`' }),
  ),
  halted_at: Type.Optional(Timestamp('Present while the provider accepts nothing')),
  halt_code: Type.Optional(
    Type.String({ description: 'The last failure, such as `http_503` or `connection_refused`' }),
  ),
  next_probe_at: Type.Optional(
    Timestamp('When a halted provider gets the next message, which shows whether it has resumed'),
  ),
});
export type SendingProvider = Static<typeof SendingProvider>;

const secret = Type.String({
  writeOnly: true,
  minLength: 1,
  maxLength: maxSecretLength,
  description:
    'Stored encrypted and never returned: password, API key, or for push_a the JSON of the key ' +
    'of a service account',
});

const { priority, is_active, senders } = SendingProvider.properties;

const Written = Type.Object({
  ...SendingProvider.properties,
  priority: Type.Optional(priority),
  is_active: Type.Optional(is_active),
  senders: Type.Optional(senders),
  secret: Type.Optional(secret),
});

const fixed = ['channel', 'kind'] as const;
const needed = ['name', 'url'] as const;
const defaulted = ['priority', 'is_active', 'account', 'family', 'senders'] as const;

export const SendingProviderCreate = createBody(
  Written,
  [...fixed, ...needed],
  [...defaulted, 'secret'],
);
export type SendingProviderCreate = Static<typeof SendingProviderCreate>;

export const SendingProviderPatch = patchBody(
  Type.Object({ ...SendingProvider.properties, secret: Type.Optional(secret) }),
  [...fixed, ...needed, ...defaulted, 'secret'],
);
export type SendingProviderPatch = Static<typeof SendingProviderPatch>;

export const SecretRotation = Type.Object(
  {
    secret,
    overlap_seconds: Type.Optional(
      Type.Integer({ minimum: 0, maximum: maxOverlapSeconds, default: 86_400 }),
    ),
    force: Type.Optional(Type.Boolean({ description: 'Ends a rotation that is under way' })),
  },
  { additionalProperties: false },
);

const choice = ['eq', 'neq', 'in', 'nin'] as const;

export const sendingProviderListFields = {
  inserted_at: { type: 'timestamp', filter: true, sort: true },
  updated_at: { type: 'timestamp', filter: true, sort: true },
  name: { type: 'text', filter: true },
  channel: { type: 'enum', values: Channel.enum, filter: choice },
  kind: { type: 'enum', values: Kind.enum, filter: choice },
  is_active: { type: 'boolean', filter: ['eq', 'neq'] },
} as const satisfies Record<string, ListField>;
