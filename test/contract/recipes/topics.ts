import { randomUUID } from 'node:crypto';
import { maxTopics } from '../../../src/contacts/topics/topic.ts';
import { act, create } from './recipe.ts';
import type { Make, Owner, Params, Recipes } from './recipe.ts';

const path = '/v2/partner/topics';
const topic = () => ({ name: randomUUID() });
export const newTopic: Make = (team) => create(team, path, topic());

/** A choice of the contact in the path about a topic. */
export async function choose(team: Owner, { id = '' }: Params) {
  const about = { topic_id: await newTopic(team, {}), channel: 'email' };
  return team.post('/v2/ipaas/operations/contacts.set_topic_consent/execute', {
    input: { contact_id: id, ...about, status: 'unsubscribed', source: 'test' },
  });
}

/** As a recipient opts out of a topic, by e-mail; the API takes it from their pages only. */
export async function optOut(team: Owner, contactId: string, topicId: string): Promise<void> {
  await team.db.look(
    (sql) => sql`
      insert into contact_topic_consents (team_id, contact_id, topic_id, channel, status, source)
      values (${team.id}, ${contactId}, ${topicId}, 'email', 'unsubscribed', 'preference_center')
      returning topic_id`,
  );
}

export const topicRecipes: Recipes = {
  places: {
    '/v2/partner/topics/{id}': newTopic,
    '/v2/partner/contacts/{id}/topic-consents/{topic_id}': newTopic,
  },
  operations: {
    createTopic: { body: topic, quota: { table: 'topics', most: maxTopics } },
    updateTopic: { body: () => ({ position: 7 }) },
    unarchiveTopic: {
      target: async (team) => act(team, path, await newTopic(team, {}), ['archive']),
    },
    deleteTopic: {
      scenes: [
        {
          title: 'names it in a message',
          deed: async (team, { id = '' }) => {
            const template = await create(team, '/v2/partner/templates', { name: 'News' });
            return create(team, `/v2/partner/templates/${template}/messages`, {
              ...{ name: 'News', channel: 'sms', topic_id: id },
            });
          },
        },
      ],
    },
    getContactTopicConsents: { shown: choose },
    listContactTopicConsentChanges: { shown: choose },
    setContactTopicConsent: { body: () => ({ status: 'unsubscribed', source: 'test' }) },
  },
  references: { topic_id: newTopic },
};
