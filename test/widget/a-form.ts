import { randomUUID } from 'node:crypto';
import type { Reply, TestApi, TestTeam } from '../support/api.ts';

export const aField = (name: string, fields: object = {}) => ({
  ...{ name, label: `Your ${name}`, kind: 'text' },
  ...fields,
});

/** A form with an address field and others. */
export const contactForm = {
  title: 'Write to us',
  submit_label: 'Send it',
  success_message: 'We will write to you.',
  fields: [
    aField('first_name'),
    aField('email', { kind: 'email', is_required: true }),
    aField('topic', { kind: 'select', options: ['Cards', 'Loans & more'] }),
    aField('newsletter', { kind: 'checkbox', label: 'Send me news', consent: 'email' }),
  ],
};

export interface FormPage {
  team: TestTeam;
  id: string;
  path: string;
  formKey: string;
}

/** A published landing page with a form. */
export async function aFormPage(team: TestTeam, body: object = contactForm): Promise<FormPage> {
  const formKey = `form-${randomUUID().slice(0, 8)}`;
  const made = async (path: string, fields: object) => {
    const reply = await team.post(path, fields);
    if (reply.status >= 300) throw new Error(JSON.stringify(reply.body));
    return reply.body;
  };
  const block = await made('/v2/partner/content-blocks', {
    ...{ name: 'Form', key: formKey, kind: 'form', body },
  });
  const page = await made('/v2/partner/landing-pages', {
    ...{ name: 'Contact', slug: `contact-${randomUUID()}`, title: 'Contact' },
    content_block_ids: [block.id],
  });
  await made(`/v2/partner/landing-pages/${String(page.id)}/publish`, {});
  return { team, id: String(page.id), path: new URL(String(page.url)).pathname, formKey };
}

/** The hidden proof that a browser sends with the fields of a form. */
export const proofIn = ({ body }: Reply) =>
  /name="_form" value="([^"]+)"/.exec(String(body))?.[1] ?? '';

export const openForm = async (api: TestApi, { path }: FormPage) =>
  proofIn(await api.call('GET', path));

export const sendForm = (
  api: TestApi,
  { path }: FormPage,
  fields: Readonly<Record<string, string>>,
  headers: Record<string, string> = {},
) =>
  api.call('POST', path, {
    raw: new URLSearchParams({ _reply: '', ...fields }).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  });
