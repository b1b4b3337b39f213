import { Type } from 'typebox';
import {
  AppUri,
  Count,
  Id,
  Locale,
  OneOf,
  Text,
  Timestamp,
  resource,
} from '../../platform/schema/fields.ts';
import type { RowOf } from '../../platform/schema/fields.ts';
import type { ListField } from '../../platform/lists/declaration.ts';

const WidgetKind = OneOf([
  'journey',
  'enrollment',
  'opt_in',
  'card_on_file',
  'mobile_app',
  'secure_personalization',
]);
const closed = { additionalProperties: false } as const;

const Theme = Type.Record(
  Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$' }),
  Type.Union([Type.String({ maxLength: 255 }), Type.Number(), Type.Boolean()]),
  { maxProperties: 50, additionalProperties: false },
);
const CardOnFile = Type.Object(
  { merchants: Type.Array(Text(120), { maxItems: 100, uniqueItems: true }) },
  { title: 'card_on_file', ...closed },
);
const OptIn = Type.Object(
  {
    channels: Type.Array(OneOf(['email', 'sms', 'push']), {
      minItems: 1,
      maxItems: 3,
      uniqueItems: true,
    }),
    double_opt_in: Type.Boolean(),
  },
  { title: 'opt_in', ...closed },
);
const MobileApp = Type.Object(
  {
    ios_url: Type.Optional(AppUri('An app store’s page, or a deep link such as mybank://start')),
    android_url: Type.Optional(AppUri('The same for Android')),
  },
  { title: 'mobile_app', ...closed },
);

export const WidgetInstance = resource('widget_instance', {
  name: Text(120),
  widget_kind: WidgetKind,
  template_id: Type.Optional(Id()),
  allowed_origins: Type.Array(Text(255), {
    maxItems: 20,
    uniqueItems: true,
    description: 'Pages that may embed the widget: https origins such as https://www.example.com',
  }),
  is_active: Type.Boolean(),
  is_archived: Type.Boolean(),
  theme: Type.Optional(Theme),
  locale: Type.Optional(Locale('The team’s if absent')),
  publishable_key: Type.String({ description: 'wpk_…; names the widget, no secret' }),
  token_ttl_seconds: Type.Integer(),
  session_max_days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 180,
      description: 'Days that a session lasts at most; absent, it lasts as long as its journey',
    }),
  ),
  card_on_file: Type.Optional(CardOnFile),
  opt_in: Type.Optional(OptIn),
  mobile_app: Type.Optional(MobileApp),
  last_bootstrapped_at: Type.Optional(Timestamp()),
  bootstrap_count: Count(),
  archived_at: Type.Optional(Timestamp()),
});
export type WidgetInstanceRow = RowOf<typeof WidgetInstance>;

const choice = ['eq', 'neq', 'in', 'nin'] as const;

export const widgetInstanceListFields = {
  inserted_at: { type: 'timestamp', filter: true, sort: true },
  updated_at: { type: 'timestamp', filter: true, sort: true },
  name: { type: 'text', filter: choice, sort: true },
  widget_kind: { type: 'enum', values: WidgetKind.enum, filter: choice },
  template_id: { type: 'id', filter: true },
  is_active: { type: 'boolean', filter: ['eq', 'neq'] },
  is_archived: {
    type: 'boolean',
    column: 't.archived_at is not null',
    filter: ['eq', 'neq'],
  },
} as const satisfies Record<string, ListField>;
