import { randomUUID } from 'node:crypto';
import type { Json } from '../json-schema.ts';
import { maxTestRecipients } from '../../../src/messaging/test-recipients/test-recipient.ts';
import { anActiveUser, testRecipients } from '../../messaging/a-test-recipient.ts';
import { newContact } from './contacts.ts';
import { newObjective } from './objective.ts';
import { act, change, create } from './recipe.ts';
import type { Make, Owner, Recipes, Scene } from './recipe.ts';
import { newTemplate } from './templates.ts';

/** One of two, so that there is an order. */
export const newMessage: Make = async (team, params) => {
  const path = `/v2/partner/templates/${await newTemplate(team, params)}/messages`;
  const id = await create(team, path, { name: 'Message', channel: 'sms' });
  await create(team, path, { name: 'Message behind it', channel: 'sms' });
  return id;
};

/** A launched message that is sent on request. */
const requestableOf =
  (fields: Json): Make =>
  async (team, params) => {
    const template = await newTemplate(team, params);
    await change(team, `/v2/partner/templates/${template}`, {
      objective_ids: [await newObjective(team, params)],
    });
    const id = await create(team, `/v2/partner/templates/${template}/messages`, {
      ...{ name: 'Receipt', purpose: 'transactional', trigger: { kind: 'on_request' } },
      ...fields,
    });
    await create(team, `/v2/partner/templates/${template}/launch`);
    return id;
  };
const newRequestable = requestableOf({ channel: 'sms', body: 'Thank you' });
/** An address that the twin suppresses, of a contact of the calling team. */
const suppressedElsewhere = (channel: string, field: string, address: string): Scene => ({
  title: `has suppressed the ${field}`,
  body: async (team) => ({
    contact_id: await create(team, '/v2/partner/contacts', { [field]: address }),
  }),
  deed: (team) => create(team, '/v2/partner/suppressions', { channel, address }),
});

/** Rows that the sending engine writes. */
export async function insertDelivery({ id: team_id, db }: Owner, about: Json): Promise<string> {
  const ids = { message_id: randomUUID(), template_id: randomUUID(), contact_id: randomUUID() };
  const row = { team_id, ...ids, channel: 'email', status: 'scheduled', ...about };
  const [made] = await db.look(
    (sql) => sql<{ id: string }[]>`insert into message_deliveries ${sql(row)} returning id`,
  );
  return made?.id ?? '';
}

const member = 'member@example.com';
const testRecipient = () => ({ channel: 'email', address: `${randomUUID()}@example.com` });

export const messageRecipes: Recipes = {
  places: {
    '/v2/partner/messages/{id}': newMessage,
    '/v2/partner/message-deliveries/{id}': (team) => insertDelivery(team, {}),
  },
  operations: {
    listContactMessageDeliveries: {
      shown: (team, { id = '' }) => insertDelivery(team, { contact_id: id }),
    },
    listMessageDeliveries: {
      shown: async (team, params) =>
        insertDelivery(team, {
          message_id: await newMessage(team, params),
          contact_id: await newContact(team, params),
        }),
    },
    listTemplateMessages: {
      shown: async (team, { id = '' }) => {
        const path = `/v2/partner/templates/${id}/messages`;
        const message_id = await create(team, path, { name: 'Message', channel: 'sms' });
        const sent = { message_id, template_id: id, status: 'sent', variant_key: 'a' };
        return insertDelivery(team, sent);
      },
    },
    unarchiveMessage: {
      target: async (team, params) =>
        act(team, '/v2/partner/messages', await newMessage(team, params), ['archive']),
    },
    sendMessage: {
      target: newRequestable,
      body: async (team, params) => ({ contact_id: await newContact(team, params) }),
      furtherScopes: [
        { scope: 'partner:contacts:write', body: () => ({ email: 'ada@example.com' }) },
      ],
      scenes: [
        {
          title: 'has a contact with the address',
          body: () => ({ email: 'grace@example.com' }),
          deed: (team) => create(team, '/v2/partner/contacts', { email: 'grace@example.com' }),
        },
        suppressedElsewhere('sms', 'phone', '+14155550177'),
        {
          ...suppressedElsewhere('email', 'email', 'edith@example.com'),
          target: requestableOf({
            channel: 'email',
            subject: 'Thanks',
            body_html: '<p>Thanks</p>',
          }),
        },
      ],
    },
    sendMessageBatch: {
      target: newRequestable,
      body: async (team, params) => ({ sends: [{ contact_id: await newContact(team, params) }] }),
      furtherScopes: [
        { scope: 'partner:contacts:write', body: () => ({ sends: [{ phone: '+14155550100' }] }) },
      ],
    },
    sendTestMessage: {
      target: async (team, params) => {
        const path = `/v2/partner/templates/${await newTemplate(team, params)}/messages`;
        return create(team, path, { name: 'Message', channel: 'email' });
      },
      body: async (team) => {
        const address = `${randomUUID()}@example.com`;
        await anActiveUser(team, address);
        return { to: [address] };
      },
      scenes: [
        {
          title: 'has an active user with the address',
          body: () => ({ to: [member] }),
          deed: (team) => anActiveUser(team, member),
        },
        {
          title: 'has a confirmed test recipient with the address',
          body: () => ({ to: [member] }),
          deed: async (team) => {
            await create(team, testRecipients, { channel: 'email', address: member });
            await team.db.look(
              (sql) => sql`
                update test_recipients
                set status = 'confirmed', confirmed_at = now(), link_expires_at = null
                where team_id = ${team.id} returning id`,
            );
          },
        },
        {
          title: 'has suppressed the address',
          body: async (team) => {
            await anActiveUser(team, member);
            return { to: [member] };
          },
          deed: (team) =>
            create(team, '/v2/partner/suppressions', { channel: 'email', address: member }),
        },
      ],
    },
    createTestRecipient: {
      body: testRecipient,
      quota: { table: 'test_recipients', most: maxTestRecipients },
    },
    updateMessage: {
      scenes: [{ title: 'has the same order', body: () => ({ position: 1 }) }],
    },
  },
  references: { message_ids: newMessage },
  foreignIds: [
    // An object that may hold ids; test/partner/messages tries them.
    'trigger',
    // Each has a result of its own; test/messaging/requested-sends tries ids of another team.
    'sends',
  ],
};
