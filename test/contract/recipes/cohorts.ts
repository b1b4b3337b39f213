import { randomUUID } from 'node:crypto';
import { maxCohorts } from '../../../src/cohorts/cohort.ts';
import { newContact } from './contacts.ts';
import { bring, enroll } from './enrolled.ts';
import { newRunOf } from './operations.ts';
import { act, create, firstOf } from './recipe.ts';
import type { Make, Owner, Params, Recipes, Scene } from './recipe.ts';

const path = '/v2/partner/cohorts';
const contacts = '/v2/partner/contacts';
const objectives = '/v2/partner/objectives';
const templates = '/v2/partner/templates';
const definition = { field: 'contact.status', op: 'eq', value: 'active' };
const list = () => ({ name: randomUUID(), kind: 'static' });
const newList: Make = (team) => create(team, path, list());
const join = (team: Owner, cohort: string, contact: string) =>
  create(team, `${path}/${cohort}/members/add`, { contact_ids: [contact] });
const listWithMember: Make = async (team, params) => {
  const id = await newList(team, params);
  await join(team, id, await newContact(team, params));
  return id;
};
const members = async (team: Owner, params: Params) => ({
  contact_ids: [await newContact(team, params)],
});
/** Who is a member of the list that the path names. */
const newMember: Make = async (team, { id = '', ...params }) => {
  const contact = await newContact(team, params);
  await join(team, id, contact);
  return contact;
};
/** A member with a journey that the list brought. */
async function leaving(team: Owner, params: Params, ends: boolean) {
  const contact_id = await newMember(team, params);
  await bring(team, { cohort: params['id'] ?? '', contact_id }, ends);
  return { contact_ids: [contact_id] };
}
/** The contact joins every list that there is. */
async function joinAll(team: Owner, contact: string): Promise<void> {
  const { body } = await team.get(path);
  for (const { id } of body.data) await join(team, id, contact);
}

const topics = '/v2/partner/topics';
const subscribed = { channel: 'email', status: 'subscribed' };
const newTopic = (team: Owner) =>
  create(team, topics, { name: randomUUID(), default_consent: 'unsubscribed' });
const newLeaf = (team: Owner) => create(team, objectives, { name: 'Leaf', key: 'leaf' });
/** Each kind of leaf that looks at other rows than those of contacts. */
async function leaves(team: Owner, params: Params) {
  const cohort = { id: await newList(team, params) };
  await newLeaf(team);
  return [
    { account: { where: [{ field: 'kind', op: 'eq', value: 'deposit' }] } },
    { objective: { key: 'leaf' } },
    { event: { kind: 'custom' } },
    { cohort },
    { journey: { template_id: await enroll(team, []) } },
    { topic_consent: { topic_id: await newTopic(team), ...subscribed } },
  ];
}
/** Does what all of these leaves ask for. */
async function fulfil(team: Owner, contact: string): Promise<void> {
  await create(team, `${contacts}/${contact}/accounts`, { kind: 'deposit' });
  const objective = await firstOf(team, `${objectives}?filter[key]=leaf`);
  await create(team, `${objectives}/${objective}/completions`, { contact_id: contact });
  const event = { kind: 'custom', unique_id: randomUUID(), contact_id: contact };
  await create(team, '/v2/partner/engagement-events', { events: [event] });
  await joinAll(team, contact);
  for (const { id } of (await team.get(templates)).body.data) {
    await create(team, `${templates}/${String(id)}/enrollments`, { contact_id: contact });
  }
  for (const { id } of (await team.get(topics)).body.data) {
    await create(team, '/v2/ipaas/operations/contacts.set_topic_consent/execute', {
      input: { contact_id: contact, topic_id: id, ...subscribed, source: 'test' },
    });
  }
}
/** Turns a static cohort into one with a definition, which the API does not permit. */
const define = (team: Owner, id: string, rule: object) =>
  team.db.look(
    (sql) => sql`
    update cohorts set kind = 'dynamic', definition = ${JSON.stringify(rule)}::text::jsonb
    where team_id = ${team.id} and id = ${id}
    returning id`,
  );
const needed: Scene = {
  title: 'has launched a template for it',
  deed: (team, { id = '' }) =>
    team.db.look(
      (sql) => sql`
      insert into templates (team_id, name, status, launched_at, locked_at, target_cohort_ids)
      values (${team.id}, 'Template', 'launched', now(), now(), array[${id}::uuid])
      returning id`,
    ),
};

export const cohortRecipes: Recipes = {
  places: {
    '/v2/partner/cohorts/{id}': newList,
    '/v2/partner/cohorts/{id}/members/{contact_id}': newContact,
    '/v2/partner/cohorts/{id}/evaluations/{execution_id}': newRunOf('cohorts.evaluate'),
  },
  operations: {
    createCohort: {
      body: () => ({ name: randomUUID(), kind: 'dynamic', definition }),
      quota: { table: 'cohorts', most: maxCohorts },
      furtherScopes: [{ scope: 'partner:contacts:read' }],
      deepIds: [
        {
          name: 'definition.cohort.id',
          make: newList,
          body: (id) => ({
            name: randomUUID(),
            kind: 'dynamic',
            definition: { cohort: { id } },
          }),
        },
      ],
    },
    previewCohort: {
      body: () => ({ definition }),
      furtherScopes: [{ scope: 'partner:contacts:read' }],
      scenes: [
        {
          title: 'has the same contacts',
          body: async (team, params) => {
            await newContact(team, params);
            return { definition };
          },
        },
        ...[0, 1, 2, 3, 4, 5].map((at) => ({
          title: `has done what rule ${String(at)} asks for`,
          body: async (team: Owner, params: Params) => {
            await newContact(team, params);
            const rules = await leaves(team, params);
            return { definition: { op: 'any', rules: [rules[at] ?? {}] } };
          },
          deed: async (team: Owner) => fulfil(team, await firstOf(team, contacts)),
        })),
        {
          title: 'subscribes everybody to the topic',
          body: async (team, params) => {
            await newContact(team, params);
            const topic_id = await newTopic(team);
            return { definition: { topic_consent: { topic_id, ...subscribed } } };
          },
          deed: (team) =>
            team.db.look(
              (sql) => sql`
              update topics set default_consent = 'subscribed' where team_id = ${team.id}
              returning id`,
            ),
        },
        {
          title: 'calls an objective so',
          body: async (team, params) => {
            await newLeaf(team);
            await fulfil(team, await newContact(team, params));
            return { definition: { objective: { key: 'other' } } };
          },
          deed: (team) =>
            team.db.look(
              (sql) => sql`
              update objectives set key = 'other' where team_id = ${team.id} and key = 'leaf'
              returning id`,
            ),
        },
      ],
    },
    evaluateCohort: {
      target: (team) =>
        create(team, path, {
          name: randomUUID(),
          kind: 'dynamic',
          evaluation_mode: 'on_demand',
          definition,
        }),
    },
    explainCohortMember: {
      scenes: [
        {
          title: 'has it among its members',
          deed: (team, { contact_id = '' }) => joinAll(team, contact_id),
        },
        {
          title: 'calls it otherwise',
          target: async (team, { id = '' }) => {
            await define(team, id, { field: 'contact.first_name', op: 'eq', value: 'Ada' });
            return create(team, contacts, { unique_id: randomUUID() });
          },
          deed: (team, { contact_id = '' }) =>
            team.patch(`${contacts}/${contact_id}`, { first_name: 'Ada' }),
        },
      ],
    },
    listCohortMembers: { shown: newMember },
    listContactCohorts: {
      shown: async (team, { id = '', ...params }) => join(team, await newList(team, params), id),
      scenes: [
        {
          title: 'has it in more of them',
          target: async (team, params) => {
            await newList(team, params);
            return newContact(team, params);
          },
          deed: (team, { id = '' }) => joinAll(team, id),
        },
      ],
    },
    addCohortMembers: { body: members },
    removeCohortMembers: {
      body: (team, params) => leaving(team, params, true),
      scenes: [
        {
          title: 'ends journeys with the membership',
          body: (team, params) => leaving(team, params, false),
          deed: (team) =>
            team.db.look(
              (sql) => sql`
                update template_versions
                set content = jsonb_set(content, '{exit_on_leaving_cohort}', 'true')
                where team_id = ${team.id} returning id`,
            ),
        },
      ],
    },
    deleteCohort: { target: listWithMember, scenes: [needed] },
    archiveCohort: { scenes: [needed] },
    unarchiveCohort: {
      target: async (team, params) => act(team, path, await newList(team, params), ['archive']),
    },
  },
  references: {
    contact_ids: newContact,
    cohort_id: newList,
    target_cohort_ids: newList,
    exclusion_cohort_ids: newList,
  },
};
