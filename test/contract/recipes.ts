import { randomUUID } from 'node:crypto';
import type { Reply } from '../support/api.ts';
import type { TestDatabase } from '../support/database.ts';
import type { Json } from './json-schema.ts';

/** What a schema cannot tell of an endpoint: add a line here when a new one has no sample. */

export type Params = Readonly<Record<string, string>>;
/** A team that things are made for; one of the tests, or one of a service that runs by itself. */
export interface Owner {
  id: string;
  /** To make what the API has no way to make. */
  db: Pick<TestDatabase, 'look'>;
  get(path: string): Promise<Pick<Reply, 'status' | 'body'>>;
  post(path: string, body?: unknown): Promise<Pick<Reply, 'status' | 'body'>>;
}
/** Makes a resource and returns its id. */
export type Make = (team: Owner, params: Params) => Promise<string>;

/** POSTs a minimal body and returns the id of what was made. */
async function create(team: Owner, path: string, body?: Json): Promise<string> {
  const reply = await team.post(path, body);
  if (reply.status >= 300) {
    throw new Error(`POST ${path} answers ${String(reply.status)} ${JSON.stringify(reply.body)}`);
  }
  return String(reply.body.id);
}

const subscription = () => ({
  target_url: `https://hooks.example.com/${randomUUID()}`,
  event_types: ['*'],
});
const contact = () => ({ unique_id: randomUUID() });
const address = () => ({ channel: 'email', address: `${randomUUID()}@example.com` });
const objective = () => ({ name: 'Objective', key: `o-${randomUUID()}` });

const user = () => ({ email: `${randomUUID()}@example.com` });

const newUser =
  (...actions: string[]): Make =>
  async (team) => {
    const id = await create(team, '/v2/partner/users', user());
    for (const action of actions) await create(team, `/v2/partner/users/${id}/${action}`);
    return id;
  };
const richText = (): Json => ({ kind: 'rich_text', body: { html: '<p>Hello</p>' } });
const contentBlock = () => ({ name: 'Block', key: `b-${randomUUID()}`, ...richText() });
const newContentBlock: Make = (team) => create(team, '/v2/partner/content-blocks', contentBlock());

/** A landing page that can be published, after these actions. */
const landingPageAfter =
  (...actions: string[]): Make =>
  async (team, params) => {
    const content_block_ids = [await newContentBlock(team, params)];
    const page = { name: 'Page', slug: `p-${randomUUID()}`, title: 'Page', content_block_ids };
    const id = await create(team, '/v2/partner/landing-pages', page);
    for (const action of actions) {
      await create(team, `/v2/partner/landing-pages/${id}/${action}`);
    }
    return id;
  };

const sftpCredential = () => ({ name: 'nightly', generate_key_pair: true });
const newSftpCredential: Make = (team) =>
  create(team, '/v2/partner/sftp-credentials', sftpCredential());
const newWidget =
  (...actions: string[]): Make =>
  async (team) => {
    const id = await create(team, '/v2/partner/widget-instances', {
      name: 'Checklist',
      widget_kind: 'journey',
    });
    for (const action of actions) {
      await create(team, `/v2/partner/widget-instances/${id}/${action}`);
    }
    return id;
  };
const newSftpUpload: Make = async (team, params) => {
  const credentialId = await newSftpCredential(team, params);
  const [row] = await team.db.look(
    (sql) => sql<{ id: string }[]>`
    insert into sftp_uploads (team_id, sftp_credential_id, path, status)
    values (${team.id}, ${credentialId}, '/in/contacts/june.csv', 'received')
    returning id`,
  );
  return String(row?.id);
};
const newContact: Make = (team) => create(team, '/v2/partner/contacts', contact());
const newObjective: Make = (team) => create(team, '/v2/partner/objectives', objective());

const engagement = () => ({ kind: 'custom', unique_id: randomUUID() });
const completion = async (team: Owner, params: Params) => ({
  contact_id: await newContact(team, params),
});

/** An objective after an action. */
const objectiveAfter =
  (action: string): Make =>
  async (team, params) => {
    const id = await newObjective(team, params);
    return create(team, `/v2/partner/objectives/${id}/${action}`);
  };

const newAccount =
  (stamps: Json): Make =>
  async (team, params) =>
    create(team, `/v2/partner/contacts/${await newContact(team, params)}/accounts`, {
      kind: 'deposit',
      ...stamps,
    });

const newTemplate: Make = (team) => create(team, '/v2/partner/templates', { name: 'Template' });
/** A template that is complete, after these actions. */
const templateAfter =
  (...actions: string[]): Make =>
  async (team, params) => {
    const objective_ids = [await newObjective(team, params)];
    const id = await create(team, '/v2/partner/templates', { name: 'Template', objective_ids });
    const path = `/v2/partner/templates/${id}`;
    await create(team, `${path}/messages`, { name: 'Welcome', channel: 'sms' });
    for (const action of actions) {
      await create(team, `${path}/${action}`, action === 'schedule' ? tomorrow() : undefined);
    }
    return id;
  };
const tomorrow = () => ({ scheduled_at: new Date(Date.now() + 86_400_000).toISOString() });

const newPage: Make = async (team, params) =>
  create(team, `/v2/partner/templates/${await newTemplate(team, params)}/pages`, { name: 'Page' });
const newMessage: Make = async (team, params) =>
  create(team, `/v2/partner/templates/${await newTemplate(team, params)}/messages`, {
    name: 'Message',
    channel: 'sms',
  });

/** What the sending engine writes. */
const newDelivery: Make = async ({ id: team_id, db }) => {
  const ids = { message_id: randomUUID(), template_id: randomUUID(), contact_id: randomUUID() };
  const row = { team_id, ...ids, channel: 'email', status: 'scheduled' };
  const [made] = await db.look(
    (sql) => sql<{ id: string }[]>`insert into message_deliveries ${sql(row)} returning id`,
  );
  return made?.id ?? '';
};

const openedAt = { opened_at: '2026-01-05T00:00:00.000Z' };
const closedAt = { closed_at: '2026-02-05T00:00:00.000Z' };

const newReceiver: Make = (team) =>
  create(team, '/v2/partner/incoming-webhook-receivers', { receiver_kind: 'generic_hmac' });
/** A receiver that a topic asks for its word. */
const askedReceiver: Make = async (team, params) => {
  const id = await newReceiver(team, params);
  await team.db.look(
    (sql) => sql`
    insert into inbound_deliveries (day, id, team_id, receiver_id, receiver_kind, status,
      signature_status, http_status, size_bytes, payload, received_at)
    values (current_date, gen_random_uuid(), ${team.id}, ${id}, 'email_a', 'pending_confirmation',
      'verified', 200, 1, ${sql.json({ topic_arn: 'arn:aws:sns:eu-west-1:123456789012:mail' })}, now())
    returning id`,
  );
  return id;
};

/** A callback that came in and can be replayed. */
const newCallback: Make = async (team, { receiver_id = '' }) => {
  const [made] = await team.db.look(
    (sql) => sql<{ id: string }[]>`
    insert into inbound_deliveries (day, id, team_id, receiver_id, receiver_kind, status,
      signature_status, http_status, size_bytes, payload, received_at)
    values (current_date, gen_random_uuid(), ${team.id}, ${receiver_id}, 'generic_hmac',
      'failed', 'verified', 200, 1, '{}', now())
    returning id`,
  );
  return made?.id ?? '';
};
const callbackIds = async (team: Owner, params: Params) => ({
  delivery_ids: [await newCallback(team, params)],
});

/** How the last id of a path comes to exist; the ids before it are given. By path up to that id. */
export const places: Readonly<Record<string, Make>> = {
  '/v2/partner/accounts/{id}': newAccount({}),
  '/v2/partner/audit-events/{id}': async (team, params) => {
    const made = await newUser()(team, params);
    const { body } = await team.get(`/v2/partner/audit-events?filter[resource_id]=${made}`);
    return String(body.data[0].id);
  },
  '/v2/partner/contacts/{id}': newContact,
  '/v2/partner/contacts/{id}/devices/{device_id}': (team, { id = '' }) =>
    create(team, `/v2/partner/contacts/${id}/devices`, { token: randomUUID(), platform: 'ios' }),
  '/v2/partner/engagement-events/{id}': async (team) => {
    const reply = await team.post('/v2/partner/engagement-events', { events: [engagement()] });
    return String(reply.body.data[0].id);
  },
  '/v2/partner/objectives/completions/{id}': async (team, params) =>
    create(
      team,
      `/v2/partner/objectives/${await newObjective(team, params)}/completions`,
      await completion(team, params),
    ),
  '/v2/partner/suppressions/{id}': (team) => create(team, '/v2/partner/suppressions', address()),
  '/v2/partner/content-blocks/{id}': newContentBlock,
  '/v2/partner/incoming-webhook-receivers/{id}': newReceiver,
  '/v2/webhooks/inbound/{receiver_id}': newReceiver,
  '/v2/webhooks/inbound/{receiver_id}/deliveries/{delivery_id}': (team, { receiver_id = '' }) =>
    create(team, `/v2/partner/incoming-webhook-receivers/${receiver_id}/test`),
  '/v2/webhooks/inbound/{receiver_id}/replays/{replay_id}': async (team, params) =>
    create(
      team,
      `/v2/webhooks/inbound/${params['receiver_id'] ?? ''}/replay`,
      await callbackIds(team, params),
    ),
  '/v2/partner/landing-pages/{id}': landingPageAfter(),
  '/v2/partner/message-deliveries/{id}': newDelivery,
  '/v2/partner/messages/{id}': newMessage,
  '/v2/partner/pages/{id}': newPage,
  '/v2/partner/objectives/{id}': newObjective,
  '/v2/partner/sftp-credentials/{id}': newSftpCredential,
  '/v2/partner/sftp-uploads/{id}': newSftpUpload,
  '/v2/partner/templates/{id}': newTemplate,
  '/v2/partner/users/{id}': newUser(),
  '/v2/partner/webhook-subscriptions/{id}': (team) =>
    create(team, '/v2/partner/webhook-subscriptions', subscription()),
  '/v2/partner/webhook-subscriptions/{id}/deliveries/{delivery_id}': (team, { id = '' }) =>
    create(team, `/v2/partner/webhook-subscriptions/${id}/test`, {}),
  '/v2/partner/widget-instances/{id}': newWidget(),
};

/** Where an operation needs its resource in another state than the one it is made in. */
export const states: Readonly<Record<string, Make>> = {
  confirmReceiverSubscription: askedReceiver,
  closeAccount: newAccount(openedAt),
  reopenAccount: newAccount({ ...openedAt, ...closedAt }),
  unarchiveObjective: objectiveAfter('archive'),
  getTemplateVersion: templateAfter('launch'),
  scheduleTemplate: templateAfter(),
  unscheduleTemplate: templateAfter('schedule'),
  launchTemplate: templateAfter(),
  pauseTemplate: templateAfter('launch'),
  resumeTemplate: templateAfter('launch', 'pause'),
  expireTemplate: templateAfter('launch'),
  unarchiveTemplate: templateAfter('archive'),
  unarchiveWidgetInstance: newWidget('archive'),
  unlockTemplate: templateAfter('lock'),
  reactivateUser: newUser('suspend'),
  unpublishLandingPage: landingPageAfter('publish'),
  unarchiveLandingPage: landingPageAfter('archive'),
  unarchiveMessage: async (team, params) => {
    const id = await newMessage(team, params);
    return create(team, `/v2/partner/messages/${id}/archive`);
  },
  unarchiveContentBlock: async (team, params) => {
    const id = await newContentBlock(team, params);
    return create(team, `/v2/partner/content-blocks/${id}/archive`);
  },
};

/** Bodies that the schema alone does not give. */
export const bodies: Readonly<
  Record<string, (team: Owner, params: Params) => Json | Promise<Json>>
> = {
  createIncomingWebhookReceiver: () => ({ receiver_kind: 'email_b' }),
  updateIncomingWebhookReceiver: () => ({ name: 'Receiver' }),
  updateReceiverVerification: () => ({ max_age_seconds: 600 }),
  replayInboundWebhooks: callbackIds,
  createContact: contact,
  createContactDevice: () => ({ token: randomUUID(), platform: 'web' }),
  createContentBlock: contentBlock,
  previewContentBlock: richText,
  createObjective: objective,
  createSftpCredentials: sftpCredential,
  createUser: user,
  createObjectiveCompletion: completion,
  recordEngagementEvents: () => ({ events: [engagement()] }),
  createSuppression: async (team, params) => ({
    channel: 'all',
    contact_id: await newContact(team, params),
  }),
  createWebhookSubscription: subscription,
  scheduleTemplate: tomorrow,
  updateContact: () => ({ first_name: 'Ada' }),
};

/** Values of path parameters that are no ids. */
export const texts: Readonly<Record<string, string>> = {
  channel: 'email',
  version: '1',
};

/** Fields of bodies that hold ids of other resources, and what makes one. */
export const references: Readonly<Record<string, Make>> = {
  delivery_ids: newCallback,
  contact_id: newContact,
  account_id: newAccount({}),
  events: newContact,
  content_block_ids: newContentBlock,
  objective_ids: newObjective,
  objective_id: newObjective,
  page_ids: newPage,
  message_ids: newMessage,
  template_id: newTemplate,
};
/** Ids that partners choose, of things that the service does not know. */
export const foreignIds = new Set([
  'product_id',
  // Kept for resources that do not exist yet.
  'target_cohort_ids',
  'exclusion_cohort_ids',
  'widget_instance_id',
  // An object that may hold ids; test/partner/messages tries them.
  'trigger',
]);
