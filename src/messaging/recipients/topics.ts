import type { MessageRow } from '../../campaigns/messages/message.ts';
import { topicKeyOf } from '../../contacts/topic-consents/rules.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { listUnsubscribed } from './queries.ts';

/** The topics, contacts and channels that are not subscribed, as `topicKeyOf` names them. */
export type TopicRefusals = ReadonlySet<string>;

/** The refusals of messages to contacts: one statement for all that have a topic. */
export async function findTopicRefusals(
  sql: Sql,
  requested: readonly {
    team_id: string;
    contact_id: string;
    message: Pick<MessageRow, 'topic_id' | 'channel'>;
  }[],
): Promise<TopicRefusals> {
  const places = requested.flatMap(({ team_id, contact_id, message: { topic_id, channel } }) =>
    // Versions of templates from before there were topics have no such field.
    topic_id ? [{ team_id, contact_id, topic_id, channel }] : [],
  );
  if (places.length === 0) return new Set();
  return new Set((await listUnsubscribed(sql, places)).map(topicKeyOf));
}
