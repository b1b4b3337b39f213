import { randomUUID } from 'node:crypto';
import { messageSteps } from '../../campaigns/messages/message.ts';
import type { MessageRow } from '../../campaigns/messages/message.ts';
import { findLaunchedMessage } from '../../campaigns/templates/history/queries.ts';
import type { LaunchedMessage } from '../../campaigns/templates/history/queries.ts';
import { lockTemplate } from '../../campaigns/templates/lifecycle.ts';
import { requireTemplate } from '../../campaigns/templates/queries.ts';
import type { TemplateRow } from '../../campaigns/templates/queries.ts';
import { illegal } from '../../campaigns/templates/refusals.ts';
import { dueTransition } from '../../campaigns/templates/rules.ts';
import { requireStep } from '../../campaigns/templates/steps/queries.ts';
import { recordEngagement } from '../../engagement/engagement-events/record.ts';
import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { fail } from '../../platform/http/errors.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import { requireTeam } from '../../team/queries.ts';
import type { MessageDeliveryRow } from '../message-deliveries/message-delivery.ts';
import { listInserted } from '../message-deliveries/queries.ts';
import type { SkipReason } from '../message-deliveries/rules.ts';
import { listDataProblems } from '../message-data/message-data.ts';
import { recipientFacts } from '../recipients/facts.ts';
import { countMarketing, listRecipients } from '../recipients/queries.ts';
import { findTopicRefusals } from '../recipients/topics.ts';
import { isCapped, refusalOfRecipient } from '../recipients/rules.ts';
import { sendDataSealContext } from '../send-queue/send-data.ts';
import { recordSkipped } from '../send-queue/record-outcomes.ts';
import { variantOf } from '../../campaigns/messages/variant.ts';
import { insertRequested } from './queries.ts';
import type { RequestedDelivery } from './queries.ts';
import { findRecipients } from './recipients.ts';
import { maxScheduledDays } from './send-request.ts';
import type { SendRequest } from './send-request.ts';

const dayMs = 86_400_000;
const clockToleranceMs = 5 * 60_000;

export interface RequestCall {
  sql: Sql;
  teamId: string;
  keyring: Keyring;
  /** Whether the sends precede those of campaigns. */
  isUrgent: boolean;
}

/** A message that may be sent on request, with the template that has it. */
export interface Requestable {
  message: LaunchedMessage;
  template: TemplateRow;
}

/** Throws 404, and 409 unless the message is launched and sent on request. */
export async function requireRequestable(
  sql: Sql,
  teamId: string,
  messageId: string,
): Promise<Requestable> {
  const { template_id } = await requireStep<MessageRow>(sql, messageSteps, teamId, messageId);
  const seen = await requireTemplate(sql, teamId, template_id);
  const template = dueTransition(seen, Date.now())
    ? await lockTemplate(sql, teamId, template_id)
    : seen;
  if (template.status !== 'launched') throw illegal(template, 'send');
  const message = await findLaunchedMessage(sql, template, messageId);
  if (message?.trigger.kind === 'on_request') return { message, template };
  throw fail('conflict', {
    detail: 'The launched version of the template has no such message with the trigger on_request.',
    meta: { resource: 'message', rule: 'trigger' },
  });
}

/** The delivery of a request, or its problems. */
export type Requested = { delivery: MessageDeliveryRow } | { problems: readonly Problem[] };

/**
 * Accepts sends of one message, in the caller's transaction: each becomes a delivery that waits, or
 * that is skipped with its reason. A request with problems changes nothing.
 */
export async function requestSends(
  call: RequestCall,
  requestable: Requestable,
  requests: readonly SendRequest[],
): Promise<Requested[]> {
  const { sql, teamId } = call;
  const nowMs = Date.now();
  const problems = await problemsOf(requestable.message, requests, nowMs);
  const sound = requests.filter((_, at) => problems[at]?.length === 0);
  const found = await findRecipients(call, sound);
  const recipients = new Map(sound.map((request, at) => [request, found[at]]));
  const accepted = requests.flatMap((request) => {
    const recipient = recipients.get(request);
    return recipient && 'contactId' in recipient ? [{ request, ...recipient }] : [];
  });
  const deliveries = await decide(call, requestable, accepted, nowMs);
  const rows = new Map(
    (await store(sql, teamId, [...deliveries.values()])).map((row) => [row.id, row]),
  );
  return requests.map((request, at) => {
    const delivery = rows.get(deliveries.get(request)?.id ?? '');
    if (delivery) return { delivery };
    const recipient = recipients.get(request);
    const own = problems[at] ?? [];
    return { problems: recipient && 'problems' in recipient ? recipient.problems : own };
  });
}

/** The problems of the data and the time of each request. */
async function problemsOf(
  { data_schema }: LaunchedMessage,
  requests: readonly SendRequest[],
  nowMs: number,
): Promise<(readonly Problem[])[]> {
  const ofData = await listDataProblems(
    data_schema ? [data_schema] : [],
    requests.map(({ data = {} }) => data),
  );
  return requests.map(({ scheduled_at }, at) => [
    ...(ofData[at] ?? []),
    ...timeProblems(scheduled_at, nowMs),
  ]);
}

function timeProblems(scheduledAt: string | undefined, nowMs: number): Problem[] {
  if (scheduledAt === undefined) return [];
  const atMs = Date.parse(scheduledAt.toUpperCase());
  const isPast = atMs < nowMs - clockToleranceMs;
  if (!isPast && atMs <= nowMs + maxScheduledDays * dayMs) return [];
  const detail = isPast
    ? 'scheduled_at has passed.'
    : `scheduled_at is more than ${String(maxScheduledDays)} days ahead.`;
  const meta = { pointer: '/scheduled_at', rule: isPast ? 'min' : 'max' };
  return [{ code: 'validation_failed', detail, meta }];
}

interface Accepted {
  request: SendRequest;
  contactId: string;
}

/** The delivery of each request, by the rules about recipients. */
async function decide(
  { sql, teamId, keyring, isUrgent }: RequestCall,
  { message, template }: Requestable,
  accepted: readonly Accepted[],
  nowMs: number,
): Promise<Map<SendRequest, RequestedDelivery>> {
  const contactKeys = accepted.map(({ contactId }) => ({ team_id: teamId, contact_id: contactId }));
  const people = new Map((await listRecipients(sql, contactKeys)).map((one) => [one.id, one]));
  const refusals = await findTopicRefusals(
    sql,
    contactKeys.map((one) => ({ ...one, message })),
  );
  const isOverCap = await capFor(sql, teamId, message, contactKeys, nowMs);
  const inserted_at = new Date(nowMs).toISOString();
  const refusalFor = (contactId: string, isLater: boolean): SkipReason | null => {
    const facts = recipientFacts(message, people.get(contactId), refusals);
    const refusal = refusalOfRecipient(facts);
    if (refusal !== undefined) return refusal;
    // A later one counts when it is sent.
    return !isLater && isOverCap(contactId) ? 'frequency_cap' : null;
  };
  return new Map(
    accepted.map(({ request, contactId: contact_id }) => {
      const id = randomUUID();
      const { data, scheduled_at } = request;
      const atMs = scheduled_at === undefined ? nowMs : Date.parse(scheduled_at.toUpperCase());
      const isLater = atMs > nowMs;
      const skip_reason = refusalFor(contact_id, isLater);
      const waits = isLater ? 'scheduled' : 'queued';
      const isSealed = data !== undefined && skip_reason === null;
      return [
        request,
        {
          id,
          contact_id,
          skip_reason,
          inserted_at,
          message_id: message.id,
          template_id: template.id,
          channel: message.channel,
          topic_id: message.topic_id,
          status: skip_reason === null ? waits : 'skipped',
          variant_key: variantOf(message.variants, message.id, contact_id) ?? null,
          scheduled_at: isLater ? toTimestamp(atMs) : null,
          template_version: template.template_version,
          is_urgent: isUrgent,
          sealed_data: isSealed
            ? keyring.seal(JSON.stringify(data), sendDataSealContext(teamId, id))
            : null,
        },
      ];
    }),
  );
}

/** A function that counts a marketing message to a contact, and is true above the cap of the team. */
async function capFor(
  sql: Sql,
  teamId: string,
  { purpose, frequency_cap_exempt }: LaunchedMessage,
  contactKeys: readonly { team_id: string; contact_id: string }[],
  nowMs: number,
): Promise<(contactId: string) => boolean> {
  if (purpose !== 'marketing' || frequency_cap_exempt || contactKeys.length === 0)
    return () => false;
  const { frequency_cap: cap } = await requireTeam(sql, teamId);
  if (!cap) return () => false;
  const unique = [...new Map(contactKeys.map((one) => [one.contact_id, one])).values()];
  const had = await countMarketing(sql, unique, new Date(nowMs).toISOString());
  return (contactId) => {
    const { day, week } = had.get(contactId) ?? { day: 0, week: 0 };
    had.set(contactId, { day: day + 1, week: week + 1 });
    return isCapped({ day, week }, cap);
  };
}

/** Stores deliveries of one time and records what happened to them. */
async function store(
  sql: Sql,
  teamId: string,
  deliveries: readonly RequestedDelivery[],
): Promise<MessageDeliveryRow[]> {
  const [first] = deliveries;
  if (!first) return [];
  const { inserted_at: insertedAt } = first;
  await insertRequested(sql, teamId, deliveries);
  const waiting = deliveries.filter(({ status }) => status !== 'skipped');
  await recordEngagement(
    sql,
    teamId,
    waiting.map(({ id, channel, message_id, template_id, contact_id }) => ({
      kind: 'message.queued',
      channel,
      source: 'system',
      is_machine: false,
      occurred_at: insertedAt,
      message_id,
      template_id,
      contact_id,
      message_delivery_id: id,
    })),
  );
  const skipped = deliveries.flatMap(({ id, status }) => (status === 'skipped' ? [id] : []));
  if (skipped.length > 0) await recordSkipped(sql, teamId, skipped, insertedAt);
  const ids = deliveries.map(({ id }) => id);
  return listInserted(sql, teamId, ids, insertedAt);
}
