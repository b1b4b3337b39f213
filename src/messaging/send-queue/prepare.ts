import type { SendingDomainConfig } from '../../platform/config.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { OutgoingMessage } from '../providers/sender.ts';
import { findBlocks } from '../../campaigns/content-blocks/queries.ts';
import { quietUntil } from '../recipients/quiet-hours.ts';
import type { MessageRow } from '../../campaigns/messages/message.ts';
import { findMessages } from '../../campaigns/messages/queries.ts';
import { sampleContact, sampleSurroundings } from '../../campaigns/rendering/variables.ts';
import type { KeptVersions } from '../../campaigns/templates/history/kept-versions.ts';
import type { VersionContent } from '../../campaigns/templates/history/queries.ts';
import { composeNotices } from '../notices/compose-notices.ts';
import { refusalOf, testAddressPlace } from '../test-sends/send-tests.ts';
import { recipientFacts } from '../recipients/facts.ts';
import { listCallbackReceivers, listDevices, listRecipients } from '../recipients/queries.ts';
import type { Recipient } from '../recipients/queries.ts';
import { compose, composeDelivery } from './compose.ts';
import type { Address, SenderContext } from './compose.ts';
import { hasDelivery, listTaken } from './queries.ts';
import type { QueuedDelivery, TakenSend } from './queries.ts';
import { checkBeforeSend, gateOfReported } from './rules.ts';
import type { SendCheck } from './rules.ts';
import { openSendData } from './send-data.ts';
import { readIdentities } from './sender-identities.ts';
import type { SenderIdentities } from './sender-identities.ts';

/** A place of the queue with what is to be done about it. */
export interface PreparedMessage {
  send: TakenSend;
  /** Absent if it was not checked. */
  templateId?: string;
  outcome:
    | Exclude<SendCheck, { kind: 'send' }>
    | { kind: 'send'; message: OutgoingMessage }
    | { kind: 'fail'; code: string };
}

export interface PrepareTools extends SenderContext {
  versions: KeptVersions;
  domains: SendingDomainConfig;
  /** Kind of the receivers whose address is sent with messages of a channel. */
  callbackKindOf(channel: TakenSend['channel']): string | undefined;
}

/**
 * Checks claimed messages again, and renders those to send, with a few statements for all of them.
 */
export async function prepareSends(
  sql: Sql,
  tools: PrepareTools,
  taken: readonly TakenSend[],
  nowMs: number,
): Promise<PreparedMessage[]> {
  const own = taken.filter(hasDelivery);
  const deliveries = new Map((await listTaken(sql, own)).map((one) => [one.id, one]));
  const queued = [...deliveries.values()].filter(isWaiting);
  const push = queued.filter(({ channel }) => channel === 'push');
  const [people, devices, callbacks, senders, notices] = await Promise.all([
    listRecipients(sql, queued),
    listDevices(sql, push),
    findCallbacks(sql, tools, taken),
    readIdentities(sql, tools, taken),
    prepareNotices(sql, tools, taken),
  ]);
  const tests = await prepareTests(sql, tools, taken, senders);
  const recipients = new Map(people.map((one) => [one.id, one]));
  const tokensOf = (contactId: string) =>
    devices
      .filter(({ contact_id }) => contact_id === contactId)
      .map(({ team_id, id, sealed_token }) =>
        tools.keyring.open(sealed_token, ['contact_devices', 'token', team_id, id]),
      );

  const prepared: PreparedMessage[] = [...tests, ...notices];
  for (const send of own) {
    const delivery = deliveries.get(send.id);
    if (!delivery || !isWaiting(delivery)) {
      prepared.push({ send, outcome: gateOfReported(delivery?.status) });
      continue;
    }
    const { template_id: templateId } = delivery;
    const version = send.template_version ?? delivery.template_version;
    const content =
      version === null
        ? undefined
        : await tools.versions.find(sql, send.team_id, templateId, version);
    const recipient = recipients.get(delivery.contact_id);
    const message = content?.messages.find(({ id }) => id === delivery.message_id);
    if (!content || !message) {
      prepared.push({ send, outcome: { kind: 'cancel' } });
      continue;
    }
    const sender = { team_id: send.team_id, from_email: message.from_email };
    const facts = {
      ...sendTimeFacts(delivery, message, recipient, nowMs),
      isRequested: send.template_version !== null,
      isSenderAllowed: senders.isAllowed(sender),
    };
    const gate = checkBeforeSend(facts, nowMs);
    const address = recipient && addressOf(message, recipient, tokensOf);
    if (gate.kind !== 'send' || !address) {
      const missing = { kind: 'skip', reason: 'missing_address' } as const;
      prepared.push({ send, templateId, outcome: gate.kind === 'send' ? missing : gate });
      continue;
    }
    const data = openSendData(tools.keyring, send);
    const dkim = senders.dkimOf(sender);
    const parts = { message, blocks: blocksOf(content, message), address, data, dkim };
    prepared.push({
      send,
      outcome: rendering(() => ({
        ...composeDelivery(tools, delivery, recipient, parts),
        ...callbacks.get(`${send.channel} ${send.team_id}`),
      })),
    });
  }
  return prepared;
}

const isWaiting = ({ status }: QueuedDelivery) => status === 'queued' || status === 'scheduled';

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
    scheduledMs: Date.parse(delivery.scheduled_at ?? delivery.inserted_at),
    recipient: recipientFacts(message, recipient),
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

function rendering(compose: () => OutgoingMessage): PreparedMessage['outcome'] {
  try {
    return { kind: 'send', message: compose() };
  } catch (error) {
    if (error instanceof HttpError) return { kind: 'fail', code: 'rendering_failed' };
    throw error;
  }
}

/** Tests show the current message, to a sample person. Their addresses are checked again. */
async function prepareTests(
  sql: Sql,
  tools: PrepareTools,
  taken: readonly TakenSend[],
  senders: SenderIdentities,
): Promise<PreparedMessage[]> {
  const prepared: PreparedMessage[] = [];
  for (const send of taken) {
    const { team_id, id, test_message_id: messageId, sealed_test_address: sealed } = send;
    if (messageId === null || sealed === null) continue;
    const to = tools.keyring.open(sealed, testAddressPlace(team_id, id));
    const [message] = await findMessages(sql, team_id, [messageId]);
    const isAllowed = message && senders.isAllowed(message);
    if (!isAllowed || (await refusalOf(sql, tools.keyring, send, to)) !== undefined) {
      prepared.push({ send, outcome: { kind: 'drop' } });
      continue;
    }
    const blocks = await findBlocks(sql, team_id, message.content_block_ids);
    const draft = {
      teamId: team_id,
      id,
      message,
      blocks,
      address: [to] as const,
      dkim: senders.dkimOf(message),
      locale: undefined,
      sources: [sampleSurroundings, { contact: sampleContact }],
    };
    prepared.push({
      send,
      outcome: rendering(() => ({
        teamId: team_id,
        id,
        correlation: {},
        content: compose(tools, draft),
      })),
    });
  }
  return prepared;
}

/** A notice that is of no use any more is dropped. */
async function prepareNotices(
  sql: Sql,
  tools: PrepareTools,
  taken: readonly TakenSend[],
): Promise<PreparedMessage[]> {
  const notices = taken.filter(({ notice }) => notice !== null);
  const composed = await composeNotices(sql, tools, notices);
  return notices.map((send) => {
    const message = composed.get(send.id);
    return { send, outcome: message ? { kind: 'send', message } : { kind: 'drop' } };
  });
}

/** Callback addresses by channel and team, for providers that get one with each message. */
async function findCallbacks(
  sql: Sql,
  { callbackKindOf, publicBaseUrl }: PrepareTools,
  taken: readonly TakenSend[],
): Promise<Map<string, { callbackUrl: string }>> {
  const found = new Map<string, { callbackUrl: string }>();
  for (const channel of new Set(taken.map((send) => send.channel))) {
    const kind = callbackKindOf(channel);
    if (kind === undefined) continue;
    const teams = taken.filter((send) => send.channel === channel).map(({ team_id }) => team_id);
    for (const { team_id, id } of await listCallbackReceivers(sql, [...new Set(teams)], kind)) {
      const callbackUrl = `${publicBaseUrl}/v2/webhooks/inbound/${kind}/${id}`;
      found.set(`${channel} ${team_id}`, { callbackUrl });
    }
  }
  return found;
}
