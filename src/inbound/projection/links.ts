import type { Sql } from '../../platform/database/sql.ts';
import { findReferences } from '../../engagement/engagement-events/queries.ts';
import { echoedIds } from '../intake/read-items.ts';
import type { Link } from './concern.ts';
import {
  findContactIdsByKey,
  findSendsById,
  findSendsByProviderId,
  findSendsToContacts,
  findWinners,
} from './queries.ts';

interface Requested {
  payload: Readonly<Record<string, unknown>>;
  providerMessageId: string | undefined;
  contactUniqueId: string | undefined;
}

const present = (values: readonly (string | null | undefined)[]) => [
  ...new Set(values.filter((value) => value !== null && value !== undefined)),
];

/**
 * Finds the records that events refer to. The order is: the provider's id of a send; its id in the
 * service; message, contact and journey together; message and contact each alone. Ids are looked up
 * only in the team. Without ids there is no query.
 */
export async function findLinks(
  sql: Sql,
  teamId: string,
  requested: readonly Requested[],
): Promise<Link[]> {
  const lookups = requested.map((one) => ({ ...one, ...echoedIds(one.payload) }));
  const providerIds = present(lookups.map(({ providerMessageId }) => providerMessageId));
  const messageIds = present(lookups.map(({ do_message_id }) => do_message_id));
  const contactIds = present(lookups.map(({ do_contact_id }) => do_contact_id));
  const keys = present(lookups.map(({ contactUniqueId }) => contactUniqueId));

  const [byProvider, byId, toContacts, references, contacts, winners] = await Promise.all([
    providerIds.length > 0 ? findSendsByProviderId(sql, teamId, providerIds) : [],
    messageIds.length > 0 ? findSendsById(sql, teamId, messageIds) : [],
    messageIds.length > 0 && contactIds.length > 0
      ? findSendsToContacts(sql, teamId, messageIds, contactIds)
      : [],
    messageIds.length > 0 || contactIds.length > 0
      ? findReferences(sql, teamId, { message_id: messageIds, contact_id: contactIds })
      : [],
    keys.length > 0 ? findContactIdsByKey(sql, teamId, keys) : [],
    contactIds.length > 0 ? findWinners(sql, teamId, contactIds) : [],
  ]);
  const sendOfProvider = new Map(byProvider.map((send) => [send.provider_message_id, send]));
  const sendOfId = new Map(byId.map((send) => [send.id, send]));
  const templateOf = new Map(
    references.flatMap(({ field, id, template_id }) =>
      field === 'message_id' ? [[id, template_id]] : [],
    ),
  );
  const contactOfId = new Map([
    ...winners.map(({ id, winner_id }) => [id, winner_id] as const),
    ...references.flatMap(({ field, id }) => (field === 'contact_id' ? [[id, id] as const] : [])),
  ]);
  const contactOfKey = new Map(contacts.map(({ id, unique_id }) => [unique_id, id]));

  return lookups.map((one): Link => {
    const { do_message_id: messageId, do_contact_id: contactId, do_journey_id: journeyId } = one;
    const triple = toContacts.findLast(
      (send) =>
        send.message_id === messageId &&
        send.contact_id === contactId &&
        (journeyId === null || send.journey_id === journeyId),
    );
    const send =
      sendOfProvider.get(one.providerMessageId ?? '') ?? sendOfId.get(messageId ?? '') ?? triple;
    const template = templateOf.get(messageId ?? '');
    const byKey = contactOfKey.get(one.contactUniqueId ?? '');
    const byItsId = contactOfId.get(contactId ?? '');
    const contact = send?.contact_id ?? byItsId ?? byKey;
    const unknown = [
      messageId !== null && !send && template === undefined && 'do_message_id',
      contactId !== null && !send && byItsId === undefined && 'do_contact_id',
      journeyId !== null && send?.journey_id !== journeyId && 'do_journey_id',
      one.contactUniqueId !== undefined && !send && byKey === undefined && 'contact_unique_id',
    ].filter((name) => name !== false);
    return {
      ...(send
        ? {
            message_id: send.message_id,
            template_id: send.template_id,
            message_delivery_id: send.id,
            send,
            ...(send.journey_id !== null && { journey_id: send.journey_id }),
          }
        : messageId !== null &&
          template !== undefined && {
            message_id: messageId,
            ...(template !== null && { template_id: template }),
          }),
      ...(contact !== undefined && { contact_id: contact }),
      ...(unknown.length > 0 && {
        link_error: `The receiver’s team knows nothing by: ${unknown.join(', ')}.`,
      }),
    };
  });
}
