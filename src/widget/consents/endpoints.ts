import { Type } from 'typebox';
import { OneOf, Text, Timestamp, recipientResource } from '../../platform/schema/fields.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { fail } from '../../platform/http/errors.ts';
import { addressToAsk, askToConfirm } from '../../messaging/confirming/confirm.ts';
import { isAskedToConfirm } from '../../messaging/confirming/queries.ts';
import { ConsentWritten } from '../../contacts/consents/consent-change.ts';
import { leaveChannel } from '../../contacts/consents/leave.ts';
import { isOptOut, sessionSource } from '../../contacts/consents/rules.ts';
import { consentChannels } from '../../contacts/rules.ts';
import { changeContact } from '../../contacts/edit.ts';
import { lockContactsSharing } from '../../contacts/lookup/queries.ts';
import { lockContact } from '../../contacts/queries.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { recordEngagement } from '../../engagement/engagement-events/record.ts';
import { countNotice } from '../../messaging/notices/budgets.ts';
import { widgetInstances } from '../widget-instances/queries.ts';
import { eventOf } from '../engagement.ts';
import { journeyFor } from '../journeys/render.ts';
import { recipientOf, widgetBodyLimitBytes } from '../recipient.ts';
import { cutText } from '../../platform/cut-text.ts';

const RecipientConsent = recipientResource('recipient_consent', {
  channel: OneOf(consentChannels),
  status: ConsentWritten.properties.status,
  updated_at: Type.Optional(Timestamp()),
});

const Choice = Type.Object(
  {
    status: OneOf(['subscribed', 'unsubscribed']),
    disclosure: Type.Optional(Text(1_500, 'The wording that was shown; kept as evidence')),
  },
  { additionalProperties: false },
);

export const setRecipientConsent = endpoint({
  id: 'setRecipientConsent',
  method: 'PUT',
  path: '/v2/widget/journeys/{journey_id}/consents/{channel}',
  textParams: ['channel'],
  summary: 'Opt in or out of a channel; pending where the widget asks for a confirmation',
  description:
    'Subscribes the recipient to a channel or unsubscribes them. Unsubscribing from email or sms ' +
    'holds for every contact of the team with the address or number. Where the widget requires a ' +
    'confirmation, the consent is pending and a message with a link is sent. A repeat with ' +
    'the same status changes nothing. The wording in disclosure is stored as evidence.',
  errors: ['conflict'],
  tag: 'Recipients',
  scope: 'widget:events:write',
  rateClass: 'widget',
  audit: { none: 'recipient' },
  body: Choice,
  bodyLimitBytes: widgetBodyLimitBytes,
  response: RecipientConsent,
  isLogged: false,
  async handle({ sql, teamId, principal, params, body, request, services }) {
    const { keyring } = services;
    const recipient = recipientOf(principal);
    const { widgetInstanceId: widgetId, assurance } = recipient;
    const journey = await journeyFor(sql, teamId, recipient, params.journey_id);
    const widget =
      widgetId === null ? undefined : await widgetInstances.find(sql, teamId, widgetId);
    const offered = widget?.opt_in?.channels ?? consentChannels;
    const channel = offered.find((name) => name === params.channel);
    if (!channel) {
      throw fail('not_found', {
        detail: `There is no such channel here; there are ${offered.join(', ')}.`,
        meta: { resource: 'contact_consent' },
      });
    }
    const sharing =
      body.status === 'unsubscribed' ? await lockSharing(sql, teamId, journey, channel) : [];
    const before = await lockContact(sql, teamId, journey.contact_id);
    // A push notification needs no confirmation: the recipient has allowed it on the device.
    const confirmedBy =
      body.status === 'subscribed' && widget?.opt_in?.double_opt_in === true && channel !== 'push'
        ? channel
        : undefined;
    const to = confirmedBy && (await addressToAsk(sql, before, confirmedBy));
    if (confirmedBy && to === undefined) {
      throw fail('conflict', {
        detail: `There is no address of the channel ${channel} to which a confirmation could go.`,
        meta: { resource: 'contact_consent' },
      });
    }
    const { origin } = request.headers;
    const evidence = [body.disclosure, `assurance: ${assurance}`, origin && `page: ${origin}`];
    const consent = {
      status: confirmedBy ? ('pending' as const) : body.status,
      source: sessionSource(widgetId),
      evidence: cutText(evidence.filter(Boolean).join(' · '), 2_000),
    };
    // A repeated consent changes nothing, even from another page. A given consent needs no
    // confirmation. A pending one needs another message only after the first has expired.
    const given = before.consents[channel];
    const { status, updated_at } = given;
    const isWaiting = confirmedBy !== undefined && status === 'pending';
    const isDone =
      (body.status === 'unsubscribed' ? isOptOut(given) : status === body.status) ||
      (isWaiting && (await isAskedToConfirm(sql, teamId, before.id, confirmedBy)));
    // An opt-out belongs to the address.
    const others = sharing.filter(({ id }) => id !== before.id);
    await leaveChannel(sql, keyring, others, channel, consent);
    const shown = { type: 'recipient_consent' as const, team_id: teamId, channel };
    if (isDone) {
      return { ...shown, status: isWaiting ? ('pending' as const) : body.status, updated_at };
    }
    const patch = { consents: { [channel]: consent } };
    const after = isWaiting
      ? before
      : await changeContact(sql, before, patch, { clientId: null }, keyring);
    const changed = { ...after.consents[channel], ...shown, status: consent.status };
    if (confirmedBy && widget) {
      const { id: journey_id, template_id, contact_id } = journey;
      const asked = { journey_id, template_id, contact_id, widget_instance_id: widget.id };
      await askToConfirm(sql, teamId, { ...asked, channel: confirmedBy });
      const notice = { teamId, tier: principal.tier, channel: confirmedBy, to: to ?? '' };
      await countNotice(sql, services, { ...notice, from: request.address });
      return changed;
    }
    const kind = body.status === 'subscribed' ? 'opt_in.granted' : 'opt_in.revoked';
    await recordEngagement(sql, teamId, [
      {
        ...eventOf(principal, journey),
        kind,
        occurred_at: new Date().toISOString(),
        properties: { channel, status: consent.status },
      },
    ]);
    return changed;
  },
});

/** Locks the contacts that have the address or number of the one of a journey. */
const lockSharing = async (
  sql: Sql,
  teamId: string,
  { contact_id }: { contact_id: string },
  channel: (typeof consentChannels)[number],
) =>
  channel === 'push'
    ? []
    : lockContactsSharing(sql, teamId, contact_id, channel === 'email' ? 'email' : 'phone');

export const recipientConsentEndpoints = [setRecipientConsent];
