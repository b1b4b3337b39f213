import { Type } from 'typebox';
import { Id, OneOf, Text, Timestamp } from '../../../platform/schema/fields.ts';
import { ContentBlock } from '../../content-blocks/content-block.ts';
import { Message } from '../../messages/message.ts';
import { Page } from '../../pages/page.ts';
import { templateStatuses } from '../rules.ts';
import { Template } from '../template.ts';

const versionFields = {
  id: Id(),
  type: Type.Literal('template_version'),
  team_id: Id(),
  template_id: Id(),
  version: Type.Integer({ minimum: 1 }),
  name: Text(120),
  inserted_at: Timestamp(),
};

/** A version as lists show it. */
export const TemplateVersionSummary = Type.Object(versionFields, {
  title: 'template_version_summary',
});

const { id, key, kind, name, body, localizations, variables, version } = ContentBlock.properties;
const KeptBlock = Type.Object({ id, key, kind, name, body, localizations, variables, version });

/** Parts of a version that have endpoints of their own, and the scope of each. */
export const sectionScopes = {
  pages: 'partner:pages:read',
  messages: 'partner:messages:read',
  content_blocks: 'partner:content_blocks:read',
} as const;
type VersionSection = keyof typeof sectionScopes;
export const versionSections: readonly VersionSection[] = ['pages', 'messages', 'content_blocks'];

/** The content of a template as a launch took it; later edits do not change it. */
export const TemplateVersion = Type.Object(
  {
    ...versionFields,
    use_case: Template.properties.use_case,
    holdout_percent: Template.properties.holdout_percent,
    exit_on_objectives: Template.properties.exit_on_objectives,
    exit_on_leaving_cohort: Template.properties.exit_on_leaving_cohort,
    entry: Template.properties.entry,
    reentry: Template.properties.reentry,
    reentry_interval: Template.properties.reentry_interval,
    target_cohort_ids: Type.Array(Id()),
    exclusion_cohort_ids: Type.Array(Id()),
    secure_personalization: Template.properties.secure_personalization,
    objective_ids: Type.Array(Id()),
    pages: Type.Optional(Type.Array(Page, { description: 'Needs partner:pages:read' })),
    messages: Type.Optional(Type.Array(Message, { description: 'Needs partner:messages:read' })),
    content_blocks: Type.Optional(
      Type.Array(KeptBlock, {
        description: 'Those that pages and messages show; needs partner:content_blocks:read',
      }),
    ),
    omitted_sections: Type.Array(
      Type.Object({ section: OneOf(versionSections), required_scope: Text(80) }),
      { description: 'The sections that the token may not read' },
    ),
  },
  { title: 'template_version' },
);

export const TemplateStatusChange = Type.Object(
  {
    id: Id(),
    type: Type.Literal('template_status_change'),
    team_id: Id(),
    template_id: Id(),
    sequence: Type.Integer({ description: 'Rises with every change of the template' }),
    from_status: Type.Optional(OneOf([...templateStatuses], 'Absent where it was created')),
    to_status: OneOf([...templateStatuses]),
    action: Type.String(),
    cause: OneOf(
      ['api', 'timer', 'operator'],
      'A client, the clock, or an operator of the service',
    ),
    client_id: Type.Optional(Id('The client that requested it')),
    occurred_at: Timestamp(),
  },
  { title: 'template_status_change' },
);
