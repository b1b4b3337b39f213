import { randomUUID } from 'node:crypto';
import type { EventType } from '../../../typescript/src/index.ts';
import type { Api } from '../by-path.ts';

const base = '/v2/partner';

/** Does through the API what records one event; gives the path of what it is about. */
export type Trigger = (api: Api) => Promise<string>;

const make =
  (path: string, body: () => object): Trigger =>
  async (api) =>
    `${base}/${path}/${(await api.post(`${base}/${path}`, body())).id}`;
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
    for (const action of actions) await api.post(`${path}/${action}`, {});
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
  consents: { email: { status: 'subscribed', source: 'onward trigger' } },
}));
/** A contact that has given no consent. */
const stranger = make('contacts', () => ({ first_name: 'Grace', email: address() }));
const user = make('users', () => ({ email: address() }));
const account: Trigger = async (api) => {
  const body = { kind: 'deposit', opened_at: new Date().toISOString() };
  const { id } = await api.post(`${await contact(api)}/accounts`, body);
  return `${base}/accounts/${id}`;
};
const cohort = make('cohorts', () => ({
  name: `Trigger ${randomUUID()}`,
  kind: 'dynamic',
  definition: { field: 'contact.locale', op: 'eq', value: 'en-US' },
}));
const firstObjective = async (api: Api) => {
  return (await api.firstOf(`${base}/objectives`)).id;
};
const completion: Trigger = async (api) => {
  const path = `${base}/objectives/${await firstObjective(api)}/completions`;
  const { id } = await api.post(path, { contact_id: idOf(await contact(api)) });
  return `${base}/objectives/completions/${id}`;
};
/** A campaign with one message, which could be launched. */
const template: Trigger = async (api) => {
  const body = { name: `Trigger ${randomUUID()}`, objective_ids: [await firstObjective(api)] };
  const { id } = await api.post(`${base}/templates`, body);
  const message = {
    name: 'Hello',
    channel: 'email',
    from_email: 'hello@example.com',
    subject: 'Hello',
    body_html: '<p>Hello {{ contact.first_name }}</p>',
    respect_quiet_hours: false,
  };
  await api.post(`${base}/templates/${id}/messages`, message);
  return `${base}/templates/${id}`;
};
const journeyOf =
  (who: Trigger): Trigger =>
  async (api) => {
    const path = await act(template, 'launch')(api);
    const body = { contact_id: idOf(await who(api)) };
    const { id } = await api.post(`${path}/enrollments`, body);
    return `${base}/journeys/${id}`;
  };
const journey = journeyOf(contact);
const receiver = make('incoming-webhook-receivers', () => ({ receiver_kind: 'generic_hmac' }));
/** An evaluation of a cohort is an execution of an operation. */
const execution: Trigger = async (api) => {
  const asked = await api.post(`${await cohort(api)}/evaluate`, {});
  return `/v2/ipaas/executions/${asked.execution_id ?? ''}`;
};
const landingPage: Trigger = async (api) => {
  const block = {
    name: 'Trigger',
    key: `trigger-${randomUUID()}`,
    kind: 'rich_text',
    body: { html: '<p>Hello</p>' },
  };
  const { id } = await api.post(`${base}/content-blocks`, block);
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
    consents: { email: { status: 'unsubscribed', source: 'onward trigger' } },
  }),
  'account.created': account,
  'account.updated': change(account, { kind: 'credit' }),
  'account.opened': account,
  'account.closed': act(account, 'close'),
  'objective.completed': completion,
  'objective.voided': async (api) => {
    const path = await completion(api);
    await api.post(`${path}/void`, { reason: 'onward trigger' });
    return path;
  },
  'template.created': template,
  'template.updated': change(template, { name: 'Renamed' }),
  'template.scheduled': async (api) => {
    const path = await template(api);
    await api.post(`${path}/schedule`, { scheduled_at: inAnHour() });
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
} as const satisfies Partial<Record<EventType, Trigger>>;

export type TriggeredEvent = keyof typeof triggers;
const isTriggered = (name: string): name is TriggeredEvent => name in triggers;
export const triggeredEvents = Object.keys(triggers).filter(isTriggered).sort();
