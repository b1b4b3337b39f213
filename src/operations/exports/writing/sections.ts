import { Type } from 'typebox';
import type { TObject } from 'typebox';
import { Id, Text, Timestamp } from '../../../platform/schema/fields.ts';
import type { ListSource } from '../../../platform/lists/sql.ts';
import { arrayLiteral } from '../../../platform/lists/statement.ts';
import { Account } from '../../../contacts/accounts/account.ts';
import { listAccountsOf } from '../../../contacts/accounts/queries.ts';
import { ConsentChange } from '../../../contacts/consents/consent-change.ts';
import { consentChangeSource } from '../../../contacts/consents/queries.ts';
import { TopicConsentChange } from '../../../contacts/topic-consents/topic-consents.ts';
import { topicConsentChangeSource } from '../../../contacts/topic-consents/queries.ts';
import { ContactDetails } from '../../../contacts/contact.ts';
import { listContactsOf } from '../../../contacts/queries.ts';
import { Device } from '../../../contacts/devices/device.ts';
import { deviceSource } from '../../../contacts/devices/queries.ts';
import { EngagementEvent } from '../../../engagement/engagement-events/engagement-event.ts';
import { engagementSource } from '../../../engagement/engagement-events/queries.ts';
import { Journey } from '../../../journeys/journey.ts';
import { journeySource } from '../../../journeys/queries.ts';
import { ArchivedMessage } from '../../../messaging/archived-messages/archived-message.ts';
import { archivedMessageSource } from '../../../messaging/archived-messages/queries.ts';
import { MessageDelivery } from '../../../messaging/message-deliveries/message-delivery.ts';
import { messageDeliverySource } from '../../../messaging/message-deliveries/queries.ts';
import { ObjectiveCompletion } from '../../../engagement/completions/completion.ts';
import { completionSource } from '../../../engagement/completions/queries.ts';
import { Suppression } from '../../../contacts/suppressions/suppression.ts';
import { exportKinds, filtersOf, sensitiveScope } from '../kinds.ts';
import type { ExportRow } from '../queries.ts';
import { callbackSource, membershipSource, suppressionSourceOf } from './queries.ts';
import type { Filter } from '../../../platform/lists/parse-filters.ts';

/** Rows of one form in a file. */
export interface Section {
  name: string;
  item: TObject;
  source: ListSource;
  filters: readonly Filter[];
  /** One row rather than a list. */
  isSingle?: boolean;
}

const Membership = Type.Object({
  id: Id(),
  type: Type.Literal('cohort'),
  name: Text(120),
  joined_at: Timestamp(),
});
const Callback = Type.Object({
  id: Id(),
  type: Type.Literal('inbound_delivery'),
  receiver_id: Id(),
  receiver_kind: Text(40),
  event_type: Type.Optional(Text(100)),
  received_at: Timestamp(),
  payload: Type.Optional(Type.Object({})),
});

/** A section that a file about a contact leaves out, and the scope that it needs. */
const Omitted = Type.Object({ section: Text(40), required_scope: Text(80) });

interface PersonSection extends Omit<Section, 'filters' | 'source'> {
  /** Reads these resources at their own endpoints. */
  scope: string;
  source(teamId: string, contactId: string, birthDate: string): ListSource;
}

const contacts = 'partner:contacts:read';
const parent = (id: string) => ({ column: 'contact_id', id }) as const;

/** Everything that is known of a contact, in the order of the file. */
export const personSections: readonly PersonSection[] = [
  { name: 'contact', scope: contacts, item: ContactDetails, source: contactSource, isSingle: true },
  { name: 'accounts', scope: contacts, item: Account, source: listAccountsOf },
  { name: 'consent_changes', scope: contacts, item: ConsentChange, source: consentChangeSource },
  {
    name: 'topic_consent_changes',
    scope: contacts,
    item: TopicConsentChange,
    source: topicConsentChangeSource,
  },
  { name: 'devices', scope: contacts, item: Device, source: deviceSource },
  { name: 'suppressions', scope: contacts, item: Suppression, source: suppressionSourceOf },
  { name: 'cohorts', scope: 'partner:cohorts:read', item: Membership, source: membershipSource },
  {
    name: 'objective_completions',
    scope: 'partner:objectives:read',
    item: ObjectiveCompletion,
    source: (teamId, id) => completionSource(teamId, parent(id)),
  },
  {
    name: 'engagement_events',
    scope: 'partner:engagement:read',
    item: EngagementEvent,
    source: (teamId, id) => engagementSource(teamId, parent(id)),
  },
  {
    name: 'journeys',
    scope: 'partner:journeys:read',
    item: Journey,
    source: (teamId, id) => journeySource(teamId, parent(id)),
  },
  {
    name: 'message_deliveries',
    scope: 'partner:messages:read',
    item: MessageDelivery,
    source: messageDeliverySource,
  },
  {
    name: 'archived_messages',
    scope: 'partner:archived_messages:read',
    item: ArchivedMessage,
    source: archivedMessageSource,
  },
  {
    name: 'inbound_deliveries',
    scope: 'partner:incoming-webhooks:read',
    item: Callback,
    source: callbackSource,
  },
];

/** The scopes of what an export shows: its client needs them at the write, its reader later. */
export function scopesOfExport(row: ExportRow): string[] {
  const { kind, read_scopes, shows_birth_date } = row;
  const scopes =
    kind === 'contact'
      ? new Set(personSections.map(({ scope }) => scope))
      : [exportKinds[kind].scope];
  const shown = [...scopes].filter((scope) => kind !== 'contact' || read_scopes.includes(scope));
  return shows_birth_date ? [...shown, sensitiveScope] : shown;
}

/** Sections of a file, in order. `birthDate` is shown with the contact; empty for none. */
export function sectionsOf(row: ExportRow, birthDate: string): Section[] {
  const { team_id: teamId, kind, contact_id: contactId, read_scopes } = row;
  if (kind !== 'contact') return [listSection(row, kind)];
  if (contactId === null) throw new Error('an export of nobody');
  const isReadable = ({ scope }: PersonSection) => read_scopes.includes(scope);
  const shown = personSections.filter(isReadable).map(({ source, ...section }) => ({
    ...section,
    source: source(teamId, contactId, birthDate),
    filters: [],
  }));
  const omitted = personSections.filter((section) => !isReadable(section));
  return [...shown, omittedSection(teamId, omitted)];
}

/** Lists the missing sections, so that the file does not look complete. */
function omittedSection(teamId: string, omitted: readonly PersonSection[]): Section {
  const names = omitted.map(({ name }) => name);
  const scopes = omitted.map(({ scope }) => scope);
  return {
    name: 'omitted_sections',
    item: Omitted,
    filters: [],
    source: {
      from: `(
        select md5(section)::uuid as id, section, required_scope
        from unnest($2::text[], $3::text[]) as omitted (section, required_scope)
      ) t`,
      select: 't.*',
      where: {
        text: '$1::uuid is not null',
        values: [teamId, arrayLiteral(names), arrayLiteral(scopes)],
      },
    },
  };
}

/** One contact as it is shown, with its date of birth, which is no column. */
function contactSource(teamId: string, contactId: string, birthDate: string): ListSource {
  const { from, select } = listContactsOf(teamId);
  return {
    from,
    select: `${select}, nullif($3::text, '') as date_of_birth`,
    where: {
      text: `t.team_id = $1::uuid and t.id = $2::uuid and t.status <> 'archived'`,
      values: [teamId, contactId, birthDate],
    },
  };
}

/**
 * Rows that existed when the list was requested, in their current state; deleted rows are missing.
 */
function listSection(row: ExportRow, kind: keyof typeof exportKinds): Section {
  const { item, source: sourceOf } = exportKinds[kind];
  const source = sourceOf(row.team_id);
  const { text, values } = source.where;
  const until = `$${String(values.length + 1)}::timestamptz`;
  return {
    name: kind,
    item,
    filters: filtersOf(kind, row.conditions),
    source: {
      ...source,
      where: {
        text: `(${text}) and t.inserted_at <= ${until}`,
        values: [...values, row.inserted_at],
      },
    },
  };
}
