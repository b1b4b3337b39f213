import { randomUUID } from 'node:crypto';
import { maxAccountsPerContact } from '../../../src/contacts/accounts/rules.ts';
import { maxDevices } from '../../../src/contacts/devices/device.ts';
import { enroll, enrollInBoth } from './enrolled.ts';
import { newObjective, objectives } from './objective.ts';
import { change, create, firstOf } from './recipe.ts';
import type { Make, Owner, Params, Recipes, Scene } from './recipe.ts';
import { choose, newTopic, optOut } from './topics.ts';

const path = '/v2/partner/contacts';
const cohorts = '/v2/partner/cohorts';
const contact = () => ({ unique_id: randomUUID() });
export const newContact: Make = (team) => create(team, path, contact());
const account = () => ({ kind: 'deposit', unique_id: randomUUID() });
const giveAccount = (team: Owner, { id = '' }: Params) =>
  create(team, `${path}/${id}/accounts`, { kind: 'deposit' });
const contactWithAccount: Make = async (team, params) => {
  const id = await newContact(team, params);
  await giveAccount(team, { id });
  return id;
};

/** Gives two contacts what a merge has to reconcile, and the second one what it simply moves. */
async function shareALife(team: Owner, winner: string, loser: string): Promise<void> {
  // Before the journeys, which a suppression ends.
  await create(team, '/v2/partner/suppressions', { channel: 'all', contact_id: loser });
  const own = account();
  const objective = await newObjective(team, {});
  for (const id of [winner, loser]) {
    await create(team, `${path}/${id}/accounts`, own);
    await create(team, `${objectives}/${objective}/completions`, { contact_id: id });
  }
  await enroll(team, [winner, loser], objective);
  await enroll(team, [loser], objective);
  await giveAccount(team, { id: loser });
  await choose(team, { id: loser });
  await create(team, `${path}/${loser}/devices`, { token: randomUUID(), platform: 'ios' });
  const cohort = await create(team, cohorts, { name: randomUUID(), kind: 'static' });
  await create(team, `${cohorts}/${cohort}/members/add`, { contact_ids: [loser] });
  const before = { source_contact_id: await newContact(team, {}) };
  await create(team, `${path}/${loser}/merge`, before);
}

/** Somebody with another address before and a choice of topics, which an erasure forgets as well. */
const renamed: Make = async (team) => {
  const id = await create(team, path, { email: `${randomUUID()}@example.com` });
  await change(team, `${path}/${id}`, { email: `${randomUUID()}@example.com` });
  await choose(team, { id });
  return id;
};
/** Somebody about whom wrong answers were given, from one network. */
const guessed: Make = async (team, params) => {
  const id = await newContact(team, params);
  await team.db.look(
    (sql) => sql`
      insert into identity_failures (team_id, contact_id, knowledge_failed, last_failed_at)
      values (${team.id}, ${id}, 1, now())
      returning contact_id`,
  );
  await team.db.look(
    (sql) => sql`
      insert into identity_sources (team_id, contact_id, source_id, failed_count)
      values (${team.id}, ${id}, gen_random_uuid(), 1)
      returning contact_id`,
  );
  return id;
};

const without = (...channels: readonly string[]) => ({
  consents: Object.fromEntries(
    channels.map((channel) => [channel, { status: 'unsubscribed', source: 'test' }]),
  ),
});
/** Unsubscribes from the texts of a journey that sends pushes as well. */
const leavingTexts = async (team: Owner, { id = '' }: Params) => {
  await enrollInBoth(team, id);
  return without('sms');
};

const addressOfOptOut = 'grace@example.com';
const withAddress = (email: string) => ({ unique_id: randomUUID(), email });
const toThatAddress = () => withAddress(addressOfOptOut);
const leaveAddress = (team: Owner, id: string) =>
  change(team, `${path}/${id}`, { email: `${randomUUID()}@example.com` });
/** An opt-out of a recipient; the API takes it from the pages of recipients only. */
async function unsubscribe(team: Owner, id: string): Promise<void> {
  await team.db.look(
    (sql) => sql`
      update contacts
      set consents = jsonb_set(consents, '{email}', ${sql.json({
        ...{ status: 'unsubscribed', source: 'unsubscribe_link' },
        updated_at: new Date().toISOString(),
      })})
      where team_id = ${team.id} and id = ${id} returning id`,
  );
}
/** A contact that has the address, and a topic. */
async function holderWithTopic(team: Owner, email = addressOfOptOut) {
  const topic = await newTopic(team, {});
  return { topic, holder: await create(team, path, withAddress(email)) };
}
const holderOf = async (team: Owner) => {
  const { body } = await team.get(`${path}?sort=inserted_at`);
  return String(body.data[0].id);
};
const topicOf = (team: Owner) => firstOf(team, '/v2/partner/topics');

/** Opt-outs of an address that a new contact gets. */
const optOutsOfOthers: Scene[] = [
  {
    title: 'has an opt-out of who has the address',
    body: toThatAddress,
    deed: async (team) => unsubscribe(team, await create(team, path, toThatAddress())),
  },
  {
    title: 'has an opt-out of who had the address',
    body: toThatAddress,
    async deed(team) {
      const id = await create(team, path, toThatAddress());
      await unsubscribe(team, id);
      await leaveAddress(team, id);
    },
  },
  {
    title: 'has given the address to who opted out of a topic',
    async body(team) {
      const { topic, holder } = await holderWithTopic(team, 'other@example.com');
      await optOut(team, holder, topic);
      return toThatAddress();
    },
    deed: async (team) =>
      team.db.look(
        async (sql) => sql`
          update contacts set email = ${addressOfOptOut}
          where team_id = ${team.id} and email = 'other@example.com' returning id`,
      ),
  },
  {
    title: 'has an opt-out from a topic of who has the address',
    async body(team) {
      await holderWithTopic(team);
      return toThatAddress();
    },
    deed: async (team) => optOut(team, await holderOf(team), await topicOf(team)),
  },
  {
    title: 'has an opt-out from a topic of who had the address',
    async body(team) {
      await newTopic(team, {});
      return toThatAddress();
    },
    async deed(team) {
      const id = await create(team, path, toThatAddress());
      await optOut(team, id, await topicOf(team));
      await leaveAddress(team, id);
    },
  },
  {
    title: 'has the topic still that somebody opted out of',
    async body(team) {
      const { topic, holder } = await holderWithTopic(team);
      await optOut(team, holder, topic);
      await team.db.look(
        (sql) => sql`
          update topics set deleted_at = now()
          where team_id = ${team.id} and id = ${topic} returning id`,
      );
      return toThatAddress();
    },
    deed: (team) =>
      team.db.look(
        (sql) => sql`
          update topics set deleted_at = null where team_id = ${team.id} returning id`,
      ),
  },
];

export const contactRecipes: Recipes = {
  places: {
    '/v2/partner/contacts/{id}': newContact,
    '/v2/partner/contact-erasures/{id}': async (team) =>
      create(team, `${path}/${await newContact(team, {})}/erase`),
  },
  operations: {
    createContact: {
      body: contact,
      scenes: [
        {
          title: 'has suppressed the address',
          body: () => ({ unique_id: randomUUID(), email: 'ada@example.com' }),
          deed: (team) =>
            create(team, '/v2/partner/suppressions', {
              channel: 'email',
              address: 'ada@example.com',
            }),
        },
        {
          title: 'has merged the contact with the key',
          body: () => ({ unique_id: 'of-somebody' }),
          deed: async (team) => {
            const source_contact_id = await create(team, path, { unique_id: 'of-somebody' });
            return create(team, `${path}/${await newContact(team, {})}/merge`, {
              source_contact_id,
            });
          },
        },
        ...optOutsOfOthers,
      ],
    },
    createContactAccount: {
      body: account,
      quota: { table: 'accounts', most: maxAccountsPerContact },
      scenes: [
        { title: 'is there', body: () => ({ kind: 'loan', unique_id: randomUUID() }) },
        {
          title: 'has an objective that this completes',
          body: async (team) => {
            const objective = { name: 'Deposit', key: 'deposit', product_kind: 'deposit' };
            await create(team, '/v2/partner/objectives', objective);
            return { ...account(), opened_at: new Date().toISOString() };
          },
        },
      ],
    },
    createContactDevice: {
      body: () => ({ token: randomUUID(), platform: 'web' }),
      quota: { table: 'contact_devices', most: maxDevices },
    },
    deleteContact: {
      target: async (team, params) => {
        const id = await contactWithAccount(team, params);
        await enroll(team, [id]);
        return id;
      },
    },
    eraseContact: { target: renamed },
    resetContactIdentityLock: { target: guessed },
    getContact: {
      target: contactWithAccount,
      scenes: [
        {
          title: 'has another contact with its key',
          target: async (team) => {
            const unique_id = randomUUID();
            await create(team, path, { unique_id });
            return `unique_id:${unique_id}`;
          },
        },
        {
          title: 'has merged it into another',
          target: async (team) => {
            const unique_id = randomUUID();
            const source_contact_id = await create(team, path, { unique_id });
            const winner = await newContact(team, {});
            await create(team, `${path}/${winner}/merge`, { source_contact_id });
            await create(team, path, { unique_id: 'another' });
            return `unique_id:${unique_id}`;
          },
          deed: (team, { id = '' }) =>
            team.db.look(
              (sql) => sql`
                update contacts set merged_into_id = (
                  select id from contacts where team_id = ${team.id} and unique_id = 'another')
                where team_id = ${team.id} and unique_id = ${id.replace('unique_id:', '')}
                returning id`,
            ),
        },
      ],
    },
    listContactAccounts: { shown: giveAccount },
    listContactConsentChanges: {
      shown: (team, { id = '' }) =>
        team.patch(`${path}/${id}`, {
          consents: { email: { status: 'subscribed', source: 'test' } },
        }),
    },
    listContacts: {
      shown: contactWithAccount,
      scenes: [
        {
          title: 'has them in a cohort that is embedded',
          query: async (team) => {
            await create(team, cohorts, { name: randomUUID(), kind: 'static' });
            return '?include=cohorts';
          },
          deed: async (team) => {
            const cohort = await firstOf(team, cohorts);
            const contact_ids = [await firstOf(team, path)];
            await create(team, `${cohorts}/${cohort}/members/add`, { contact_ids });
          },
        },
        {
          title: 'calls the cohort otherwise that is embedded',
          query: async (team) => {
            const cohort = await create(team, cohorts, { name: randomUUID(), kind: 'static' });
            const contact_ids = [await firstOf(team, path)];
            await create(team, `${cohorts}/${cohort}/members/add`, { contact_ids });
            return '?include=cohorts';
          },
          deed: async (team) =>
            change(team, `${cohorts}/${await firstOf(team, cohorts)}`, { name: 'Other' }),
        },
        {
          title: 'has them in a cohort',
          query: async (team) => {
            const cohort = { name: randomUUID(), kind: 'static' };
            return `?filter[cohort_id]=${await create(team, cohorts, cohort)}`;
          },
          deed: async (team) => {
            const cohort = await firstOf(team, cohorts);
            const contact_ids = [await firstOf(team, path)];
            return create(team, `${cohorts}/${cohort}/members/add`, { contact_ids });
          },
        },
      ],
    },
    mergeContact: {
      body: async (team, { id = '' }) => {
        const source_contact_id = await newContact(team, {});
        await shareALife(team, id, source_contact_id);
        return { source_contact_id };
      },
      scenes: [
        {
          title: 'has suppressed the one that stays',
          deed: (team, { id = '' }) =>
            create(team, '/v2/partner/suppressions', { channel: 'all', contact_id: id }),
        },
      ],
    },
    updateContact: {
      body: () => ({ first_name: 'Ada' }),
      scenes: [
        {
          title: 'has unsubscribed from everything',
          body: leavingTexts,
          deed: (team, { id = '' }) => change(team, `${path}/${id}`, without('sms', 'push')),
        },
        {
          title: 'has an opt-out of the contact from the topic already',
          async body(team) {
            const { topic, holder } = await holderWithTopic(team);
            await optOut(team, holder, topic);
            return { email: addressOfOptOut };
          },
          deed: async (team, { id = '' }) => optOut(team, id, await topicOf(team)),
        },
        {
          title: 'sends texts alone',
          body: leavingTexts,
          deed: (team) =>
            team.db.look(
              (sql) => sql`
                update template_versions
                set content = jsonb_set(content, '{messages}',
                  jsonb_path_query_array(content, '$.messages[*] ? (@.channel == "sms")'))
                where team_id = ${team.id} returning id`,
            ),
        },
      ],
    },
  },
  references: { contact_id: newContact, source_contact_id: newContact },
  texts: { channel: 'email' },
};
