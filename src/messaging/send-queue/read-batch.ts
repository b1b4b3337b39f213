import type { Sql } from '../../platform/database/sql.ts';
import type { MessageRow } from '../../campaigns/messages/message.ts';
import type { VersionContent } from '../../campaigns/templates/history/queries.ts';
import { listMailLooks } from '../preferences/queries.ts';
import { callbackKinds } from '../providers/sender.ts';
import { listCallbackReceivers, listDevices, listRecipients } from '../recipients/queries.ts';
import { findTopicRefusals } from '../recipients/topics.ts';
import { listTeamProviders } from '../sending-providers/queries.ts';
import { prepareNotices, prepareTests } from './prepare-others.ts';
import type { Looks, PrepareTools } from './prepared-message.ts';
import { hasDelivery, listClaimedDeliveries } from './queries.ts';
import type { ClaimedSend, QueuedDelivery } from './queries.ts';
import { openDeclaredData } from './send-data.ts';
import { readIdentities } from './sender-identities.ts';

export type Batch = Awaited<ReturnType<typeof readBatch>>;

/** Reads all that the messages of a claim need. Tests and notices are prepared with it. */
export async function readBatch(
  sql: Sql,
  tools: PrepareTools,
  claimed: readonly ClaimedSend[],
  nowMs: number,
) {
  const own = claimed.filter(hasDelivery);
  const deliveries = new Map((await listClaimedDeliveries(sql, own)).map((one) => [one.id, one]));
  const queued = [...deliveries.values()].filter(isWaiting);
  const push = queued.filter(({ channel }) => channel === 'push');
  const [people, devices, callbacks, senders, rows, looks] = await Promise.all([
    listRecipients(sql, queued),
    listDevices(sql, push),
    findCallbacks(sql, tools, claimed),
    readIdentities(sql, tools, claimed),
    listTeamProviders(sql, [...new Set(claimed.map(({ team_id }) => team_id))]),
    readLooks(sql, claimed),
  ]);
  tools.providers.learn(claimed, rows, nowMs);
  const tests = await prepareTests(sql, tools, claimed, { senders, looks, nowMs });
  const notices = await prepareNotices(sql, tools, claimed, { senders, looks, nowMs });
  const recipients = new Map(people.map((one) => [one.id, one]));
  const contents = await findContents(sql, tools, own, deliveries);
  const declared = await openDeclaredData(sql, tools.keyring, [...contents.values()]);
  const refusals = await findTopicRefusals(
    sql,
    [...contents.values()].map(({ delivery, message }) => ({ ...contactKeyOf(delivery), message })),
  );
  const others = [...tests, ...notices];
  const found = { own, others, deliveries, recipients, contents, devices, callbacks };
  return { ...found, senders, looks, declared, refusals };
}

async function readLooks(sql: Sql, claimed: readonly ClaimedSend[]): Promise<Looks> {
  const teams = claimed.flatMap(({ channel, team_id }) => (channel === 'email' ? [team_id] : []));
  const looks = await listMailLooks(sql, [...new Set(teams)]);
  return new Map(looks.map((look) => [look.team_id, look]));
}

/** Callback addresses by kind and team, for providers that get one with each message. */
async function findCallbacks(
  sql: Sql,
  { publicBaseUrl }: PrepareTools,
  claimed: readonly ClaimedSend[],
): Promise<Map<string, { callbackUrl: string }>> {
  const teams = new Set(
    claimed.flatMap(({ channel, team_id }) => (channel === 'sms' ? [team_id] : [])),
  );
  const receivers = await listCallbackReceivers(sql, [...teams], callbackKinds);
  return new Map(
    receivers.map(({ team_id, id, receiver_kind: kind }) => [
      `${kind} ${team_id}`,
      { callbackUrl: `${publicBaseUrl}/v2/webhooks/inbound/${kind}/${id}` },
    ]),
  );
}

/** A waiting delivery with the content that it is sent with. */
export interface Contents {
  delivery: QueuedDelivery;
  content: VersionContent;
  message: MessageRow;
}

/** The contents of waiting deliveries, by their ids; none where the version has no such message. */
async function findContents(
  sql: Sql,
  { versions }: PrepareTools,
  own: readonly ClaimedSend[],
  deliveries: ReadonlyMap<string, QueuedDelivery>,
): Promise<Map<string, Contents>> {
  const contents = new Map<string, Contents>();
  for (const { team_id, id, template_version } of own) {
    const delivery = deliveries.get(id);
    const version = template_version ?? delivery?.template_version ?? null;
    if (!delivery || !isWaiting(delivery) || version === null) continue;
    const content = await versions.find(sql, team_id, delivery.template_id, version);
    const message = content?.messages.find((one) => one.id === delivery.message_id);
    if (content && message) contents.set(id, { delivery, content, message });
  }
  return contents;
}

const contactKeyOf = ({ team_id, contact_id }: QueuedDelivery) => ({ team_id, contact_id });

export const isWaiting = ({ status }: QueuedDelivery) =>
  status === 'queued' || status === 'scheduled';
