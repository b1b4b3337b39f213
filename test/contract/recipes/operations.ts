import { randomUUID } from 'node:crypto';
import { operations } from '../../../src/operations/catalog.ts';
import { maxAccountsPerContact } from '../../../src/contacts/accounts/rules.ts';
import { operationRecipes as catalog } from '../../operations/ipaas/recipes.ts';
import { newContact } from './contacts.ts';
import { newObjective } from './objective.ts';
import { change, create, firstOf } from './recipe.ts';
import { newTopic } from './topics.ts';
import type { Body, Make, Owner, Params, Recipe, Recipes, Scene } from './recipe.ts';

const contacts = '/v2/partner/contacts';
const accounts = '/v2/partner/accounts';
const address = 'ada@example.com';

/** An execution that was started for the resource that the path names. */
export const newRunOf =
  (kind: string): Make =>
  async (team, { id = '' }) => {
    const [run] = await team.db.look(
      (sql) => sql<{ id: string }[]>`
        insert into operation_runs
          (team_id, surface, operation_kind, failure_mode, source, total_count, subject_id)
        values (${team.id}, 'ipaas', ${kind}, 'partial_ok', 'inline', 1, ${id})
        returning id`,
    );
    return run?.id ?? '';
  };

/** The operation on a contact that is there, with the same key. */
const onKnown =
  (own: object, sent: object): Body =>
  async (team) => {
    const unique_id = randomUUID();
    await create(team, contacts, { unique_id, ...own });
    return { input: { unique_id, ...sent } };
  };
const newOne = (): { input: object } => ({ input: { unique_id: randomUUID(), email: address } });
const rename = async (team: Owner) => {
  await change(team, `${contacts}/${await firstOf(team, contacts)}`, { first_name: 'Bea' });
};
const suppress = (team: Owner) =>
  create(team, '/v2/partner/suppressions', { channel: 'email', address });
const seen = async (team: Owner): Promise<unknown> => (await team.get(contacts)).body;

const upserts: Scene[] = [
  { title: 'has the contact as well', body: onKnown({}, { first_name: 'Ada' }) },
  {
    title: 'calls the contact otherwise',
    body: onKnown({ first_name: 'Ada' }, { first_name: 'Ada' }),
    deed: rename,
  },
  {
    title: 'knows another by the key',
    body: onKnown({}, { first_name: 'Ada' }),
    async deed(team) {
      const { body } = await team.get(contacts);
      const [{ id, unique_id }] = body.data;
      await change(team, `${contacts}/${String(id)}`, { unique_id: randomUUID() });
      return create(team, contacts, { unique_id });
    },
  },
  {
    title: 'has suppressed the address that is new',
    body: onKnown({}, { email: address }),
    deed: suppress,
    seen,
  },
  { title: 'has suppressed the address of a new one', body: newOne, deed: suppress, seen },
];
const lookupBy =
  (field: string): Body =>
  async (team) => {
    const known: Record<string, string> = {
      unique_id: randomUUID(),
      email: address,
      phone: '+14155550101',
    };
    const id = await create(team, contacts, known);
    return { input: { [field]: field === 'id' ? id : known[field] } };
  };
const deposit = { unique_id: 'a', kind: 'deposit' };
const onAccount =
  (own: object, sent: object): Body =>
  async (team, params) => {
    const id = await newContact(team, params);
    await create(team, `${contacts}/${id}/accounts`, { ...deposit, ...own });
    return { input: { contact_id: id, ...deposit, ...sent } };
  };
const restore = (table: 'accounts' | 'objectives' | 'topics') => (team: Owner) =>
  team.db.look(
    (sql) => sql`
    update ${sql(table)} set deleted_at = null where team_id = ${team.id} returning id`,
  );
async function deletedAccount(team: Owner, contact: string): Promise<string> {
  const id = await create(team, `${contacts}/${contact}/accounts`, { kind: 'deposit' });
  await team.db.look(
    (sql) => sql`update accounts set deleted_at = now() where id = ${id} returning id`,
  );
  return id;
}

/** Situations that distinguish teams, by operation. */
const scenes: Readonly<Record<string, readonly Scene[]>> = {
  'contacts.upsert': upserts,
  'contacts.lookup': [
    ...['id', 'unique_id', 'email', 'phone'].map((field) => ({
      title: `has the same ${field}`,
      body: lookupBy(field),
      deed: rename,
    })),
    {
      title: 'has another contact with the key of one that was merged',
      body: async (team, params) => {
        const unique_id = randomUUID();
        const source_contact_id = await create(team, contacts, { unique_id });
        const winner = await newContact(team, params);
        await create(team, `${contacts}/${winner}/merge`, { source_contact_id });
        await create(team, contacts, { email: address });
        return { input: { unique_id } };
      },
      deed: (team) =>
        team.db.look(
          (sql) => sql`
            update contacts t set unique_id = l.unique_id
            from contacts l
            where t.team_id = ${team.id} and t.email = ${address}
              and l.team_id = ${team.id} and l.merged_into_id is not null
            returning 1`,
        ),
    },
  ],
  'accounts.sync': [
    { title: 'has the account as well', body: onAccount({}, { name: 'Savings' }) },
    {
      title: 'calls the account otherwise',
      body: onAccount({ name: 'Savings' }, { name: 'Savings' }),
      async deed(team) {
        await change(team, `${accounts}/${await firstOf(team, accounts)}`, { name: 'Other' });
      },
    },
    {
      title: 'has as many accounts as there may be',
      body: async (team, params) => ({
        input: { ...deposit, contact_id: await newContact(team, params) },
      }),
      deed: (team) =>
        team.db.look(
          (sql) => sql`
          insert into accounts (team_id, contact_id, kind, currency)
          select team_id, id, 'deposit', 'USD'
          from contacts, generate_series(1, ${maxAccountsPerContact}::int)
          where team_id = ${team.id}
          returning 1`,
        ),
    },
  ],
  'contacts.set_topic_consent': [
    {
      title: 'has the topic still',
      body: async (team, params) => {
        const topic_id = await newTopic(team, params);
        await team.db.look(
          (sql) => sql`update topics set deleted_at = now() where id = ${topic_id} returning id`,
        );
        const contact_id = await newContact(team, params);
        const consent = { channel: 'sms', status: 'unsubscribed', source: 'branch' };
        return { input: { contact_id, topic_id, ...consent } };
      },
      deed: restore('topics'),
    },
  ],
  'objectives.complete': [
    {
      title: 'has the objective still',
      body: async (team, params) => {
        const objective_id = await newObjective(team, params);
        await team.db.look(
          (sql) => sql`
          update objectives set deleted_at = now() where id = ${objective_id} returning id`,
        );
        return { input: { objective_id, contact_id: await newContact(team, params) } };
      },
      deed: restore('objectives'),
    },
    {
      title: 'has the account still',
      body: async (team, params) => {
        const objective_id = await newObjective(team, params);
        const contact_id = await newContact(team, params);
        const account_id = await deletedAccount(team, contact_id);
        return { input: { objective_id, contact_id, account_id } };
      },
      deed: restore('accounts'),
    },
  ],
};

const recipeOf = (kind: string): Recipe => ({
  body: async (team: Owner, _: Params) => ({ input: await catalog[kind]?.good(team) }),
  ...(scenes[kind] && { scenes: scenes[kind] }),
});

export const operationRecipes: Recipes = {
  texts: { operation_kind: 'contacts.upsert' },
  operations: {
    executeOperation: {
      body: () => ({ input: { unique_id: randomUUID() } }),
      furtherScopes: [{ scope: 'partner:contacts:write' }],
    },
    ...Object.fromEntries(
      operations.map(({ kind }) => [`executeOperation ${kind}`, recipeOf(kind)]),
    ),
  },
};
