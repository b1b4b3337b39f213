import { randomUUID } from 'node:crypto';
import type { Owner } from '../../contract/recipes/recipe.ts';
import { aCompleteTemplate, aLaunchedTemplate, anObjective } from '../../campaigns/a-template.ts';
import { anActiveUser } from '../../messaging/a-test-recipient.ts';

type Item = Record<string, unknown>;

/** Facts about an operation that its schemas do not hold. */
export interface OperationRecipe {
  /** A fresh item that can be applied, once. */
  good(team: Owner): Promise<Item>;
  /** One that the schema admits and the rules refuse. */
  refused(team: Owner): Promise<Item>;
  /** Status of a repeated item; the default is `unchanged`. */
  repeat?: 'unchanged' | 'skipped';
  /** It only looks. */
  isReading?: boolean;
}

async function make(team: Owner, path: string, body: object): Promise<string> {
  const reply = await team.post(path, body);
  if (reply.status >= 300) throw new Error(`POST ${path} answers ${String(reply.status)}`);
  return String(reply.body.id);
}

const aContact = (team: Owner) => make(team, '/v2/partner/contacts', { unique_id: randomUUID() });
const anAccount = async (team: Owner, stamps: object) =>
  make(team, `/v2/partner/contacts/${await aContact(team)}/accounts`, { kind: 'loan', ...stamps });
const aCompletion = async (team: Owner) =>
  make(team, `/v2/partner/objectives/${await anObjective(team)}/completions`, {
    contact_id: await aContact(team),
  });
const aPage = async (team: Owner) => {
  const block = await make(team, '/v2/partner/content-blocks', {
    name: 'Block',
    key: `b-${randomUUID()}`,
    kind: 'rich_text',
    body: { html: '<p>Hello</p>' },
  });
  return make(team, '/v2/partner/landing-pages', {
    name: 'Page',
    slug: `p-${randomUUID()}`,
    title: 'Page',
    content_block_ids: [block],
  });
};
const aMessage = async (team: Owner) => {
  const template = await make(team, '/v2/partner/templates', {
    name: 'Template',
    objective_ids: [await anObjective(team)],
  });
  const path = `/v2/partner/templates/${template}/messages`;
  const email = { channel: 'email', subject: 'Hello', body_html: '<p>Hello</p>' };
  return make(team, path, { name: 'Message', ...email });
};
const aRequestableMessage = async (team: Owner) => {
  const template = await make(team, '/v2/partner/templates', {
    name: 'Receipts',
    objective_ids: [await anObjective(team)],
  });
  const id = await make(team, `/v2/partner/templates/${template}/messages`, {
    ...{ name: 'Receipt', channel: 'sms', purpose: 'transactional', body: 'Thank you' },
    trigger: { kind: 'on_request' },
  });
  await team.post(`/v2/partner/templates/${template}/launch`);
  return id;
};
const aList = (team: Owner) =>
  make(team, '/v2/partner/cohorts', { name: randomUUID(), kind: 'static' });
const aMember = async (team: Owner) => {
  const [cohort_id, contact_id] = [await aList(team), await aContact(team)];
  await team.post(`/v2/partner/cohorts/${cohort_id}/members/add`, { contact_ids: [contact_id] });
  return { cohort_id, contact_id };
};
const aJourney = async (team: Owner) =>
  make(team, `/v2/partner/templates/${await aLaunchedTemplate(team)}/enrollments`, {
    contact_id: await aContact(team),
  });
const aDelivery = async (team: Owner) => {
  const path = '/v2/partner/webhook-subscriptions';
  const body = { target_url: `https://example.com/${randomUUID()}`, event_types: ['*'] };
  const subscription_id = await make(team, path, body);
  return {
    subscription_id,
    delivery_ids: [await make(team, `${path}/${subscription_id}/test`, {})],
  };
};
const nobody = (field: string) => () => Promise.resolve({ [field]: randomUUID() });
const consent = { channel: 'sms', status: 'subscribed', source: 'branch' };
const topicConsent = { ...consent, status: 'unsubscribed' };
const aTopic = (team: Owner) => make(team, '/v2/partner/topics', { name: randomUUID() });

const upsert: OperationRecipe = {
  good: () => Promise.resolve({ unique_id: randomUUID(), first_name: 'Ada' }),
  refused: () =>
    Promise.resolve({ unique_id: randomUUID(), consents: { email: { status: 'subscribed' } } }),
};

export const operationRecipes: Readonly<Record<string, OperationRecipe>> = {
  'contacts.upsert': upsert,
  'contacts.bulk_upsert': upsert,
  'contacts.lookup': {
    good: async (team) => ({ id: await aContact(team) }),
    refused: () => Promise.resolve({ id: 'no uuid' }),
    isReading: true,
  },
  'contacts.set_consent': {
    good: async (team) => ({ contact_id: await aContact(team), ...consent }),
    refused: () => Promise.resolve({ contact_unique_id: randomUUID(), ...consent }),
  },
  'contacts.set_topic_consent': {
    good: async (team) => ({
      contact_id: await aContact(team),
      topic_id: await aTopic(team),
      ...topicConsent,
    }),
    refused: async (team) => ({
      contact_id: await aContact(team),
      topic_id: randomUUID(),
      ...topicConsent,
    }),
  },
  'contacts.merge': {
    good: async (team) => ({
      contact_id: await aContact(team),
      source_contact_id: await aContact(team),
    }),
    refused: async (team) => ({
      contact_id: await aContact(team),
      source_contact_id: randomUUID(),
    }),
  },
  'contacts.export': {
    good: async (team) => ({ contact_id: await aContact(team) }),
    refused: () => Promise.resolve({ contact_id: randomUUID() }),
  },
  'contacts.erase': {
    good: async (team) => ({ contact_id: await aContact(team) }),
    refused: () => Promise.resolve({ contact_id: randomUUID() }),
  },
  'accounts.sync': {
    good: async (team) => ({
      contact_id: await aContact(team),
      unique_id: randomUUID(),
      kind: 'deposit',
      opened_at: '2026-01-05T00:00:00.000Z',
    }),
    refused: async (team) => ({
      contact_id: await aContact(team),
      unique_id: randomUUID(),
      kind: 'deposit',
      opened_at: '2026-01-05T00:00:00.000Z',
      closed_at: '2026-01-04T00:00:00.000Z',
    }),
  },
  'accounts.close': {
    good: async (team) => ({
      account_id: await anAccount(team, { opened_at: '2026-01-05T00:00:00.000Z' }),
    }),
    refused: async (team) => ({
      account_id: await anAccount(team, { closed_at: '2026-01-05T00:00:00.000Z' }),
      closed_at: '2026-01-06T00:00:00.000Z',
    }),
  },
  'cohorts.evaluate': {
    good: async (team) => ({
      cohort_id: await make(team, '/v2/partner/cohorts', {
        ...{ name: randomUUID(), kind: 'dynamic' },
        definition: { field: 'contact.status', op: 'eq', value: 'active' },
      }),
    }),
    refused: async (team) => ({ cohort_id: await aList(team) }),
  },
  'cohorts.preview': {
    good: () =>
      Promise.resolve({ definition: { field: 'contact.status', op: 'eq', value: 'active' } }),
    refused: () => Promise.resolve({ definition: { field: 'contact.status', op: 'like' } }),
    isReading: true,
  },
  'insights.export': {
    good: () => Promise.resolve({ name: 'messages', period: 'P30D', timezone: 'Europe/Berlin' }),
    refused: () => Promise.resolve({ name: 'messages', period: 'soon' }),
    isReading: true,
  },
  'cohorts.add_members': {
    good: async (team) => ({ cohort_id: await aList(team), contact_id: await aContact(team) }),
    refused: async (team) => ({ cohort_id: await aList(team), contact_id: randomUUID() }),
  },
  'cohorts.remove_members': {
    good: aMember,
    refused: async (team) => ({ cohort_id: randomUUID(), contact_id: await aContact(team) }),
  },
  'messages.send': {
    good: async (team) => ({
      message_id: await aRequestableMessage(team),
      contact_id: await make(team, '/v2/partner/contacts', { phone: '+14155550100' }),
    }),
    refused: async (team) => ({
      message_id: await aMessage(team),
      contact_id: await aContact(team),
    }),
  },
  'messages.send_test': {
    good: async (team) => {
      const to = `${randomUUID()}@example.com`;
      await anActiveUser(team, to);
      return { message_id: await aMessage(team), to };
    },
    refused: async (team) => ({ message_id: await aMessage(team), to: 'nobody' }),
  },
  'objectives.complete': {
    good: async (team) => ({
      objective_key: 'direct-deposit',
      contact_id: await aContact(team),
    }),
    refused: async (team) => ({ objective_key: 'unknown', contact_id: await aContact(team) }),
  },
  'objectives.void_completion': {
    good: async (team) => ({ completion_id: await aCompletion(team), reason: 'A mistake' }),
    refused: () => Promise.resolve({ completion_id: randomUUID(), reason: 'A mistake' }),
  },
  'templates.launch': {
    good: async (team) => ({ template_id: await aCompleteTemplate(team) }),
    refused: async (team) => ({
      template_id: await make(team, '/v2/partner/templates', { name: 'Empty' }),
    }),
  },
  'templates.pause': {
    good: async (team) => ({ template_id: await aLaunchedTemplate(team) }),
    refused: async (team) => ({ template_id: await aCompleteTemplate(team) }),
  },
  'templates.enroll': {
    good: async (team) => ({
      template_id: await aLaunchedTemplate(team),
      contact_id: await aContact(team),
    }),
    refused: async (team) => ({
      template_id: await aCompleteTemplate(team),
      contact_id: await aContact(team),
    }),
  },
  'templates.enroll_cohort': {
    good: async (team) => {
      const { cohort_id } = await aMember(team);
      return { template_id: await aLaunchedTemplate(team), cohort_id };
    },
    refused: async (team) => ({
      template_id: await aCompleteTemplate(team),
      cohort_id: await aList(team),
    }),
  },
  'journeys.cancel': {
    good: async (team) => ({ journey_id: await aJourney(team) }),
    refused: nobody('journey_id'),
  },
  'journeys.explain': {
    good: async (team) => ({
      template_id: await aCompleteTemplate(team),
      contact_id: await aContact(team),
    }),
    refused: async (team) => ({
      template_id: await aCompleteTemplate(team),
      contact_id: randomUUID(),
    }),
    isReading: true,
  },
  'engagement_events.record': {
    good: () => Promise.resolve({ kind: 'custom', unique_id: randomUUID() }),
    refused: () =>
      Promise.resolve({ kind: 'custom', unique_id: randomUUID(), contact_id: randomUUID() }),
  },
  'webhooks.replay': {
    good: aDelivery,
    refused: async (team) => ({ ...(await aDelivery(team)), delivery_ids: [randomUUID()] }),
  },
  'landing_pages.publish': {
    good: async (team) => ({ landing_page_id: await aPage(team) }),
    refused: nobody('landing_page_id'),
  },
};
