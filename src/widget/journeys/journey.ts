import { Type } from 'typebox';
import type { Static } from 'typebox';
import { assurances } from '../../platform/auth/principal.ts';
import {
  Count,
  Id,
  OneOf,
  Text,
  Timestamp,
  recipientResource,
} from '../../platform/schema/fields.ts';
import { Page } from '../../campaigns/pages/page.ts';
import { WidgetInstance } from '../widget-instances/widget-instance.ts';

const pageFields = {
  id: Id(),
  title: Text(1_000, 'Rendered'),
  path: Page.properties.path,
  kind: Page.properties.kind,
  position: Count(),
  objective_id: Page.properties.objective_id,
  completion_rule: Page.properties.completion_rule,
  is_viewed: Type.Boolean(),
  is_completed: Type.Boolean({ description: 'By its completion_rule' }),
  is_done: Type.Boolean({
    description:
      'Whether the recipient has done the step: by its completion_rule, and with the rule viewed by ' +
      'its content (a form was sent, the listed objectives are completed, a button was clicked, ' +
      'or else the recipient went on)',
  }),
  is_locked: Type.Boolean({
    description: 'Shown only once the recipient has passed an identity challenge',
  }),
};

const RecipientPageSummary = recipientResource('recipient_page_summary', pageFields);

/** Data that a page needs to show a widget. */
const Widget = recipientResource('recipient_widget', {
  id: Id(),
  widget_kind: WidgetInstance.properties.widget_kind,
  card_on_file: WidgetInstance.properties.card_on_file,
  opt_in: WidgetInstance.properties.opt_in,
  mobile_app: WidgetInstance.properties.mobile_app,
});

/** A page as its recipient sees it. */
export const RecipientPage = recipientResource('recipient_page', {
  ...pageFields,
  is_personalized: Type.Boolean({
    description: 'Whether it contains data of the recipient; else defaults stand there',
  }),
  html: Type.Optional(Type.String({ description: 'Sanitized; absent while it is locked' })),
  widget: Type.Optional(Widget),
});

export const RecipientSession = Type.Object(
  {
    expires_at: Type.Optional(Timestamp('When the cookie expires; absent before the bootstrap')),
    csrf_token: Type.Optional(
      Type.String({ description: 'To be sent as X-CSRF-Token with every change by cookie' }),
    ),
    assurance: OneOf(
      assurances,
      'Assurance of the identity of the recipient; with none, personal fields are not shown',
    ),
    can_verify: Type.Boolean({
      description: 'Whether there is an identity challenge that would raise the assurance',
    }),
  },
  { title: 'recipient_session' },
);

/** All that a page needs to begin: the journey, its pages by title, and the session. */
export const RecipientJourney = recipientResource('recipient_journey', {
  journey: Type.Object({
    id: Id(),
    status: Type.String(),
    enrolled_at: Timestamp(),
    completed_at: Type.Optional(Timestamp()),
    deadline_at: Type.Optional(Timestamp()),
    current_page_id: Type.Optional(Id('Seen last')),
    objectives: Type.Array(
      Type.Object({
        id: Id(),
        key: Text(64),
        name: Text(120),
        completed_at: Type.Optional(Timestamp('Absent while it is pending')),
      }),
    ),
    progress: Type.Object({
      pages_viewed: Count(),
      pages_done: Count('Pages whose step is_done'),
      pages_total: Count(),
      objectives_completed: Count(),
      objectives_total: Count(),
    }),
  }),
  team: Type.Object({ name: Text(120) }),
  template: Type.Object({
    id: Id(),
    name: Text(120),
    theme: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'The settings of the widget that the session began with; with a link, of the first open widget of the ' +
        'team that has a theme, one of the template before others',
    }),
  }),
  locale: Type.String(),
  widget: Type.Optional(Widget),
  pages: Type.Array(RecipientPageSummary),
  session: RecipientSession,
});
export type RecipientJourney = Static<typeof RecipientJourney>;
