import { Type } from 'typebox';
import type { Static } from 'typebox';
import {
  Currency,
  Locale,
  Text,
  Timezone,
  patchBody,
  resource,
} from '../platform/schema/fields.ts';
import { Domain } from '../platform/schema/email.ts';

const LocalTime = (description: string) =>
  Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description });

const QuietHours = Type.Object(
  { start: LocalTime('HH:MM, local to the contact'), end: LocalTime('May lie on the next day') },
  { title: 'quiet_hours', additionalProperties: false },
);
export type QuietHours = Static<typeof QuietHours>;

const FrequencyCap = Type.Object(
  {
    per_day: Type.Integer({ minimum: 1, maximum: 100 }),
    per_week: Type.Integer({ minimum: 1, maximum: 700, description: 'In any seven days' }),
  },
  { title: 'frequency_cap', additionalProperties: false },
);
export type FrequencyCap = Static<typeof FrequencyCap>;

/** Days after which a tracked link leads nowhere: thirteen months. */
export const maxLinkDays = 395;

const Tracking = Type.Object(
  {
    opens: Type.Boolean({ description: 'Whether a picture in each e-mail counts its opens' }),
    clicks: Type.Boolean({ description: 'Whether links in e-mails lead through the service' }),
    domain: Type.Optional(
      Domain({
        examples: ['links.bank.example'],
        description:
          'Host of these links: a verified sending domain of the team, or one below it, that leads to the service and that no other team has; absent: the address of the service',
      }),
    ),
    links_expire_after_days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxLinkDays,
        description: `Days from the making of a message delivery after which its links lead nowhere, those of earlier e-mails included; ${String(maxLinkDays)} if absent`,
      }),
    ),
  },
  { title: 'tracking', additionalProperties: false },
);
export type Tracking = Static<typeof Tracking>;

/** A shorter term than that of the installation, which is the maximum. */
const Days = (minimum: number, maximum: number, description: string) =>
  Type.Optional(
    Type.Integer({ minimum, maximum, description: `${description}; ${String(maximum)} if absent` }),
  );

const Retention = Type.Object(
  {
    archived_messages_days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 3_650,
        description:
          'Days for which each message is archived from the time it is sent; absent: not archived',
      }),
    ),
    archived_messages_survive_erasure: Type.Optional(
      Type.Boolean({
        description:
          'Whether archived messages stay until their term when their contact is erased; false if absent',
      }),
    ),
    inbound_deliveries_days: Days(8, 90, 'Days for which callbacks of providers are stored'),
    webhook_events_days: Days(
      8,
      90,
      'Days for which events, their deliveries and the attempts are stored',
    ),
    engagement_days: Days(
      90,
      760,
      'Days for which engagement events and message deliveries are stored, and shown by insights',
    ),
    contact_reads_days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 3_650,
        description:
          'Days for which it is recorded which client reads which contact; absent: not recorded',
      }),
    ),
    operation_results_days: Days(
      1,
      7,
      'Days for which results of executions and batches that end from now on are stored',
    ),
  },
  { title: 'retention', additionalProperties: false },
);
export type Retention = Static<typeof Retention>;

export const Team = resource('team', {
  name: Text(120),
  tier: Type.String({ description: 'The tier of the contract; decides the rate limits' }),
  timezone: Timezone('Time zone of reports, and of contacts that have none'),
  locale: Locale('Locale of contacts that have none'),
  currency: Currency('Currency of amounts; accounts keep the one that they were created with'),
  quiet_hours: Type.Optional(QuietHours),
  frequency_cap: Type.Optional(FrequencyCap),
  retention: Type.Optional(Retention),
  tracking: Type.Optional(Tracking),
  sms_allowed_prefixes: Type.Array(Type.String({ pattern: '^\\+[1-9][0-9]{0,9}$' }), {
    maxItems: 50,
    uniqueItems: true,
    examples: [['+1', '+44']],
    description:
      'Numbers that codes and confirmations may be sent to by SMS, by their first digits (E.164); empty: every number',
  }),
  requires_provider_release: Type.Boolean({
    description:
      'Whether a second client or an operator must release a sending provider before messages leave through it; only an operator ends it',
  }),
  is_in_benchmarks: Type.Boolean({
    description: 'Whether its rates count, without its name, in comparisons between teams',
  }),
});

export const TeamPatch = patchBody(Team, [
  'name',
  'timezone',
  'locale',
  'currency',
  'quiet_hours',
  'frequency_cap',
  'retention',
  'tracking',
  'sms_allowed_prefixes',
  'requires_provider_release',
  'is_in_benchmarks',
]);
