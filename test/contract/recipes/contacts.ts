import { randomUUID } from 'node:crypto';
import { maxAccountsPerContact } from '../../../src/partner/accounts/rules.ts';
import { maxDevices } from '../../../src/partner/contacts/devices/device.ts';
import { create, firstOf } from './recipe.ts';
import type { Make, Owner, Params, Recipes } from './recipe.ts';

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

export const contactRecipes: Recipes = {
  places: {
    '/v2/partner/contacts/{id}': newContact,
    '/v2/partner/contact-erasures/{id}': async (team) =>
      create(team, `${path}/${await newContact(team, {})}/erase`),
    '/v2/partner/contacts/{id}/devices/{device_id}': (team, { id = '' }) =>
      create(team, `${path}/${id}/devices`, { token: randomUUID(), platform: 'ios' }),
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
    deleteContact: { target: contactWithAccount },
    getContact: { target: contactWithAccount },
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
    mergeContact: { body: async (team) => ({ source_contact_id: await newContact(team, {}) }) },
    updateContact: { body: () => ({ first_name: 'Ada' }) },
  },
  references: { contact_id: newContact, source_contact_id: newContact },
  texts: { channel: 'email' },
};
