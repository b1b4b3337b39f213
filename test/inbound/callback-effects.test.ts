import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { TestTeam } from '../support/api.ts';
import { useTestApi } from '../support/use-test-api.ts';
import { aMailProvider, aRecipient } from './a-mail-provider.ts';
import type { MailProvider, Recipient } from './a-mail-provider.ts';
import { codeOf } from './a-receiver.ts';
import { leaf, toolsWith } from './a-topic.ts';

const api = useTestApi({}, { verificationTools: toolsWith(leaf()) });
let team: TestTeam;
let ses: MailProvider;
let sendgrid: MailProvider;
let mailgun: MailProvider;
beforeAll(async () => {
  team = await api.newTeam();
  ses = await aMailProvider(api, team, 'email_a');
  sendgrid = await aMailProvider(api, team, 'email_b');
  mailgun = await aMailProvider(api, team, 'email_c');
});

const timestamp = () => Math.floor(Date.now() / 1_000);
const now = () => new Date().toISOString();
const suppressionOf = async (address: string) => {
  const path = `/v2/partner/suppressions?filter[address]=${encodeURIComponent(address)}`;
  return (await team.get(path)).body.data[0]?.reason;
};
const partsOf = async (form: FormData) => {
  const sent = new Response(form);
  const bytes = Buffer.from(await sent.arrayBuffer());
  return { headers: sent.headers.get('content-type') ?? '', body: bytes.toString('utf8') };
};
const topicEvent = (eventType: string, to: Recipient, detail: object, others = {}) => ({
  eventType,
  mail: {
    timestamp: now(),
    messageId: to.send.provider_message_id,
    source: 'hello@example.com',
    destination: [to.email],
    ...others,
  },
  ...detail,
});

describe('a field that only links an event or finds its duplicates is not required', () => {
  test.each(['unsubscribe', 'group_unsubscribe'])(
    'an %s of email_b without ids takes the consent back, once',
    async (event) => {
      const [ann, bob] = [await aRecipient(api, team), await aRecipient(api, team)];
      const element = { email: ann.email, timestamp: timestamp(), event, asm_group_id: 10 };
      expect(codeOf(await sendgrid.send(element))).toBe('200 accepted');
      expect((await ann.state()).consent).toBe('unsubscribed');
      expect(codeOf(await sendgrid.send(element))).toBe('200 duplicate');
      const other = { ...element, email: bob.email };
      const reply = await sendgrid.send([element, other]);
      expect(reply.body).toMatchObject({ accepted: 1, duplicates: 1 });
      expect((await bob.state()).consent).toBe('unsubscribed');
      const delivery = await sendgrid.delivery(await sendgrid.send(element));
      expect(delivery).not.toHaveProperty('provider_event_id');
      expect(delivery.duplicate_count).toBe(3);
    },
  );

  test('a bounce of email_b without an id of a message suppresses its address', async () => {
    const email = `${randomUUID()}@example.com`;
    const bounce = {
      email,
      timestamp: timestamp(),
      status: '5.1.10',
      reason: '550 5.1.10 RESOLVER.ADR.RecipientNotFound',
      sg_message_id: '',
      sg_event_id: randomUUID(),
      type: 'bounce',
      event: 'bounce',
    };
    const delivery = await sendgrid.delivery(await sendgrid.send(bounce));
    expect(delivery).toMatchObject({ status: 'processed', event_type: 'bounce' });
    expect(await suppressionOf(email)).toBe('hard_bounce');
  });

  test('fields of email_b in another form are left out', async () => {
    const ann = await aRecipient(api, team);
    const odd = {
      email: ann.email,
      timestamp: String(timestamp()),
      event: 'unsubscribe',
      sg_event_id: 'x'.repeat(300),
      sg_message_id: null,
      attempt: 'first',
      ip: 7,
      useragent: {},
      sg_machine_open: 'false',
      reason: '',
      asm_group_id: '12.5',
    };
    expect((await sendgrid.delivery(await sendgrid.send(odd))).status).toBe('processed');
    expect((await ann.state()).consent).toBe('unsubscribed');
  });

  test('normalized events of email_b have their own names and are judged as before', async () => {
    const bodies = JSON.stringify([
      { kind: 'email_b', event: 'unsubscribe', email: 'a@example.com' },
    ]);
    expect((await sendgrid.post(bodies, 'application/json')).status).toBe(401);
  });

  test('events of email_c without an id or a message count, once', async () => {
    const [ann, bob] = [await aRecipient(api, team), await aRecipient(api, team)];
    const data = { event: 'unsubscribed', timestamp: timestamp(), recipient: ann.email };
    expect(codeOf(await mailgun.send(data))).toBe('200 accepted');
    expect((await ann.state()).consent).toBe('unsubscribed');
    expect(codeOf(await mailgun.send(data))).toBe('200 duplicate');
    const complaint = {
      event: 'complained',
      id: 'c1',
      timestamp: timestamp(),
      recipient: bob.email,
    };
    expect(codeOf(await mailgun.send({ ...complaint, message: { headers: {} } }))).toBe(
      '200 accepted',
    );
    expect((await bob.state()).suppression).toBe('complaint');
  });

  test('a form post of email_c about unsubscribing, which names no message, counts', async () => {
    const ann = await aRecipient(api, team);
    const form = new URLSearchParams({
      ...mailgun.proof(),
      event: 'unsubscribed',
      recipient: ann.email,
    });
    const reply = await mailgun.post(form.toString(), 'application/x-www-form-urlencoded');
    expect(codeOf(reply)).toBe('200 accepted');
    expect((await ann.state()).consent).toBe('unsubscribed');
  });

  test('a form post of email_c in several parts is read without its files', async () => {
    const ann = await aRecipient(api, team);
    const form = new FormData();
    const fields = { ...mailgun.proof(), event: 'dropped', recipient: ann.email, code: '605' };
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('Message-Id', `<${ann.send.provider_message_id}>`);
    form.append('attachment-1', new Blob([Buffer.from([0, 255, 13, 10])]), 'message.eml');
    const { headers, body } = await partsOf(form);
    expect(codeOf(await mailgun.post(body, headers))).toBe('200 accepted');
    expect(await ann.state()).toMatchObject({ status: 'bounced', suppression: 'hard_bounce' });
    const cut = await mailgun.post(body.slice(0, -10), headers);
    expect([400, 401, 422]).toContain(cut.status);
  });

  test('a complaint of email_a without ids of the mail suppresses its address', async () => {
    const ann = await aRecipient(api, team);
    const complaint = { complainedRecipients: [{ emailAddress: ann.email }] };
    const blank = { messageId: undefined, source: undefined, destination: undefined };
    const delivery = await ses.delivery(
      await ses.send(topicEvent('Complaint', ann, { complaint }, blank)),
    );
    expect(delivery.status).toBe('processed');
    expect((await ann.state()).suppression).toBe('complaint');
  });
});

describe('an unsubscribe belongs to the address', () => {
  test('and takes back the consent of everybody with it', async () => {
    const ann = await aRecipient(api, team);
    const other = await team.post('/v2/partner/contacts', {
      email: ann.email,
      consents: { email: { status: 'subscribed', source: 'form' } },
    });
    expect(other.status).toBe(201);
    await sendgrid.send({
      email: ann.email,
      timestamp: timestamp(),
      event: 'unsubscribe',
      sg_event_id: randomUUID(),
      do_contact_id: ann.id,
    });
    expect((await ann.state()).consent).toBe('unsubscribed');
    const after = await team.get(`/v2/partner/contacts/${String(other.body.id)}`);
    expect(after.body.consents.email.status).toBe('unsubscribed');
  });
});

describe('a report about several recipients', () => {
  test('suppresses each of them, by the answer about each', async () => {
    const [ann, bob, cem] = [
      await aRecipient(api, team),
      await aRecipient(api, team),
      await aRecipient(api, team),
    ];
    const bounce = {
      bounceType: 'Permanent',
      bounceSubType: 'General',
      bouncedRecipients: [
        { emailAddress: ann.email, status: '5.1.1', action: 'failed' },
        { emailAddress: `Bob <${bob.email}>`, status: '5.1.1', action: 'failed' },
        { emailAddress: cem.email, status: '5.7.1', action: 'failed' },
      ],
    };
    await ses.send(topicEvent('Bounce', ann, { bounce }));
    expect((await ann.state()).suppression).toBe('hard_bounce');
    expect((await bob.state()).suppression).toBe('hard_bounce');
    expect((await cem.state()).suppression).toBeUndefined();
    const complaint = {
      complaintFeedbackType: 'abuse',
      complainedRecipients: [{ emailAddress: `x-${ann.email}` }, { emailAddress: cem.email }],
    };
    await ses.send(topicEvent('Complaint', cem, { complaint }));
    expect(await suppressionOf(`x-${ann.email}`)).toBe('complaint');
    expect((await cem.state()).suppression).toBe('complaint');
  });

  test('is kept without effects where it names more than a message can have', async () => {
    const ann = await aRecipient(api, team);
    const bouncedRecipients = Array.from({ length: 51 }, () => ({ emailAddress: ann.email }));
    const bounce = { bounceType: 'Permanent', bounceSubType: 'General', bouncedRecipients };
    const reply = await ses.send(topicEvent('Bounce', ann, { bounce }));
    expect(codeOf(reply)).toBe('200 accepted');
    expect(await ses.delivery(reply)).toMatchObject({ status: 'failed' });
    expect((await ann.state()).suppression).toBeUndefined();
  });

  test('ends the count of soft bounces of each', async () => {
    const [ann, bob] = [await aRecipient(api, team), await aRecipient(api, team)];
    const full = (minutesAgo: number) => ({
      bounce: {
        bounceType: 'Transient',
        bounceSubType: 'MailboxFull',
        timestamp: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
        bouncedRecipients: [{ emailAddress: ann.email }, { emailAddress: bob.email }],
      },
    });
    await ses.send(topicEvent('Bounce', ann, full(9)));
    await ses.send(topicEvent('Bounce', ann, full(8)));
    const delivery = { timestamp: now(), recipients: [bob.email] };
    await ses.send(topicEvent('Delivery', bob, { delivery }));
    await ses.send(topicEvent('Bounce', ann, full(0)));
    expect((await ann.state()).suppression).toBe('soft_bounces');
    expect((await bob.state()).suppression).toBeUndefined();
  });
});

describe('an automatic reply', () => {
  test('neither moves a delivered message nor suppresses the address', async () => {
    const ann = await aRecipient(api, team);
    const recipients = [{ emailAddress: ann.email }];
    await ses.send(topicEvent('Delivery', ann, { delivery: { recipients: [ann.email] } }));
    for (let time = 0; time < 3; time += 1) {
      const bounce = {
        bounceType: 'Transient',
        bounceSubType: 'General',
        bouncedRecipients: recipients,
      };
      const reply = await ses.send(topicEvent('Bounce', ann, { bounce }));
      expect((await ses.delivery(reply)).status).toBe('processed');
    }
    expect(await ann.state()).toEqual({
      status: 'delivered',
      suppression: undefined,
      consent: 'subscribed',
    });
  });

  test('that carries an answer of a server bounces a message only if it was not delivered', async () => {
    const [ann, bob] = [
      await aRecipient(api, team, { status: 'delivered' }),
      await aRecipient(api, team, { status: 'sent' }),
    ];
    for (const { email, send } of [ann, bob]) {
      const bounce = {
        bounceType: 'Transient',
        bounceSubType: 'General',
        bouncedRecipients: [{ emailAddress: email, status: '5.0.0', action: 'failed' }],
      };
      await ses.send(topicEvent('Bounce', { ...ann, email, send }, { bounce }));
    }
    expect((await ann.state()).status).toBe('delivered');
    expect((await bob.state()).status).toBe('bounced');
  });
});
