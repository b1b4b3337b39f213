import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { aMailProvider, aRecipient } from '../inbound/a-mail-provider.ts';
import type { MailKind, MailProvider, Recipient } from '../inbound/a-mail-provider.ts';
import { leaf, toolsWith } from '../inbound/a-topic.ts';
import { aRequestable } from '../messaging/a-requested-send.ts';
import type { TestTeam } from '../support/api.ts';
import { useTestApi } from '../support/use-test-api.ts';

/** Bodies that users of other products reported; README.md lists where. */

const api = useTestApi({}, { verificationTools: toolsWith(leaf()) });
let team: TestTeam;
let providers: Record<MailKind, MailProvider>;
beforeAll(async () => {
  team = await api.newTeam();
  providers = {
    email_a: await aMailProvider(api, team, 'email_a'),
    email_b: await aMailProvider(api, team, 'email_b'),
    email_c: await aMailProvider(api, team, 'email_c'),
  };
});

const seconds = () => Math.floor(Date.now() / 1_000);

const bounce = (type: string, subType: string, person: object = {}) => ({
  notificationType: 'Bounce',
  bounce: {
    bounceType: type,
    bounceSubType: subType,
    bouncedRecipients: [{ action: 'failed', ...person }],
    feedbackId: '010101609bef62ff',
    reportingMTA: 'dns; amazonses.com',
  },
});
const complaint = (fields: object) => ({
  notificationType: 'Complaint',
  complaint: { complainedRecipients: [{}], ...fields },
});

/** The body with the recipient and the message where the provider has them. */
function addressed(kind: MailKind, body: any, { email, send }: Recipient): object {
  switch (kind) {
    case 'email_a': {
      const named = (people?: object[]) =>
        people?.map((person) => ({ emailAddress: email, ...person }));
      const mail = {
        timestamp: new Date().toISOString(),
        messageId: send.provider_message_id,
        source: 'hello@example.com',
        destination: [email],
      };
      return {
        ...body,
        mail,
        ...(body.bounce && {
          bounce: { ...body.bounce, bouncedRecipients: named(body.bounce.bouncedRecipients) },
        }),
        ...(body.complaint && {
          complaint: {
            ...body.complaint,
            complainedRecipients: named(body.complaint.complainedRecipients),
          },
        }),
      };
    }
    case 'email_b':
      return {
        email,
        timestamp: seconds(),
        sg_event_id: randomUUID(),
        sg_message_id: `${send.provider_message_id}.filterdrecv-p3iad2-5b55dcd864-pbk2w-17-5EF98383-10E.0`,
        'smtp-id': '<870b3a2a@forum.example.com>',
        ...body,
      };
    default:
      return {
        id: randomUUID(),
        timestamp: Date.now() / 1_000,
        recipient: email,
        message: { headers: { 'message-id': send.provider_message_id } },
        ...body,
      };
  }
}

const blockedByList = {
  event: 'bounce',
  ip: '167.89.55.66',
  reason:
    '554 5.7.1 Service unavailable; Client host [167.89.55.66] blocked using bl.spamcop.net; Blocked - see http://www.spamcop.net/bl.shtml?167.89.55.66',
  status: '5.7.1',
  tls: 1,
  type: 'blocked',
};
const blockedByNetwork = {
  event: 'bounce',
  ip: 'xxx',
  reason:
    "550 5.7.1 Unfortunately, messages from [w.x.y.z] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3150).",
  status: '5.7.1',
  type: 'blocked',
};
const noHost = {
  bounce_classification: 'Unclassified',
  event: 'bounce',
  reason:
    'unable to get mx info: failed to get IPs from PTR record: lookup <nil>: unrecognized address',
  tls: 0,
  type: 'blocked',
};
const lowReputation = {
  event: 'failed',
  severity: 'permanent',
  reason: 'generic',
  'delivery-status': {
    code: 550,
    'enhanced-code': '',
    message:
      '550-5.7.1 [192.0.2.1] Our system has detected that this message is 550-5.7.1 likely suspicious due to the very low reputation of the sending IP 550-5.7.1 address. To best protect our users from spam, the message has been 550-5.7.1 blocked.',
  },
};
const mislabeled = {
  status: '5.3.0',
  diagnosticCode: 'smtp; 550 5.3.0 <ann@example.com>... denied',
};
const expired = {
  status: '4.4.7',
  diagnosticCode: 'smtp; 550 4.4.7 Message expired: unable to deliver in 840 minutes.',
};
const knownByProvider = {
  status: '5.1.1',
  diagnosticCode: 'Amazon SES has suppressed sending to this address',
};

type Case = readonly [string, MailKind, object, number, string, string | undefined];

describe('a report that other products misjudged', () => {
  test.each<Case>([
    ['a block list refuses the sender, thrice', 'email_b', blockedByList, 3, 'bounced', undefined],
    ['a network refuses the sender, thrice', 'email_b', blockedByNetwork, 3, 'bounced', undefined],
    ['the host of an address is unknown, no status', 'email_b', noHost, 1, 'bounced', undefined],
    [
      'the provider dropped it for an earlier bounce',
      'email_b',
      { event: 'dropped', reason: 'Bounced Address', type: 'bounce', status: '5.0.0' },
      1,
      'failed',
      'hard_bounce',
    ],
    [
      'the provider dropped it for a header of ours',
      'email_b',
      { event: 'dropped', reason: 'Invalid SMTPAPI header' },
      1,
      'failed',
      undefined,
    ],
    [
      'the event has no status of the delivery',
      'email_c',
      { event: 'accepted', 'delivery-status': null },
      1,
      'queued',
      undefined,
    ],
    [
      'the name of the event is in capitals',
      'email_c',
      { event: 'COMPLAINED' },
      1,
      'queued',
      'complaint',
    ],
    ['the sender has a low reputation', 'email_c', lowReputation, 1, 'bounced', undefined],
    [
      'a temporary failure has a general reason',
      'email_c',
      { event: 'failed', reason: 'generic', severity: 'temporary' },
      3,
      'delayed',
      undefined,
    ],
    [
      'a refusal for good has the type of an automatic reply',
      'email_a',
      bounce('Transient', 'General', mislabeled),
      3,
      'bounced',
      undefined,
    ],
    [
      'a failure without a reason has the type of an automatic reply',
      'email_a',
      bounce('Transient', 'General', { status: '5.0.0' }),
      1,
      'bounced',
      undefined,
    ],
    [
      'the address is unknown, by the type an automatic reply',
      'email_a',
      bounce('Transient', 'General', { status: '5.1.1', diagnosticCode: 'smtp; 550 no such user' }),
      1,
      'bounced',
      'hard_bounce',
    ],
    [
      'the server could not be reached for hours',
      'email_a',
      bounce('Transient', 'General', expired),
      3,
      'bounced',
      undefined,
    ],
    [
      'the mailbox is full, thrice',
      'email_a',
      bounce('Transient', 'MailboxFull', { status: '5.2.2' }),
      3,
      'bounced',
      'soft_bounces',
    ],
    [
      'a bounce from the list of the provider is no complaint',
      'email_a',
      bounce('Permanent', 'OnAccountSuppressionList', knownByProvider),
      1,
      'bounced',
      'hard_bounce',
    ],
    [
      'a complaint from the list of the provider was not sent',
      'email_a',
      complaint({ complaintSubType: 'OnAccountSuppressionList' }),
      1,
      'failed',
      'complaint',
    ],
    [
      'a complaint has a type that is new',
      'email_a',
      complaint({ complaintFeedbackType: 'opt-out-list' }),
      1,
      'queued',
      'complaint',
    ],
  ])('%s', async (_, kind, body, times, status, suppression) => {
    const recipient = await aRecipient(api, team);
    for (let time = 0; time < times; time += 1) {
      const reply = await providers[kind].send(addressed(kind, body, recipient));
      expect((await providers[kind].delivery(reply)).status).toBe('processed');
    }
    expect(await recipient.state()).toEqual({ status, suppression, consent: 'subscribed' });
  });

  test('a delivery follows the bounces that suppressed the address', async () => {
    const recipient = await aRecipient(api, team);
    const full = bounce('Transient', 'MailboxFull');
    for (let time = 0; time < 3; time += 1) {
      await providers.email_a.send(addressed('email_a', full, recipient));
    }
    expect((await recipient.state()).suppression).toBe('soft_bounces');
    const delivery = { notificationType: 'Delivery', delivery: { recipients: [recipient.email] } };
    await providers.email_a.send(addressed('email_a', delivery, recipient));
    expect((await recipient.state()).suppression).toBeUndefined();
  });
});

describe('a report that names the address in another letter case', () => {
  const shouted = (recipient: Recipient): Recipient => {
    return { ...recipient, email: recipient.email.toUpperCase() };
  };
  const statusOf = async ({ id }: Recipient) =>
    (await team.get(`/v2/partner/contacts/${id}`)).body.email_status;

  test.each([
    ['a complaint', 'email_a', complaint({}), 'complained'],
    ['a bounce', 'email_a', bounce('Permanent', 'General', { status: '5.1.1' }), 'bounced'],
    ['a bounce', 'email_b', { event: 'bounce', type: 'bounce', status: '5.1.1' }, 'bounced'],
    ['a complaint', 'email_c', { event: 'complained' }, 'complained'],
  ] as const)('%s of %s marks the contact', async (_, kind, body, status) => {
    const recipient = await aRecipient(api, team);
    await providers[kind].send(addressed(kind, body, shouted(recipient)));
    expect(await statusOf(recipient)).toBe(status);
  });

  const failed = { event: 'failed', severity: 'permanent', reason: 'bounce' };
  const bounced550 = { ...failed, 'delivery-status': { code: 550, message: '5.1.1 no such user' } };
  /** Our own ids, as the provider gives them back. */
  const withIds = ({ id, send }: Recipient) => ({
    'user-variables': { do_contact_id: id, do_message_id: send.id },
  });
  const bare = () => ({ message: {} });
  test.each([
    ['a complaint', 'in its own case', { event: 'complained' }, withIds, 'suppressed'],
    ['a complaint', 'with ids', { event: 'complained' }, withIds, 'suppressed'],
    ['a complaint', 'without ids', { event: 'complained' }, bare, 'suppressed'],
    ['a bounce', 'with ids', bounced550, withIds, 'suppressed'],
    ['a bounce', 'without ids', bounced550, bare, 'suppressed'],
    ['an opt-out', 'with ids', { event: 'unsubscribed' }, withIds, 'no_consent'],
    ['an opt-out', 'without ids', { event: 'unsubscribed' }, bare, 'no_consent'],
  ] as const)(
    '%s of email_c %s: the next marketing is skipped',
    async (_, how, body, ids, skip_reason) => {
      const recipient = await aRecipient(api, team, { email: `Fay.${randomUUID()}@example.com` });
      const named = how === 'in its own case' ? recipient.email : recipient.email.toLowerCase();
      const event = addressed('email_c', { ...body, ...ids(recipient) }, recipient);
      const reply = await providers.email_c.send({ ...event, recipient: named });
      expect((await providers.email_c.delivery(reply)).status).toBe('processed');
      const purpose = { purpose: 'marketing', from_email: 'hello@bank.example', data_schema: null };
      const { path } = await aRequestable(team, { ...purpose, subject: 'News', body_html: 'News' });
      const next = await team.post(path, { contact_id: recipient.id });
      expect(next.body).toMatchObject({ status: 'skipped', skip_reason });
    },
  );

  test('an opt-out takes back the consent of every contact with the address', async () => {
    const recipient = await aRecipient(api, team);
    const email = recipient.email.replace(/^./, (letter) => letter.toUpperCase());
    const other = await aRecipient(api, team, { email });
    const optOut = addressed('email_b', { event: 'group_unsubscribe' }, shouted(recipient));
    await providers.email_b.send(optOut);
    for (const one of [recipient, other]) expect((await one.state()).consent).toBe('unsubscribed');
  });

  test('soft bounces are counted together, and a delivery ends them', async () => {
    const recipient = await aRecipient(api, team);
    const full = bounce('Transient', 'MailboxFull');
    for (const one of [recipient, shouted(recipient), recipient]) {
      await providers.email_a.send(addressed('email_a', full, one));
    }
    expect(await statusOf(recipient)).toBe('soft_bouncing');
    const { email } = shouted(recipient);
    const delivery = { notificationType: 'Delivery', delivery: { recipients: [email] } };
    await providers.email_a.send(addressed('email_a', delivery, recipient));
    expect(await statusOf(recipient)).toBe('unknown');
  });
});
