import type { Sql } from '../../platform/database/sql.ts';
import { createYielding } from '../../platform/http/event-loop.ts';
import { quietUntil } from '../recipients/quiet-hours.ts';
import type { MessageRow } from '../../campaigns/messages/message.ts';
import type { VersionContent } from '../../campaigns/templates/history/queries.ts';
import { listMailLooks } from '../preferences/queries.ts';
import { recipientFacts } from '../recipients/facts.ts';
import { listCallbackReceivers, listDevices, listRecipients } from '../recipients/queries.ts';
import { findTopicRefusals } from '../recipients/topics.ts';
import type { Recipient } from '../recipients/queries.ts';
import type { ArchiveOrder } from '../archived-messages/seal.ts';
import { callbackKinds } from '../providers/sender.ts';
import { listTeamProviders } from '../sending-providers/queries.ts';
import { addressAt } from '../../team/sending-domains/rules.ts';
import type { TrackingOrder } from '../tracking/rewrite.ts';
import { composeDelivery } from './compose.ts';
import type { Address } from './compose.ts';
import { fromOf, numberOf, outcomeOf } from './prepared-message.ts';
import type { Looks, PrepareTools, PreparedMessage } from './prepared-message.ts';
import { prepareNotices, prepareTests } from './prepare-others.ts';
import type { Route } from './lane-providers.ts';
import { countOrRefuse, hasDelivery, listClaimedDeliveries } from './queries.ts';
import type { Countable, QueuedDelivery, ClaimedSend } from './queries.ts';
import { checkBeforeSend, gateOfReported } from './rules.ts';
import { openDeclaredData, openSendData } from './send-data.ts';
import { readIdentities } from './sender-identities.ts';
import type { SenderIdentities } from './sender-identities.ts';

/** Longest time that rendering occupies the event loop; urgent messages and responses wait for it. */
const maxTurnMs = 5;

/**
 * Checks claimed messages again, and renders those to send, with a few statements for all of them.
 */
export async function prepareSends(
  sql: Sql,
  tools: PrepareTools,
  claimed: readonly ClaimedSend[],
  nowMs: number,
): Promise<PreparedMessage[]> {
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
  const tokensOf = (contactId: string) =>
    devices
      .filter(({ contact_id }) => contact_id === contactId)
      .map(({ team_id, id, sealed_token }) =>
        tools.keyring.open(sealed_token, ['contact_devices', 'token', team_id, id]),
      );

  const contents = await findContents(sql, tools, own, deliveries);
  const declared = await openDeclaredData(sql, tools.keyring, [...contents.values()]);
  const refusals = await findTopicRefusals(
    sql,
    [...contents.values()].map(({ delivery, message }) => ({ ...contactKeyOf(delivery), message })),
  );

  const prepared: PreparedMessage[] = [...tests, ...notices];
  const ready: Ready[] = [];
  for (const send of own) {
    const delivery = deliveries.get(send.id);
    const version = send.template_version ?? delivery?.template_version ?? null;
    if (!delivery || !isWaiting(delivery)) {
      const archive = delivery && archiveOrder(delivery, version, undefined);
      prepared.push({ send, archive, outcome: gateOfReported(delivery?.status) });
      continue;
    }
    const { template_id: templateId } = delivery;
    const recipient = recipients.get(delivery.contact_id);
    const found = contents.get(send.id);
    if (!found) {
      prepared.push({ send, outcome: { kind: 'cancel' } });
      continue;
    }
    const { message } = found;
    const route = tools.providers.routeOf(send, numberOf(message), nowMs);
    const sender = { team_id: send.team_id, from_email: fromOf(message.from_email, route) };
    const facts = {
      ...sendTimeFacts(delivery, message, recipient, nowMs),
      recipient: recipientFacts(message, recipient, refusals),
      isRequested: send.template_version !== null,
      isSenderAllowed: route.kind !== 'unknown_sender' && senders.isAllowed(sender),
    };
    const gate = checkBeforeSend(facts, nowMs);
    const address = recipient && addressOf(message, recipient, tokensOf);
    if (gate.kind !== 'send' || !address) {
      const missing = { kind: 'skip', reason: 'missing_address' } as const;
      prepared.push({ send, templateId, outcome: gate.kind === 'send' ? missing : gate });
      continue;
    }
    ready.push({ ...found, send, version, recipient, address, route, sender });
  }

  const aboveCap = await countOrRefuse(
    sql,
    ready.filter(({ route }) => route.kind === 'provider').flatMap(countableOf),
    new Date(nowMs).toISOString(),
  );
  const yieldSometimes = createYielding(maxTurnMs);
  for (const one of ready) {
    await yieldSometimes();
    const { send, delivery, content, message, version, recipient, address, route, sender } = one;
    const { template_id: templateId } = delivery;
    if (aboveCap.has(send.id)) {
      prepared.push({ send, templateId, outcome: { kind: 'skip', reason: 'frequency_cap' } });
      continue;
    }
    const data = declared.get(delivery.journey_id ?? '') ?? openSendData(tools.keyring, send);
    const dkim = senders.dkimOf(sender);
    const look = looks.get(send.team_id);
    const parts = { message, blocks: blocksOf(content, message), address, data, dkim, look };
    const outcome = outcomeOf(
      route,
      nowMs,
      ({ defaultFrom, sender: { callbackKind, isSilent } }) => ({
        ...composeDelivery({ ...tools, defaultFrom }, delivery, recipient, {
          ...parts,
          tracking: isSilent ? trackingOrder(tools, delivery, senders) : undefined,
        }),
        ...(callbackKind && callbacks.get(`${callbackKind} ${send.team_id}`)),
      }),
    );
    const archive = archiveOrder(delivery, version, recipient);
    prepared.push({ send, templateId, archive, outcome });
  }
  return prepared;
}

async function readLooks(sql: Sql, claimed: readonly ClaimedSend[]): Promise<Looks> {
  const teams = claimed.flatMap(({ channel, team_id }) => (channel === 'email' ? [team_id] : []));
  const looks = await listMailLooks(sql, [...new Set(teams)]);
  return new Map(looks.map((look) => [look.team_id, look]));
}

/** A delivery that passed every check. */
interface Ready extends Contents {
  send: ClaimedSend;
  version: number | null;
  recipient: Recipient;
  address: Address;
  route: Route;
  sender: Parameters<SenderIdentities['dkimOf']>[0];
}

/** Marketing of a team with a frequency cap. Exempt messages are counted, but never refused. */
function countableOf({ delivery, message }: Contents): Countable[] {
  const { team_id, id, contact_id, frequency_cap: cap } = delivery;
  if (cap === null || message.purpose !== 'marketing') return [];
  return [{ team_id, id, contact_id, cap: message.frequency_cap_exempt ? undefined : cap }];
}

/** Undefined unless the team tracks e-mails. A domain that is no longer verified is not used. */
function trackingOrder(
  { publicBaseUrl }: PrepareTools,
  { team_id, channel, tracking }: QueuedDelivery,
  senders: SenderIdentities,
): TrackingOrder | undefined {
  if (!tracking || channel !== 'email') return undefined;
  const { opens, clicks, domain } = tracking;
  if (!opens && !clicks) return undefined;
  const isAllowed =
    domain !== undefined && senders.isAllowed({ team_id, from_email: addressAt(domain) });
  if (!isAllowed) return { opens, clicks, baseUrl: publicBaseUrl };
  return { opens, clicks, baseUrl: `${new URL(publicBaseUrl).protocol}//${domain}`, domain };
}

/** Undefined unless the team archives what is sent. */
function archiveOrder(
  { channel, retention }: QueuedDelivery,
  version: number | null,
  recipient: Recipient | undefined,
): ArchiveOrder | undefined {
  const days = retention?.archived_messages_days;
  if (days === undefined || version === null) return undefined;
  const consent_status = recipient?.consents[channel].status ?? null;
  return { days, template_version: version, consent_status };
}

const contactKeyOf = ({ team_id, contact_id }: QueuedDelivery) => ({ team_id, contact_id });

const isWaiting = ({ status }: QueuedDelivery) => status === 'queued' || status === 'scheduled';

/** A waiting delivery with the content that it is sent with. */
interface Contents {
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

function sendTimeFacts(
  delivery: QueuedDelivery,
  message: MessageRow,
  recipient: Recipient | undefined,
  nowMs: number,
) {
  const timezone = recipient?.timezone ?? delivery.team_timezone;
  const { quiet_hours: quiet } = delivery;
  return {
    journeyStatus: delivery.journey_status,
    exitReason: delivery.exit_reason,
    templateStatus: delivery.template_status,
    isTeamSuspended: delivery.is_team_suspended,
    scheduledMs: Date.parse(delivery.scheduled_at ?? delivery.inserted_at),
    quietUntilMs:
      message.respect_quiet_hours && quiet ? quietUntil(quiet, nowMs, timezone) : undefined,
  };
}

function addressOf(
  { channel }: MessageRow,
  recipient: Recipient,
  tokensOf: (contactId: string) => readonly string[],
): Address | undefined {
  const [first, ...rest] =
    channel === 'push'
      ? tokensOf(recipient.id)
      : [channel === 'email' ? recipient.email : recipient.phone].filter((one) => one !== null);
  return first === undefined ? undefined : [first, ...rest];
}

/** Blocks of a message in its order. */
function blocksOf({ content_blocks }: VersionContent, { content_block_ids }: MessageRow) {
  return content_block_ids.flatMap((id) => content_blocks.find((block) => block.id === id) ?? []);
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
