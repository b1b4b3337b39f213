import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { confirmationUrl } from '../../src/messaging/confirming/token.ts';
import { addressDigests } from '../../src/messaging/notices/address-digests.ts';
import { newFormToken } from '../../src/widget/forms/token.ts';
import { eventsOf, subscribe } from '../support/recorded-events.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { aField, aFormPage, contactForm, openForm, proofIn, sendForm } from './a-form.ts';
import type { FormPage } from './a-form.ts';
import { verdict } from './a-widget.ts';

const api = useTestApi();

const submissionsOf = async (team: TestTeam) =>
  (await team.get('/v2/partner/engagement-events?filter[kind]=widget.submitted')).body.data;
const contactsOf = async (team: TestTeam) => (await team.get('/v2/partner/contacts')).body.data;
const aPage = async (body?: object) => aFormPage(await api.newTeam(), body);
const ada = { first_name: 'Ada', email: 'ada@example.com', topic: 'Loans & more' };
/** Opens the page and sends its form. */
const fillIn = async (page: FormPage, fields: Readonly<Record<string, string>>) =>
  sendForm(api, page, { _form: await openForm(api, page), ...fields });

describe('a form of a landing page', () => {
  test('needs no script, and every field has its label', async () => {
    const page = await aPage();
    const reply = await api.call('GET', page.path);
    const html = String(reply.body);
    const policy = reply.headers.get('content-security-policy');
    expect(policy).toContain("form-action 'self'");
    expect(policy).not.toContain('script-src');
    expect(html).not.toContain('<script');
    expect(html).toContain('<form method="post" action="?"');
    const labeled = [...html.matchAll(/<label for="([^"]+)"/g)].map(([, id = '']) => id);
    expect(labeled).toHaveLength(4);
    for (const id of labeled) expect(html).toContain(`id="${id}" name=`);
    expect(html).toContain('type="email"');
    expect(html).toContain('autocomplete="given-name"');
    expect(html).toContain('<option value="Loans &amp; more">');
    expect(html).not.toContain('role="alert"');
  });

  test('redirects to a confirmation, and records the contact and the fields', async () => {
    const page = await aPage();
    const { team } = page;
    await subscribe(api, team);
    const reply = await fillIn(page, { ...ada, newsletter: '' });
    expect([reply.status, reply.headers.get('location')]).toEqual([303, `?sent=${page.formKey}`]);
    const after = await api.call('GET', `${page.path}?sent=${page.formKey}`);
    expect(after.body).toContain('role="status"');
    expect(after.body).toContain('We will write to you.');
    expect(after.body).toContain('<title>Sent: Contact</title>');
    expect(after.body).not.toContain('<form');

    const [contact, ...others] = await contactsOf(team);
    expect(others).toEqual([]);
    expect(contact).toMatchObject({ first_name: 'Ada', email: 'ada@example.com' });
    expect(contact.consents.email.status).toBe('never');
    const [event, ...more] = await submissionsOf(team);
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      ...{ kind: 'widget.submitted', source: 'landing_page', channel: 'web' },
      ...{ landing_page_id: page.id, contact_id: contact.id },
      properties: {
        ...{ form: page.formKey, landing_page_version: 1 },
        fields: { topic: 'Loans & more', newsletter: false },
      },
    });
    expect(await eventsOf(api, team, contact.id)).toMatchObject([{ type: 'contact.created' }]);
    expect(await eventsOf(api, team, event.id)).toMatchObject([
      { type: 'widget.submitted', data: { landing_page_id: page.id, contact_id: contact.id } },
    ]);
    // Only who opens the page is a visit.
    const views = await team.get('/v2/partner/engagement-events?filter[kind]=landing_page.viewed');
    expect(views.body.data).toHaveLength(1);
  });

  test('shows each error at its field, and retains the input', async () => {
    const page = await aPage({
      ...contactForm,
      fields: [
        ...contactForm.fields,
        aField('day', { kind: 'date' }),
        aField('phone', { kind: 'phone' }),
        aField('terms', { kind: 'checkbox', is_required: true }),
        aField('story', { label: 'Your <story>' }),
      ],
    });
    const reply = await fillIn(page, {
      ...{ first_name: '"><script>1</script>', email: 'ada@', topic: 'Money', day: '2026-02-30' },
      ...{ phone: '0170 1234', newsletter: 'yes', story: 'x'.repeat(1_001) },
    });
    const html = String(reply.body);
    expect(reply.status).toBe(422);
    expect(html).toContain('<title>Not sent yet: Contact</title>');
    expect(html.match(/role="alert"/g)).toHaveLength(1);
    for (const name of ['email', 'topic', 'day', 'phone', 'terms', 'story']) {
      const id = `${page.formKey}-${name}`;
      expect(html).toContain(`<a href="#${id}">`);
      expect(html).toMatch(
        new RegExp(`id="${id}" [^>]*aria-invalid="true" aria-describedby="${id}-problem"`),
      );
      expect(html).toContain(`id="${id}-problem">`);
    }
    expect(html).toContain('value="&quot;&gt;&lt;script&gt;1&lt;/script&gt;"');
    expect(html).toContain('value="ada@"');
    expect(html).toMatch(/name="newsletter"[^>]* checked/);
    expect(html).toContain('Your &lt;story&gt;');
    expect(html).not.toContain('<script');
    expect(await submissionsOf(page.team)).toEqual([]);
    expect(await contactsOf(page.team)).toEqual([]);
    // The same display of the form can be corrected and sent.
    const mended = { ...ada, terms: 'yes', phone: '0049 (170) 123-4567' };
    expect((await sendForm(api, page, { _form: proofIn(reply), ...mended })).status).toBe(303);
    const [contact] = await contactsOf(page.team);
    expect(contact).toMatchObject({ phone: '+491701234567' });
  });

  test('reads numbers by the rules of the country of the team', async () => {
    const page = await aPage({
      ...contactForm,
      fields: [...contactForm.fields, aField('phone', { kind: 'phone' })],
    });
    await page.team.patch('/v2/partner/team', { locale: 'de-DE' });
    for (const phone of ['030 1234567', '+49 (0)30 1234567']) {
      expect((await fillIn(page, { ...ada, phone })).status).toBe(303);
    }
    const stored = { phone: '+49301234567' };
    expect(await contactsOf(page.team)).toMatchObject([stored, stored]);
  });

  test('says what is wrong with an address', async () => {
    const page = await aPage(contactForm);
    const answers = [
      ['ada..b@example.com', 'such as name@example.com'],
      ['ad\u200ba@example.com', 'invisible characters'],
      ['jürgen@example.com', 'without accents'],
    ];
    for (const [email = '', answer] of answers) {
      const reply = await fillIn(page, { ...ada, email });
      expect([reply.status, String(reply.body)]).toEqual([
        422,
        expect.stringContaining(answer ?? ''),
      ]);
    }
    expect((await fillIn(page, { ...ada, email: 'Ada@Bücher.example' })).status).toBe(303);
    const [contact] = await contactsOf(page.team);
    expect(contact.email).toBe('Ada@xn--bcher-kva.example');
  });

  test('with input above the size limit names the longest fields to shorten', async () => {
    const names = Array.from({ length: 8 }, (_, at) => `answer_${String(at)}`);
    const page = await aPage({ ...contactForm, fields: names.map((name) => aField(name)) });
    const told = Object.fromEntries(names.map((name) => [name, 'x'.repeat(900)]));
    const reply = await fillIn(page, {
      ...told,
      answer_3: 'x'.repeat(1_000),
      answer_5: 'é'.repeat(950),
    });
    expect(reply.status).toBe(422);
    expect(String(reply.body)).toContain('Shorten this');
    expect(String(reply.body).match(/aria-invalid="true"/g)).toHaveLength(1);
    expect(reply.body).toMatch(
      new RegExp(`id="${page.formKey}-answer_3" [^>]*aria-invalid="true"`),
    );
    expect(await submissionsOf(page.team)).toEqual([]);
    expect((await fillIn(page, { ...told, answer_7: 'y' })).status).toBe(303);
  });

  test('is accepted once with the same input, and again with other input', async () => {
    const page = await aPage();
    const form = { _form: await openForm(api, page), ...ada };
    const replies = await Promise.all(Array.from({ length: 6 }, () => sendForm(api, page, form)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([303]));
    expect(await submissionsOf(page.team)).toHaveLength(1);
    expect(await contactsOf(page.team)).toHaveLength(1);
    await sendForm(api, page, { ...form, email: 'ada.king@example.com' });
    expect(await submissionsOf(page.team)).toHaveLength(2);
  });

  test('with a known address changes no contact, and answers as with an unknown one', async () => {
    const page = await aPage();
    const { team } = page;
    const known = await team.post('/v2/partner/contacts', {
      ...{ unique_id: 'customer-7', email: 'ada@example.com', first_name: 'Augusta' },
      consents: { email: { status: 'unsubscribed', source: 'branch' } },
    });
    const [theirs, unknown] = [
      await fillIn(page, { ...ada, newsletter: 'yes' }),
      await fillIn(page, { ...ada, email: 'nobody@example.com', newsletter: 'yes' }),
    ];
    expect([theirs.status, theirs.body, theirs.headers.get('location')]).toEqual([
      ...[unknown.status, unknown.body, unknown.headers.get('location')],
    ]);
    const after = await team.get(`/v2/partner/contacts/${String(known.body.id)}`);
    expect(after.body).toEqual(known.body);
    expect(await contactsOf(team)).toHaveLength(3);
  });

  test('without an address is recorded without a contact', async () => {
    const page = await aPage({
      submit_label: 'Vote',
      fields: [aField('first_name'), aField('answer')],
    });
    expect((await fillIn(page, { first_name: 'Ada', answer: 'Yes' })).status).toBe(303);
    expect(await contactsOf(page.team)).toEqual([]);
    const [event] = await submissionsOf(page.team);
    expect(event.properties.fields).toEqual({ first_name: 'Ada', answer: 'Yes' });
    expect(event).not.toHaveProperty('contact_id');
    const after = await api.call('GET', `${page.path}?sent=${page.formKey}`);
    expect(after.body).toContain('Thank you, it has been sent.');
    // The parameter does not apply to other forms.
    const other = await api.call('GET', `${page.path}?sent=something-else`);
    expect(other.body).toContain('<title>Contact</title>');
    expect(other.body).toContain('<form');
  });

  test('stores a date of birth sealed with the contact, and nowhere else', async () => {
    const page = await aPage({
      submit_label: 'Send',
      fields: [aField('email'), aField('date_of_birth')],
    });
    await subscribe(api, page.team);
    const born = { email: 'ada@example.com', date_of_birth: '1815-12-10' };
    expect((await fillIn(page, born)).status).toBe(303);
    const [{ id }] = await contactsOf(page.team);
    const { body } = await page.team.get(`/v2/partner/contacts/${String(id)}`);
    expect(body.date_of_birth).toBe('1815-12-10');
    const [event] = await submissionsOf(page.team);
    const told = [event, ...(await eventsOf(api, page.team, String(id)))];
    expect(JSON.stringify(told)).not.toContain('1815-12');
  });
});

describe('a form rejects', () => {
  test('machines that fill in every field, with the response of a success', async () => {
    const page = await aPage();
    const reply = await fillIn(page, { ...ada, _reply: 'https://spam.example' });
    expect([reply.status, reply.headers.get('location')]).toEqual([303, `?sent=${page.formKey}`]);
    expect(await submissionsOf(page.team)).toEqual([]);
    expect(await contactsOf(page.team)).toEqual([]);
  });

  test('forms without a fresh proof of opening, and retains their input', async () => {
    const page = await aPage();
    const other = await aPage();
    const proof = await openForm(api, page);
    const names = { pageId: page.id, formKey: page.formKey };
    const yesterday = newFormToken(api.keyring, names, Date.now() - 86_401_000);
    const elsewhere = newFormToken(api.keyring, { ...names, formKey: 'gone' }, Date.now());
    const proofs = ['', 'dof~x~y~z', `${proof.slice(0, -2)}AA`, await openForm(api, other)];
    for (const _form of [...proofs, yesterday, elsewhere]) {
      const reply = await sendForm(api, page, { _form, ...ada });
      expect(reply.status).toBe(422);
      expect(reply.body).toContain('role="alert"');
      expect(reply.body).toContain('value="ada@example.com"');
      expect(await submissionsOf(page.team)).toEqual([]);
    }
    const refused = await sendForm(api, page, { _form: yesterday, ...ada });
    expect((await sendForm(api, page, { _form: proofIn(refused), ...ada })).status).toBe(303);
  });

  test('bodies that are too large, of another media type, or for an absent page', async () => {
    const page = await aPage();
    const _form = await openForm(api, page);
    const large = await sendForm(api, page, { _form, first_name: 'x'.repeat(70_000) });
    expect(verdict(large)).toBe('413 payload_too_large');
    for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain']) {
      const reply = await sendForm(api, page, { _form, ...ada }, { 'Content-Type': type });
      expect(verdict(reply)).toBe('415 unsupported_media_type');
    }
    const stranger = await api.newTeam();
    const nowhere = { ...page, path: page.path.replace(page.team.id, stranger.id) };
    expect((await sendForm(api, nowhere, { _form, ...ada })).status).toBe(404);
    await page.team.post(`/v2/partner/landing-pages/${page.id}/unpublish`);
    expect((await sendForm(api, page, { _form, ...ada })).status).toBe(404);
    expect(verdict(await api.call('POST', '/widget.js'))).toBe('404 route_not_found');
    expect(await submissionsOf(page.team)).toEqual([]);
  });

  test('floods from one address, with the time of the next attempt', async () => {
    const page = await aPage();
    await api.db.look(
      (sql) => sql`update teams set tier = 'standard' where id = ${page.team.id} returning id`,
    );
    const _form = await openForm(api, page);
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        sendForm(api, page, { _form, ...ada, first_name: `Ada ${String(at)}` }),
      ),
    );
    const limited = replies.filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThanOrEqual(5);
    expect(limited[0]?.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(limited[0]?.body).toContain('role="alert"');
    expect(limited[0]?.body).toContain('value="ada@example.com"');
    expect(await submissionsOf(page.team)).toHaveLength(20 - limited.length);
  });

  test('malformed input without a 5xx response', async () => {
    const page = await aPage();
    const _form = await openForm(api, page);
    const names = fc.constantFrom('_form', '_reply', 'email', 'topic', 'newsletter', '__proto__');
    const texts = fc.oneof(
      fc.constantFrom('\0', '\ud800', 'ada@example.com', 'Cards', '{{ x }}', "'", _form),
      fc.string({ unit: 'binary' }),
    );
    const pairs = fc.array(fc.tuple(fc.oneof(names, fc.string()), texts), { maxLength: 6 });
    const raws = fc.oneof(
      pairs.map((sent) => new URLSearchParams([['_form', _form], ...sent]).toString()),
      fc.string(),
      fc.constantFrom('%', '%ff=%00', '&&&==', `_form=${_form}&email=%ff%fe@x.de`),
    );
    const run = fc.asyncProperty(raws, async (raw) => {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      const { status } = await api.call('POST', page.path, { raw, headers });
      expect([303, 422]).toContain(status);
    });
    await fc.assert(run, { numRuns: 40, endOnFailure: true });
  });
});

describe('a consent in a form', () => {
  const agree = async (page: FormPage, email: string) => {
    await fillIn(page, { ...ada, email, newsletter: 'yes' });
    const [contact] = await contactsOf(page.team);
    const asked = await api.db.look(
      (sql) => sql<{ team_id: string; id: string }[]>`
        select team_id, id from consent_confirmations where contact_id = ${contact.id}`,
    );
    return { contact, asked };
  };

  test('waits until the owner of the address confirms it', async () => {
    const page = await aPage();
    const { contact, asked } = await agree(page, 'ada@example.com');
    expect(contact.consents.email).toMatchObject({
      ...{ status: 'pending', source: `landing page ${page.id}`, evidence: 'Send me news' },
    });
    const [confirmation] = asked;
    if (!confirmation) throw new Error('nobody was asked');
    const address = { channel: 'email', address: 'ada@example.com' } as const;
    const digestsOf = await api.db.database.read((sql) =>
      addressDigests(sql, api.keyring, [address.address]),
    );
    const [digest] = digestsOf(address);
    const link = confirmationUrl('', api.keyring, { ...confirmation, digest });
    expect((await api.call('POST', link)).status).toBe(200);
    const { body } = await page.team.get(`/v2/partner/contacts/${String(contact.id)}`);
    expect(body.consents.email).toMatchObject({ status: 'subscribed' });
    const grants = await page.team.get('/v2/partner/engagement-events?filter[kind]=opt_in.granted');
    expect(grants.body.data).toMatchObject([
      { source: 'landing_page', landing_page_id: page.id, contact_id: contact.id },
    ]);
  });

  test('sends at most three confirmation messages a day to an address, and none to a suppressed one', async () => {
    const page = await aPage();
    const counts = [];
    for (let sent = 0; sent < 4; sent += 1) {
      counts.push((await agree(page, 'victim@example.com')).asked.length);
    }
    expect(counts).toEqual([1, 1, 1, 0]);
    const address = 'suppressed@example.com';
    await page.team.post('/v2/partner/suppressions', { channel: 'email', address });
    expect((await agree(page, address)).asked).toEqual([]);
  });

  test('is given by checkboxes only, and field names of a form are unique', async () => {
    const team = await api.newTeam();
    const fields = [
      aField('news', { kind: 'text', consent: 'email' }),
      aField('news', { kind: 'checkbox' }),
    ];
    const reply = await team.post('/v2/partner/content-blocks', {
      ...{ name: 'Form', key: `f-${randomUUID()}`, kind: 'form' },
      body: { submit_label: 'Send', fields },
    });
    expect(verdict(reply)).toBe('422 validation_failed');
    expect(reply.body.errors.map(({ meta }: any) => `${meta.rule} ${meta.pointer}`).sort()).toEqual(
      ['enum /body/fields/0/consent', 'unique /body/fields/1/name'],
    );
  });
});
