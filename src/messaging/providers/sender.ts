import type { Fault } from '../../platform/circuit-breaker/in-memory.ts';
import type { ProviderKind } from './team-provider.ts';

/** A message as it leaves: rendered, addressed, and named by ids that providers echo. */
export interface OutgoingMessage {
  teamId: string;
  /** Id of the delivery: the same for every attempt. */
  id: string;
  /** Absent in a test. */
  contactId?: string;
  /** Our ids, as callbacks carry them: do_message_id, do_contact_id, do_journey_id. */
  correlation: Readonly<Record<string, string>>;
  /** Callback address of the team's receiver, for a provider that gets it with each message. */
  callbackUrl?: string;
  /** Expiry of a secret in the message, RFC 3339: nothing stores the message for longer. */
  expiresAt?: string;
  content: EmailContent | SmsContent | PushContent;
}

export interface EmailContent {
  channel: 'email';
  to: string;
  from: { name?: string | undefined; address: string };
  replyTo?: string | undefined;
  subject: string;
  html: string;
  text: string;
  /** Where the recipient unsubscribes; RFC 8058. */
  unsubscribeUrl?: string | undefined;
  /** For a sender that signs: the key of the domain of `from`. */
  dkim?: DkimKey | undefined;
}

/** A private key in PEM, and where its public key is published. */
export interface DkimKey {
  domainName: string;
  keySelector: string;
  privateKey: string;
}

export interface SmsContent {
  channel: 'sms';
  /** E.164. */
  to: string;
  /** Number or name; the sender’s own where the message has none. */
  from?: string | undefined;
  body: string;
}

export interface PushContent {
  channel: 'push';
  /** Tokens of the contact's devices, the one seen last first. */
  tokens: readonly string[];
  title?: string | undefined;
  body: string;
  imageUrl?: string | undefined;
  deepLink?: string | undefined;
  data: Readonly<Record<string, unknown>>;
}

/**
 * Result of a message at a provider. `later`: it may be accepted in another attempt; with
 * `isUnknown`, it may have been sent all the same. `code` names the reason without personal data,
 * since it is shown and logged.
 */
export type SendResult =
  | { kind: 'sent'; providerMessageId: string; recipient: string }
  | { kind: 'later'; code: string; outage?: Outage; isUnknown?: boolean }
  | { kind: 'refused'; code: string };

/** Fault for which the provider, and not the message, may be the cause. */
export type Outage = Omit<Fault, 'code'>;

/** Kinds of providers that call back at an address that each message has. */
export const callbackKinds = ['sms_a', 'sms_b'] as const;

/** One way out; declared once for each family of providers. */
export interface Sender {
  /** As deliveries name it. */
  provider: ProviderKind | 'mailbox';
  /** Limit of messages in flight of a process with the provider. */
  places: number;
  /** Reports the outcome of messages itself: no other code records that they were sent. */
  reports: boolean;
  /** True where nobody but the service can learn of opens and clicks. */
  isSilent?: boolean;
  /** Kind of the receivers whose address is sent with each message. */
  callbackKind?: (typeof callbackKinds)[number];
  /** Never throws, and returns within the time limit. */
  send(message: OutgoingMessage, timeoutMs: number): Promise<SendResult>;
  close(): Promise<void>;
}

/** Whether a provider accepts the credentials. `code` contains neither input nor personal data. */
export type ProviderCheck = { isOk: true } | { isOk: false; code: string };

/** A way out whose settings can be checked without a message. */
export interface CheckedSender extends Sender {
  /** Never throws, and returns within the time limit. */
  check(timeoutMs: number): Promise<ProviderCheck>;
}
