import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { createYielding } from '../../platform/http/event-loop.ts';
import { quietUntil } from '../recipients/quiet-hours.ts';
import type { MessageRow } from '../../campaigns/messages/message.ts';
import type { VersionContent } from '../../campaigns/templates/history/queries.ts';
import { recipientFacts } from '../recipients/facts.ts';
import type { Recipient } from '../recipients/queries.ts';
import type { ArchiveOrder } from '../archived-messages/seal.ts';
import { addressAt } from '../../team/sending-domains/rules.ts';
import type { TrackingOrder } from '../tracking/rewrite.ts';
import { composeDelivery } from './compose.ts';
import type { Address } from './compose.ts';
import { fromOf, numberOf, outcomeOf } from './prepared-message.ts';
import type { PrepareTools, PreparedMessage } from './prepared-message.ts';
import type { Route } from './lane-providers.ts';
import { countOrRefuse } from './queries.ts';
import type { Countable, QueuedDelivery, ClaimedSend } from './queries.ts';
import { isWaiting, readBatch } from './read-batch.ts';
import type { Batch, Contents } from './read-batch.ts';
import { checkBeforeSend, gateOfReported } from './rules.ts';
import { openSendData } from './send-data.ts';
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
  const batch = await readBatch(sql, tools, claimed, nowMs);
  const prepared: PreparedMessage[] = [...batch.others];
  const ready: Ready[] = [];
  for (const send of batch.own) {
    const checked = check(tools, batch, send, nowMs);
    if ('outcome' in checked) prepared.push(checked);
    else ready.push(checked);
  }
  const aboveCap = await countOrRefuse(
    sql,
    ready.filter(({ route }) => route.kind === 'provider').flatMap(countableOf),
    new Date(nowMs).toISOString(),
  );
  const yieldSometimes = createYielding(maxTurnMs);
  for (const one of ready) {
    await yieldSometimes();
    const { send, delivery } = one;
    if (aboveCap.has(send.id)) {
      const outcome = { kind: 'skip', reason: 'frequency_cap' } as const;
      prepared.push({ send, templateId: delivery.template_id, outcome });
    } else prepared.push(render(tools, batch, one, nowMs));
  }
  return prepared;
}

/** Checks one message again: ready to be rendered, or its outcome. */
function check(
  tools: PrepareTools,
  { deliveries, recipients, contents, devices, senders, refusals }: Batch,
  send: ClaimedSend,
  nowMs: number,
): Ready | PreparedMessage {
  const delivery = deliveries.get(send.id);
  const version = send.template_version ?? delivery?.template_version ?? null;
  if (!delivery || !isWaiting(delivery)) {
    const archive = delivery && archiveOrder(delivery, version, undefined);
    return { send, archive, outcome: gateOfReported(delivery?.status) };
  }
  const { template_id: templateId } = delivery;
  const recipient = recipients.get(delivery.contact_id);
  const found = contents.get(send.id);
  if (!found) return { send, outcome: { kind: 'cancel' } };
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
  const tokensOf = (contactId: string) => openTokens(tools.keyring, devices, contactId);
  const address = recipient && addressOf(message, recipient, tokensOf);
  if (gate.kind !== 'send' || !address) {
    const missing = { kind: 'skip', reason: 'missing_address' } as const;
    return { send, templateId, outcome: gate.kind === 'send' ? missing : gate };
  }
  return { ...found, send, version, recipient, address, route, sender };
}

function openTokens(keyring: Keyring, devices: Batch['devices'], contactId: string): string[] {
  return devices
    .filter(({ contact_id }) => contact_id === contactId)
    .map(({ team_id, id, sealed_token }) =>
      keyring.open(sealed_token, ['contact_devices', 'token', team_id, id]),
    );
}

/** Renders a message for the provider of its route. */
function render(
  tools: PrepareTools,
  { callbacks, senders, looks, declared }: Batch,
  { send, delivery, content, message, version, recipient, address, route, sender }: Ready,
  nowMs: number,
): PreparedMessage {
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
  return { send, templateId: delivery.template_id, archive, outcome };
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
