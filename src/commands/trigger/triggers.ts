import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import type { EventName } from '../../app/event-catalog.ts';
import type { Api } from '../api.ts';

const base = '/v2/partner';
const Created = Type.Object({ id: Type.String() });
const Asked = Type.Object({ execution_id: Type.String() });
const List = Type.Object({ data: Type.Array(Created) });

/** Does through the API what records one event; gives the path of what it is about. */
export type Trigger = (api: Api) => Promise<string>;

const make =
  (path: string, body: () => object): Trigger =>
  async (api) =>
    `${base}/${path}/${(await api.post(`${base}/${path}`, body(), Created)).id}`;
const change =
  (made: Trigger, fields: object): Trigger =>
  async (api) => {
    const path = await made(api);
    await api.patch(path, fields);
    return path;
  };
const act =
  (made: Trigger, ...actions: readonly string[]): Trigger =>
  async (api) => {
    const path = await made(api);
    for (const action of actions) await api.post(`${path}/${action}`, {}, Created);
    return path;
  };
const remove =
  (made: Trigger): Trigger =>
  async (api) => {
    const path = await made(api);
    await api.delete(path);
    return path;
  };
const idOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const address = () => `trigger-${randomUUID()}@example.com`;
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

const contact = make('contacts', () => ({
  first_name: 'Ada',
  email: address(),
  consents: { email: { status: 'subscribed', source: 'npm run trigger' } },
}));
/** A contact that has given no consent. */
const stranger = make('contacts', () => ({ first_name: 'Grace', email: address() }));
const user = make('users', () => ({ email: address() }));
const account: Trigger = async (api) => {
  const body = { kind: 'deposit', opened_at: new Date().toISOString() };
  const { id } = await api.post(`${await contact(api)}/accounts`, body, Created);
  return `${base}/accounts/${id}`;
};
const cohort = make('cohorts', () => ({
  name: `Trigger ${randomUUID()}`,
  kind: 'dynamic',
  definition: { field: 'contact.locale', op: 'eq', value: 'en-US' },
}));
const firstObjective = async (api: Api) => {
  const { data } = await api.get(`${base}/objectives?page[size]=1`, List);
  return data[0]?.id ?? '';
};
const completion: Trigger = async (api) => {
  const path = `${base}/objectives/${await firstObjective(api)}/completions`;
  const { id } = await api.post(path, { contact_id: idOf(await contact(api)) }, Created);
  return `${base}/objectives/completions/${id}`;
};
/** A campaign with one message, which could be launched. */
const template: Trigger = async (api) => {
  const body = { name: `Trigger ${randomUUID()}`, objective_ids: [await firstObjective(api)] };
  const { id } = await api.post(`${base}/templates`, body, Created);
  const message = {
    name: 'Hello',
    channel: 'email',
    from_email: 'hello@example.com',
    subject: 'Hello',
    body_html: '<p>Hello {{ contact.first_name }}</p>',
    respect_quiet_hours: false,
  };
  await api.post(`${base}/templates/${id}/messages`, message, Created);
  return `${base}/templates/${id}`;
};
const journeyOf =
  (who: Trigger): Trigger =>
  async (api) => {
    const path = await act(template, 'launch')(api);
    const body = { contact_id: idOf(await who(api)) };
    const { id } = await api.post(`${path}/enrollments`, body, Created);
    return `${base}/journeys/${id}`;
  };
const journey = journeyOf(contact);
const receiver = make('incoming-webhook-receivers', () => ({ receiver_kind: 'generic_hmac' }));
/** An evaluation of a cohort is an execution of an operation. */
const execution: Trigger = async (api) => {
  const asked = await api.post(`${await cohort(api)}/evaluate`, {}, Asked);
  return `/v2/ipaas/executions/${asked.execution_id}`;
};
const landingPage: Trigger = async (api) => {
  const block = {
    name: 'Trigger',
    key: `trigger-${randomUUID()}`,
    kind: 'rich_text',
    body: { html: '<p>Hello</p>' },
  };
  const { id } = await api.post(`${base}/content-blocks`, block, Created);
  const slug = `trigger-${randomUUID().slice(0, 8)}`;
  return make('landing-pages', () => ({
    name: 'Trigger',
    slug,
    title: 'Hello',
    content_block_ids: [id],
  }))(api);
};

/** The events that a client can cause by itself, each by the shortest way. */
export const triggers = {
  'contact.created': contact,
  'contact.updated': change(contact, { first_name: 'Augusta' }),
  'contact.deleted': remove(contact),
  'contact.consent_changed': change(contact, {
    consents: { email: { status: 'unsubscribed', source: 'npm run trigger' } },
  }),
  'account.created': account,
  'account.updated': change(account, { kind: 'credit' }),
  'account.opened': account,
  'account.closed': act(account, 'close'),
  'objective.completed': completion,
  'objective.voided': async (api) => {
    const path = await completion(api);
    await api.post(`${path}/void`, { reason: 'npm run trigger' }, Created);
    return path;
  },
  'template.created': template,
  'template.updated': change(template, { name: 'Renamed' }),
  'template.scheduled': async (api) => {
    const path = await template(api);
    await api.post(`${path}/schedule`, { scheduled_at: inAnHour() }, Created);
    return path;
  },
  'template.launched': act(template, 'launch'),
  'template.paused': act(template, 'launch', 'pause'),
  'template.resumed': act(template, 'launch', 'pause', 'resume'),
  'template.expired': act(template, 'launch', 'expire'),
  'template.archived': act(template, 'archive'),
  'template.unarchived': act(template, 'archive', 'unarchive'),
  'template.locked': act(template, 'lock'),
  'journey.enrolled': journey,
  'journey.started': journey,
  'journey.canceled': act(journey, 'cancel'),
  'message.sent': journey,
  'message.skipped': journeyOf(stranger),
  'user.invited': user,
  'user.activated': act(user, 'activate'),
  'user.updated': change(user, { name: 'Ada Lovelace' }),
  'user.suspended': act(user, 'suspend'),
  'user.deleted': remove(user),
  'landing_page.created': landingPage,
  'landing_page.updated': change(landingPage, { title: 'Hello again' }),
  'landing_page.published': act(landingPage, 'publish'),
  'landing_page.unpublished': act(landingPage, 'publish', 'unpublish'),
  'landing_page.archived': act(landingPage, 'archive'),
  'cohort.created': cohort,
  'cohort.updated': change(cohort, { description: 'Changed' }),
  'cohort.archived': act(cohort, 'archive'),
  'cohort.evaluated': cohort,
  'incoming_webhook_receiver.disabled': change(receiver, { is_active: false }),
  'operation_execution.started': execution,
  'operation_execution.succeeded': execution,
} as const satisfies Partial<Record<EventName, Trigger>>;

export type TriggeredEvent = keyof typeof triggers;
const isTriggered = (name: string): name is TriggeredEvent => name in triggers;
export const triggeredEvents = Object.keys(triggers).filter(isTriggered).sort();
