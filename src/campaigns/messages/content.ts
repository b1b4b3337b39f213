import type { Principal } from '../../platform/auth/principal.ts';
import type { SendingConfig } from '../../platform/config.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { changedFields } from '../../platform/events/record.ts';
import { schemaProblems } from '../../platform/http/data-schema.ts';
import { failAll } from '../../platform/http/errors.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { ruleProblems } from '../../cohorts/edit.ts';
import { holdTopic } from '../../contacts/topics/queries.ts';
import { unknownObjectives } from '../objectives/queries.ts';
import { cleanMarkup, sourceProblems } from '../rendering/sources.ts';
import { blockProblems } from '../rendering/use-of-blocks.ts';
import { Message, maxDateAheadDays } from './message.ts';
import type { MessageContent, Trigger } from './message.ts';
import { inStoredForm } from '../../platform/schema/email.ts';
import { senderProblems } from './sender-problems.ts';
import { smsSegments } from './sms-segments.ts';

/** Fields that only one channel has. */
const channelOf: Readonly<Record<string, readonly MessageContent['channel'][]>> = {
  subject: ['email'],
  preheader: ['email'],
  from_name: ['email'],
  from_email: ['email'],
  reply_to: ['email'],
  body_html: ['email'],
  body_text: ['email'],
  content_block_ids: ['email'],
  body: ['sms', 'push'],
  sender: ['sms'],
  title: ['push'],
  image_url: ['push'],
  deep_link: ['push'],
  data: ['push'],
};

/** Required fields of each kind of trigger. */
const triggerNeeds: Readonly<Record<Trigger['kind'], readonly (keyof Trigger)[]>> = {
  on_enroll: [],
  delay: ['delay'],
  date: ['date'],
  on_event: ['event_kind'],
  on_objective_incomplete: ['objective_id'],
  on_page: ['page_id'],
  on_request: [],
};

/** Characters of JSON. */
const maxDataLength = 4_096;
const maxConditionLength = 16_384;
const maxPushBodyLength = 1_000;

/** The parts of a message that may hold Liquid. */
export function textsOf(message: MessageContent) {
  const { subject, preheader, from_name, body_html, body_text, body, title } = message;
  const { image_url, deep_link, localizations, variants } = message;
  const overrides = variants.map((variant) => variant.overrides);
  return {
    subject,
    preheader,
    from_name,
    body_html,
    body_text,
    body,
    title,
    image_url,
    deep_link,
    localizations,
    variants: overrides,
  };
}

/**
 * A message in its stored form: HTML sanitized, addresses in ASCII, ids in lower case, segments of text
 * messages counted; with warnings of what sanitizing removed. Throws 422 with all problems of the
 * fields that differ from `before`. Throws 401 if a condition tests data that the client may not
 * read.
 */
export async function contentOf(
  sql: Sql,
  principal: Principal,
  before: MessageContent,
  written: MessageContent,
  { pageIds, sending }: { pageIds: readonly string[]; sending: SendingConfig },
) {
  const requested = withStoredAddresses(written);
  const { teamId } = principal;
  const changed = Object.keys(changedFields(Message, before, requested) ?? {});
  const problems: Problem[] = [];
  for (const field of changed) {
    const channels = channelOf[field];
    const value: unknown = Reflect.get(requested, field);
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
    if (!channels || isEmpty || channels.includes(requested.channel)) continue;
    problems.push(invalid(`/${field}`, 'channel', `${field} is for ${channels.join(', ')} only`));
  }
  problems.push(
    ...sizeProblems(requested),
    ...variantProblems(requested),
    ...requestProblems(requested),
  );
  if (changed.includes('data_schema') && requested.data_schema !== null) {
    problems.push(...schemaProblems(requested.data_schema, '/data_schema'));
  }
  if (changed.includes('trigger')) {
    problems.push(...dateProblems(before.trigger, requested.trigger, Date.now()));
    problems.push(...(await triggerProblems(sql, teamId, requested.trigger, pageIds)));
  }
  if (changed.includes('condition')) {
    problems.push(...(await conditionProblems(sql, principal, requested.condition)));
  }
  problems.push(...(await topicProblems(sql, teamId, requested, changed)));
  problems.push(...(await senderProblems(sql, sending, teamId, requested, changed)));
  const content_block_ids = requested.content_block_ids.map((id) => id.toLowerCase());
  if (changed.includes('content_block_ids')) {
    problems.push(...(await blockProblems(sql, teamId, content_block_ids)));
  }
  problems.push(...(await sourceProblems(textsOf(requested))));
  if (problems.length > 0) throw failAll(problems);
  const { cleaned, warnings } = await cleanMarkup(requested);
  const broken = await sourceProblems(textsOf(cleaned));
  if (broken.length > 0) throw failAll(broken);
  const sms_segments =
    requested.channel === 'sms' && requested.body !== null ? smsSegments(requested.body) : null;
  return { content: { ...cleaned, content_block_ids, sms_segments }, warnings };
}

function withStoredAddresses(written: MessageContent): MessageContent {
  const { from_email, reply_to } = written;
  return {
    ...written,
    from_email: from_email === null ? null : inStoredForm(from_email),
    reply_to: reply_to === null ? null : inStoredForm(reply_to),
  };
}

const isLong = (value: object | null, max: number) => JSON.stringify(value).length > max;

function sizeProblems({ channel, body, data }: MessageContent): Problem[] {
  return [
    ...(channel === 'push' && body !== null && body.length > maxPushBodyLength
      ? [invalid('/body', 'max_length', 'the body of a push has at most 1,000 characters')]
      : []),
    ...(isLong(data, maxDataLength) ? [invalid('/data', 'max_length', 'data is over 4 KB')] : []),
  ];
}

/** A topic is for marketing; others are sent without a consent. */
async function topicProblems(
  sql: Sql,
  teamId: string,
  { topic_id, purpose }: MessageContent,
  changed: readonly string[],
): Promise<Problem[]> {
  if (topic_id === null) return [];
  if (purpose !== 'marketing') {
    return [invalid('/topic_id', 'purpose', 'topic_id is for messages of marketing only')];
  }
  if (!changed.includes('topic_id') || (await holdTopic(sql, teamId, topic_id))) return [];
  const detail = 'the team has no such topic that is not archived';
  return [invalid('/topic_id', 'reference_not_found', detail)];
}

async function conditionProblems(
  sql: Sql,
  principal: Principal,
  condition: MessageContent['condition'],
): Promise<readonly Problem[]> {
  if (condition === null) return [];
  if (!isLong(condition, maxConditionLength)) {
    return ruleProblems(sql, principal, condition, '/condition');
  }
  return [invalid('/condition', 'max_length', 'the condition is over 16 KB')];
}

function variantProblems({ variants }: MessageContent): Problem[] {
  const keys = variants.map(({ key }) => key);
  return keys.flatMap((key, at) =>
    keys.indexOf(key) < at
      ? [invalid(`/variants/${String(at)}/key`, 'unique', 'each variant has a key of its own')]
      : [],
  );
}

/** A message that is sent on request has no time and no condition. */
function requestProblems({ trigger, condition }: MessageContent): Problem[] {
  if (trigger.kind !== 'on_request') return [];
  const further = Object.keys(trigger).filter((field) => field !== 'kind');
  return [
    ...further.map((field) =>
      invalid(`/trigger/${field}`, 'trigger', `a trigger on_request has no ${field}`),
    ),
    ...(condition === null
      ? []
      : [invalid('/condition', 'trigger', 'a message that is sent on request has no condition')]),
  ];
}

/** A date that is sent again stays valid, as after a change of another field of the trigger. */
function dateProblems(before: Trigger, { date }: Trigger, nowMs: number): Problem[] {
  if (date === undefined || date === before.date) return [];
  if (Date.parse(date) <= nowMs + maxDateAheadDays * 86_400_000) return [];
  const detail = `the date of a trigger lies at most ${String(maxDateAheadDays)} days ahead`;
  return [invalid('/trigger/date', 'max', detail)];
}

async function triggerProblems(
  sql: Sql,
  teamId: string,
  trigger: Trigger,
  pageIds: readonly string[],
): Promise<Problem[]> {
  const problems = triggerNeeds[trigger.kind]
    .filter((field) => trigger[field] === undefined)
    .map((field) =>
      invalid(`/trigger/${field}`, 'required', `a trigger ${trigger.kind} needs ${field}`),
    );
  const { page_id, objective_id } = trigger;
  if (page_id !== undefined && !pageIds.includes(page_id.toLowerCase())) {
    const detail = 'the template has no such page';
    problems.push(invalid('/trigger/page_id', 'reference_not_found', detail));
  }
  if (objective_id !== undefined) {
    const unknown = await unknownObjectives(sql, teamId, [objective_id.toLowerCase()]);
    if (unknown.size > 0) {
      const detail = 'the team has no such objective';
      problems.push(invalid('/trigger/objective_id', 'reference_not_found', detail));
    }
  }
  return problems;
}

function invalid(pointer: string, rule: string, detail: string): Problem {
  const sentence = `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`;
  return { code: 'validation_failed', detail: sentence, meta: { pointer, rule } };
}
