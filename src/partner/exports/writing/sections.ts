import { Type } from 'typebox';
import type { TObject } from 'typebox';
import { Id, Text, Timestamp } from '../../../fields.ts';
import type { ListSource } from '../../../listing/sql.ts';
import { Account } from '../../accounts/account.ts';
import { listAccountsOf } from '../../accounts/queries.ts';
import { ConsentChange } from '../../contacts/consents/consent-change.ts';
import { consentChangeSource } from '../../contacts/consents/queries.ts';
import { ContactDetails } from '../../contacts/contact.ts';
import { listContactsOf } from '../../contacts/queries.ts';
import { Device } from '../../contacts/devices/device.ts';
import { deviceSource } from '../../contacts/devices/queries.ts';
import { EngagementEvent } from '../../engagement-events/engagement-event.ts';
import { engagementSource } from '../../engagement-events/queries.ts';
import { Journey } from '../../journeys/journey.ts';
import { journeySource } from '../../journeys/queries.ts';
import { MessageDelivery } from '../../message-deliveries/message-delivery.ts';
import { messageDeliverySource } from '../../message-deliveries/queries.ts';
import { ObjectiveCompletion } from '../../objectives/completions/completion.ts';
import { completionSource } from '../../objectives/completions/queries.ts';
import { Suppression } from '../../suppressions/suppression.ts';
import { exportKinds, filtersOf } from '../kinds.ts';
import type { ExportRow } from '../queries.ts';
import { callbackSource, membershipSource, suppressionSourceOf } from './queries.ts';
import type { Filter } from '../../../listing/parse-filters.ts';

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

/** What a file is made of, in its order. `birthDate` is shown with the contact, empty for none. */
export function sectionsOf(row: ExportRow, birthDate: string): Section[] {
  const { team_id: teamId, kind, contact_id: contactId } = row;
  if (kind !== 'contact') return [listSection(row, kind)];
  if (contactId === null) throw new Error('an export of nobody');
  const parent = { column: 'contact_id', id: contactId } as const;
  const all: Omit<Section, 'filters'>[] = [
    {
      name: 'contact',
      item: ContactDetails,
      source: contactSource(teamId, contactId, birthDate),
      isSingle: true,
    },
    { name: 'accounts', item: Account, source: listAccountsOf(teamId, contactId) },
    {
      name: 'consent_changes',
      item: ConsentChange,
      source: consentChangeSource(teamId, contactId),
    },
    { name: 'devices', item: Device, source: deviceSource(teamId, contactId) },
    { name: 'suppressions', item: Suppression, source: suppressionSourceOf(teamId, contactId) },
    { name: 'cohorts', item: Membership, source: membershipSource(teamId, contactId) },
    {
      name: 'objective_completions',
      item: ObjectiveCompletion,
      source: completionSource(teamId, parent),
    },
    {
      name: 'engagement_events',
      item: EngagementEvent,
      source: engagementSource(teamId, parent),
    },
    { name: 'journeys', item: Journey, source: journeySource(teamId, parent) },
    {
      name: 'message_deliveries',
      item: MessageDelivery,
      source: messageDeliverySource(teamId, contactId),
    },
    { name: 'inbound_deliveries', item: Callback, source: callbackSource(teamId, contactId) },
  ];
  return all.map((section) => ({ ...section, filters: [] }));
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

/** The list as it stood when it was asked for, but for what has changed or gone since. */
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
