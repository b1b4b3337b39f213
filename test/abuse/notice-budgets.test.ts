import { randomInt, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { aJourneyIn, aTemplateWithPages } from '../journeys/a-journey.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { aFormPage, openForm, sendForm } from '../widget/a-form.ts';
import {
  aToken,
  aWidget,
  bootstrapByLink,
  bootstrapByToken,
  verdict,
  visitorOf,
} from '../widget/a-widget.ts';

const api = useTestApi({
  TRUSTED_PROXIES: '1',
  NOTICES_PER_NETWORK: '3',
  SMS_NOTICES_PER_TEAM: '2',
});

const anAddress = () =>
  `2001:db8:${randomInt(65_536).toString(16)}:${randomInt(65_536).toString(16)}::1`;
const aNumber = () => `+1415${String(randomInt(1_000_000, 9_999_999))}`;

/** A team whose recipients can ask for codes by text message and e-mail. */
async function aTeam(options: { tier?: string } = {}) {
  const team = await api.newTeam(options);
  const factors = ['otp_sms', 'otp_email'];
  const templateId = await aTemplateWithPages(team, [{ name: 'Start' }], {
    secure_personalization: { enabled: true, factors },
  });
  return { team, templateId };
}
type Team = Awaited<ReturnType<typeof aTeam>>;

/** Requests a code for a recipient from an address; returns the answer. */
async function askFor({ team, templateId }: Team, contact: object, from: string, factor?: string) {
  const journey = await aJourneyIn(api, team, templateId, contact);
  const link = await bootstrapByLink(api, journey.linkToken);
  const visitor = visitorOf(api, link, 'http://onward.test');
  return visitor.call('POST', `${visitor.path}/identity-challenges`, {
    body: factor === undefined ? {} : { factor },
    headers: { 'X-Forwarded-For': from },
  });
}
const codesOf = ({ team }: { team: TestTeam }) =>
  api.db.look((sql) => sql`select from message_sends where team_id = ${team.id}`);

describe('a sender of many code requests', () => {
  test('receives at most 20 codes a day for one number, across all contacts, networks and sessions', async () => {
    const scene = await aTeam();
    const phone = aNumber();
    const replies = await Promise.all(
      Array.from({ length: 26 }, () => askFor(scene, { phone }, anAddress())),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(await codesOf(scene)).toHaveLength(20);
    const refused = await askFor(scene, { phone }, anAddress());
    expect(verdict(refused)).toBe('429 rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000);
    expect((await askFor(scene, { phone: aNumber() }, anAddress())).status).toBe(201);
    await api.db.look(
      (sql) => sql`
        update notice_budgets set since = since - interval '1 day'
        where team_id = ${scene.team.id} returning subject_id`,
    );
    expect((await askFor(scene, { phone }, anAddress())).status).toBe(201);
  });

  test('receives no more codes by changing the address within one IPv6 network', async () => {
    const scene = await aTeam();
    const verdicts: string[] = [];
    for (let at = 1; at <= 4; at += 1) {
      const from = `2001:db8:1:2:${String(at)}::1`;
      verdicts.push(verdict(await askFor(scene, { phone: aNumber() }, from)));
    }
    expect(verdicts).toEqual(['201', '201', '201', '429 rate_limited']);
    const elsewhere = await askFor(scene, { phone: aNumber() }, '2001:db8:1:3::1');
    expect(elsewhere.status).toBe(201);
  });

  test('cannot use up more text messages than the team limit, nor the e-mail of the team', async () => {
    const scene = await aTeam({ tier: 'standard' });
    const ask = (factor: string) => {
      const contact = { phone: aNumber(), email: `${randomUUID()}@example.com` };
      return askFor(scene, contact, anAddress(), factor);
    };
    expect(verdict(await ask('otp_sms'))).toBe('201');
    expect(verdict(await ask('otp_sms'))).toBe('201');
    expect(verdict(await ask('otp_sms'))).toBe('429 rate_limited');
    expect(verdict(await ask('otp_email'))).toBe('201');
  });
});

describe('a sender of many consent confirmations', () => {
  test('uses the same budget of its network in widgets', async () => {
    const { team, templateId } = await aTeam();
    const widgetId = await aWidget(team, {
      widget_kind: 'opt_in',
      opt_in: { channels: ['email', 'sms'], double_opt_in: true },
    });
    const from = anAddress();
    const verdicts: string[] = [];
    for (let at = 0; at < 4; at += 1) {
      const email = `${randomUUID()}@example.com`;
      const { contactId } = await aJourneyIn(api, team, templateId, { email });
      const token = await aToken(team, widgetId, { contact_id: contactId });
      const visitor = visitorOf(api, await bootstrapByToken(api, token));
      const reply = await visitor.call('PUT', `${visitor.path}/consents/email`, {
        body: { status: 'subscribed' },
        headers: { 'X-Forwarded-For': from },
      });
      verdicts.push(verdict(reply));
    }
    expect(verdicts).toEqual(['200', '200', '200', '429 rate_limited']);
  });

  test('receives the same answer from a form that sends no further message', async () => {
    const team = await api.newTeam();
    const page = await aFormPage(team);
    const headers = { 'X-Forwarded-For': anAddress() };
    const fields = { first_name: 'Ada', topic: 'Cards', newsletter: 'yes' };
    for (let at = 0; at < 5; at += 1) {
      const _form = await openForm(api, page);
      const email = `${randomUUID()}@example.com`;
      const reply = await sendForm(api, page, { ...fields, _form, email }, headers);
      expect(reply.status).toBe(303);
    }
    expect(await codesOf({ team })).toHaveLength(3);
  });
});

describe('a number in a country that the team does not serve', () => {
  test('receives no code and no confirmation', async () => {
    const scene = await aTeam();
    const { team, templateId } = scene;
    const allowed = await team.patch('/v2/partner/team', {
      sms_allowed_prefixes: ['+49', '+1415'],
    });
    expect(allowed.body.sms_allowed_prefixes).toEqual(['+49', '+1415']);
    expect(verdict(await askFor(scene, { phone: '+882161234567' }, anAddress()))).toBe(
      '409 conflict',
    );
    const other = { phone: '+882161234567', email: `${randomUUID()}@example.com` };
    const byMail = await askFor(scene, other, anAddress());
    expect(byMail.body).toMatchObject({ factor: 'otp_email', offered_factors: ['otp_email'] });
    expect((await askFor(scene, { phone: aNumber() }, anAddress())).body.factor).toBe('otp_sms');

    const widgetId = await aWidget(team, {
      widget_kind: 'opt_in',
      opt_in: { channels: ['sms'], double_opt_in: true },
    });
    const { contactId } = await aJourneyIn(api, team, templateId, { phone: '+882161234567' });
    const token = await aToken(team, widgetId, { contact_id: contactId });
    const visitor = visitorOf(api, await bootstrapByToken(api, token));
    const body = { status: 'subscribed' };
    const reply = await visitor.call('PUT', `${visitor.path}/consents/sms`, { body });
    expect(verdict(reply)).toBe('409 conflict');
  });

  test.each(['49', '+', '+049', '+12345678901'])('cannot be named as %s', async (prefix) => {
    const team = await api.newTeam();
    const reply = await team.patch('/v2/partner/team', { sms_allowed_prefixes: [prefix] });
    expect(verdict(reply)).toBe('422 validation_failed');
  });
});
