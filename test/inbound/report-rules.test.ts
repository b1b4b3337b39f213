import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { emailARules } from '../../src/inbound/report-rules/email-a.ts';
import { emailBRules } from '../../src/inbound/report-rules/email-b.ts';
import { emailCRules } from '../../src/inbound/report-rules/email-c.ts';
import { outcomes } from '../../src/inbound/report-rules/report-rule.ts';
import type { Outcome, ReportRule } from '../../src/inbound/report-rules/report-rule.ts';
import { replyOf } from '../../src/inbound/report-rules/smtp-reply.ts';
import type { TestTeam } from '../support/api.ts';
import { useTestApi } from '../support/use-test-api.ts';
import { aMailProvider, aRecipient } from './a-mail-provider.ts';
import type { MailKind, MailProvider, Recipient } from './a-mail-provider.ts';
import { leaf, toolsWith } from './a-topic.ts';

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

type Facts = Readonly<Record<string, string | undefined>>;

/** The values of a row: each list of alternatives gives one case for each of them. */
function casesOf({ when }: ReportRule): Facts[] {
  return Object.entries(when).reduce<Facts[]>(
    (cases, [field, values = []]) =>
      cases.flatMap((facts) => values.map((value) => ({ ...facts, [field]: value }))),
    [{}],
  );
}

/** An answer of a server that has a reply of a row. */
function answerOf(reply: string | undefined) {
  if (reply === undefined) return {};
  const text: Readonly<Record<string, string>> = {
    'mailbox full': '550 Requested action aborted: mailbox is full',
    policy: '550 Rejected by our spam policy',
    '552': '552 Requested mail action aborted',
    '*': '550 Requested action not taken',
    '4*': '4.4.1',
  };
  const answer = text[reply] ?? reply.replace('*', '1');
  return /^\d\.\d+\.\d+$/.test(answer) ? { status: answer } : { text: answer };
}

const seconds = () => Math.floor(Date.now() / 1_000);

/** Native events of the providers, by the facts of a row. */
const natives: Readonly<Record<MailKind, (facts: Facts, to: Recipient) => object>> = {
  email_a(facts, { email, send }) {
    const { status, text } = answerOf(facts['reply']);
    const person = { emailAddress: email, ...(status && { status }), diagnosticCode: text };
    const name = facts['event'] ?? '';
    const details: Readonly<Record<string, object>> = {
      Bounce: {
        bounce: {
          bounceType: facts['bounce_type'],
          bounceSubType: facts['bounce_sub_type'],
          bouncedRecipients: [person],
        },
      },
      Complaint: {
        complaint: {
          complaintFeedbackType: facts['feedback_type'],
          complaintSubType: facts['complaint_sub_type'] ?? null,
          complainedRecipients: [{ emailAddress: email }],
        },
      },
    };
    return {
      eventType: name === 'RenderingFailure' ? 'Rendering Failure' : name,
      mail: {
        timestamp: new Date().toISOString(),
        messageId: send.provider_message_id,
        source: 'hello@example.com',
        destination: [email],
      },
      ...details[name],
    };
  },
  email_b(facts, { email, send }) {
    const { status, text } = answerOf(facts['reply']);
    const isBlocked = facts['event'] === 'blocked';
    return {
      email,
      timestamp: seconds(),
      event: isBlocked ? 'bounce' : facts['event'],
      type: isBlocked ? 'blocked' : facts['bounce_type'],
      bounce_classification: facts['classification'],
      status,
      reason: facts['reason'] ?? text,
      sg_event_id: randomUUID(),
      sg_message_id: `${send.provider_message_id}.filter0001.1.0`,
    };
  },
  email_c(facts, { email, send }) {
    const { status, text } = answerOf(facts['reply']);
    return {
      id: randomUUID(),
      event: facts['event'],
      timestamp: Date.now() / 1_000,
      recipient: email,
      severity: facts['severity'] ?? 'permanent',
      reason: facts['reason'] ?? 'generic',
      message: { headers: { 'message-id': send.provider_message_id } },
      'delivery-status': {
        code: facts['code'] === undefined ? 0 : Number(facts['code']),
        'enhanced-code': status ?? '',
        'bounce-type': facts['bounce_type'],
        message: text ?? '',
        description: null,
      },
    };
  },
};

const statuses: Readonly<Record<string, string>> = {
  'message.sent': 'sent',
  'message.delayed': 'delayed',
  'message.delivered': 'delivered',
  'message.bounced': 'bounced',
  'message.failed': 'failed',
};

const tables = { email_a: emailARules, email_b: emailBRules, email_c: emailCRules } as const;
const rows = Object.entries(tables).flatMap(([kind, rules]) =>
  (rules as readonly ReportRule[]).flatMap((rule) =>
    casesOf(rule).map((facts) => [kind as MailKind, facts, rule.outcome] as const),
  ),
);

describe('a signed report has the effects of its row', () => {
  test.each(rows)('%s %j: %s', async (kind, facts, name) => {
    const outcome: Outcome = outcomes[name];
    const provider = providers[kind];
    const recipient = await aRecipient(api, team);
    const times = outcome.suppression === 'soft_bounces' ? 3 : 1;
    for (let time = 0; time < times; time += 1) {
      const reply = await provider.send(natives[kind](facts, recipient));
      expect([reply.status, reply.body.status]).toEqual([200, 'accepted']);
      expect((await provider.delivery(reply)).status).toBe('processed');
    }
    expect(await recipient.state()).toEqual({
      status: statuses[outcome.kind ?? ''] ?? 'queued',
      suppression: outcome.suppression,
      consent: outcome.consent ?? 'subscribed',
    });
  });

  test('and every row names a public document', () => {
    for (const { source } of Object.values(tables).flat()) expect(source).toMatch(/^https:/);
  });
});

describe('the answer of a server', () => {
  test.each([
    [{ status: '5.1.1', text: 'smtp; 550 5.7.1 no' }, '5.1.1'],
    [{ status: '5.0.0', text: '550-5.7.1 [192.0.2.1] blocked' }, '5.7.1'],
    [{ text: 'smtp; 550 #5.1.1 unknown' }, '5.1.1'],
    [{ text: '554 rejected, see 5.2.2.1 and 4.1.1.9' }, '554'],
    [{ text: '550 4.2.1.2 said Exim 4.94.2' }, '550'],
    [{ text: '550 Mailbox full' }, 'mailbox full'],
    [{ text: 'The user is over their storage quota' }, 'mailbox full'],
    [{ text: '554 Message refused as spam' }, 'policy'],
    [{ status: '5.0.0', text: '552 storage' }, '552'],
    [{ status: '5.0.0' }, '5.0.0'],
    [{ code: 605, text: 'Not delivering to previously bounced address' }, '605'],
    [{ text: 'Connection closed' }, 'without code'],
    [{}, undefined],
  ])('%j is known by %s', (answer, reply) => {
    expect(replyOf(answer)).toBe(reply);
  });
});
