import type { Static, TObject } from 'typebox';
import type { VerificationTools } from '../platform/egress/verification-tools.ts';
import type { EngagementKind } from '../engagement/engagement-events/engagement-event.ts';
import type { MediaType } from '../platform/http/body.ts';
import type { FileNews } from '../operations/sftp/file-news.ts';
import type { SuppressionReason } from './report-rules/report-rule.ts';

export type { VerificationTools } from '../platform/egress/verification-tools.ts';

export const receiverKinds = [
  'email_a',
  'email_b',
  'email_c',
  'sms_a',
  'sms_b',
  'push_a',
  'push_b',
  'file_transfer_a',
  'generic_hmac',
] as const;
export type ReceiverKind = (typeof receiverKinds)[number];

/** Status that stops the retries of some providers; the setting `stop_status` enables it. */
export const stopStatus = 406;

/** Whether a media type is that of a form. */
export const isForm = (mediaType = '') => /^application\/x-www-form-urlencoded\b/i.test(mediaType);

/** A callback as received: the input of the verification of its signature. */
export interface Callback {
  /** Public address with the query, as configured at the provider. */
  url: string;
  /** Lower-case names. */
  headers: Readonly<Record<string, string | undefined>>;
  /** The bytes as sent: what schemes sign. */
  bytes: Buffer;
  /** The JSON value of the bytes; undefined when they are none. */
  json: unknown;
  /** The fields of a form body, else undefined. */
  form: URLSearchParams | undefined;
  receivedAtMs: number;
}

/** `missing`: the callback carries nothing that this scheme could verify. */
export interface Verification {
  status: 'valid' | 'invalid' | 'expired' | 'missing';
  /** For people, without anything that helps to forge a signature. */
  detail?: string;
  /**
   * The part of the signature that can be used only once, for a scheme that does not cover the body.
   */
  token?: OneTimeToken;
}

/** Part of a signature that does not cover the body. */
export interface OneTimeToken {
  /** As the provider names it: at one receiver it proves one event. */
  token: string;
  /** Depends on the key: at all receivers with that key it proves one body. */
  signature: string;
}

/** One event of a native callback. */
export type NativeItem =
  /**
   * To be checked against the kind's schema: what breaks it counts as not understood. `key` replaces
   * the kind's dedup key where the signature does not cover that.
   */
  | { payload: Record<string, unknown>; key?: string }
  /** Verified, but not recognized: stored as failed, and can be replayed later. */
  | { unrecognized: string }
  /** Proven, and nothing that concerns us. */
  | { ignored: string }
  /** A request to confirm the subscription to a topic. */
  | { confirmation: { topicArn: string; subscribeUrl: string; messageId: string } };

/** Effects of a normalized payload on a message, its contact and the suppression lists. */
export interface Projection {
  kind: EngagementKind;
  channel: 'email' | 'sms' | 'push' | 'web' | 'system';
  /** RFC 3339; absent where the provider does not say: then the time of receipt counts. */
  occurredAt?: string;
  isMachine: boolean;
  url?: string;
  userAgent?: string;
  /** Whole; it is cut to its network before it is stored. */
  ip?: string;
  /** Address or number of the recipient, for suppressions and consents. */
  recipient?: string;
  bounce?: { class: 'hard' | 'soft'; code?: string; diagnostic?: string };
  /** A delivered message stays delivered: the report may answer it rather than return it. */
  keepsDelivered?: boolean;
  /**
   * Effects on e-mail addresses, one entry for each recipient of the report. If absent, the kind of
   * the event decides for `recipient`.
   */
  recipients?: readonly ReportedRecipient[];
  /** SMS keywords: STOP revokes the consent, START gives it. */
  smsConsent?: 'subscribed' | 'unsubscribed';
  /** SHA-256 in hex of a device token that is no longer good. */
  deviceTokenHash?: string;
  /** The partner's own key of the contact, where the provider echoes that instead of our id. */
  contactUniqueId?: string;
  /** An objective that the contact completed. */
  objective?: { key: string; valueCents?: number };
}

/** A recipient that a report names, and the effects on the address. */
export interface ReportedRecipient {
  /** Undefined: the address of the event's contact. */
  address: string | undefined;
  suppression?: SuppressionReason;
  consent?: 'unsubscribed';
}

/** A setting that is absent, and the reason why it must not be. */
export interface MissingSetting {
  name: string;
  detail: string;
}

/** A sample callback as its provider would send it, signed. */
export interface SampleCallback {
  headers: Record<string, string>;
  body: string;
  /** Appended to the receiver's address, with its `?`. */
  query?: string;
}

/**
 * One kind of provider callback, declared once: intake, verification settings, OpenAPI, docs and
 * samples all read this value. ADR 35–41.
 */
export interface ReceiverDefinition {
  kind: ReceiverKind;
  /** Operation id of the document: receiveEmailA … */
  operationId: string;
  summary: string;
  /** Name of the native signature scheme. */
  scheme: string;
  /** Headers that carry the native signature, for the receiver's `verification`. */
  authenticationHeaders: readonly string[];
  /** Schema of `verification` for this kind, all optional: public settings and secrets. */
  settings: TObject;
  /** The settings that are sealed and never shown. */
  secretSettings: readonly string[];
  /**
   * Settings that a receiver needs to count as configured. `verify` refuses by itself what it cannot
   * verify without them, but for a topic's first question, which comes before `topic_arns` is known.
   */
  requiredSettings: readonly string[];
  /** Settings that other settings require; a body without them is rejected with 422. */
  missingSettings?(settings: Readonly<Record<string, unknown>>): MissingSetting[];
  /** Other provider families of the kind, by its setting `profile`, with what differs. */
  profiles?: Readonly<Record<string, { scheme: string; requiredSettings: readonly string[] }>>;
  defaultDedupWindowSeconds: number;
  /** Maximum age of a native signature, in seconds, unless `max_age_seconds` is set. */
  defaultMaxAgeSeconds: number;
  mediaTypes: readonly MediaType[];
  bodyLimitBytes: number;
  /** The normalized payload as published, with `kind`. */
  payload: TObject;
  /** A normalized body may be an array of payloads. */
  takesMany?: boolean;
  /** Whether the body is the provider's own envelope. */
  isNative(callback: Callback): boolean;
  /**
   * Verifies the kind's own signature for any form of the body: some providers carry the normalized
   * body under their own signature. `missing` leaves the decision to the relay's signature or a partner
   * token. `settings` may also contain `relay_secrets` and `receiver_tokens`, the active secrets
   * that the service generated. Throws only if a certificate or key cannot be fetched.
   */
  verify(
    callback: Callback,
    settings: Readonly<Record<string, unknown>>,
    tools: VerificationTools,
  ): Promise<Verification>;
  /** The events of a proven native callback, in their order there. Never throws. */
  read(callback: Callback, settings: Readonly<Record<string, unknown>>): NativeItem[];
  /** Adds to a normalized payload what the settings of the receiver say about it. */
  complete?(
    payload: Readonly<Record<string, unknown>>,
    settings: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>>;
  /** The second of two payloads with the same key is a duplicate; without a key, content counts. */
  dedupKey(payload: Readonly<Record<string, unknown>>): string | undefined;
  /** The provider's own id of the event or message, as its people would search for it. */
  providerEventId(payload: Readonly<Record<string, unknown>>): string | undefined;
  providerMessageId(payload: Readonly<Record<string, unknown>>): string | undefined;
  /** The provider's word for what happened. */
  eventType(payload: Readonly<Record<string, unknown>>): string;
  /** Undefined when the event means nothing to us. */
  project(payload: Readonly<Record<string, unknown>>): Projection | undefined;
  /** The file whose arrival an event announces, if the event means nothing else. */
  file?(payload: Readonly<Record<string, unknown>>): FileNews | undefined;
  /** The events that a sample can be made of, the usual one first. */
  sampleEvents: readonly string[];
  /** `settings` are what the provider signs with; see the kind's own docs page. */
  sample(
    event: string,
    context: { url: string; settings: Readonly<Record<string, unknown>>; nowMs: number },
  ): Promise<SampleCallback>;
}

type Payload<Schema extends TObject> = Readonly<Static<Schema>>;

/** Scheme of the signatures for these settings. */
export function schemeOf(
  definition: ReceiverDefinition,
  { profile }: Readonly<Record<string, unknown>>,
): Pick<ReceiverDefinition, 'scheme' | 'requiredSettings'> {
  return (typeof profile === 'string' ? definition.profiles?.[profile] : undefined) ?? definition;
}

/** Declares a kind; the payload's type flows from its schema into the functions. */
export function receiver<const Schema extends TObject, const Settings extends TObject>(
  declaration: Omit<
    ReceiverDefinition,
    | 'payload'
    | 'settings'
    | 'verify'
    | 'read'
    | 'complete'
    | 'dedupKey'
    | 'providerEventId'
    | 'providerMessageId'
    | 'eventType'
    | 'project'
    | 'file'
    | 'sample'
  > & {
    payload: Schema;
    settings: Settings;
    verify(
      callback: Callback,
      settings: Payload<Settings>,
      tools: VerificationTools,
    ): Promise<Verification>;
    read(callback: Callback, settings: Payload<Settings>): NativeItem[];
    complete?(payload: Payload<Schema>, settings: Payload<Settings>): Payload<Schema>;
    dedupKey(payload: Payload<Schema>): string | undefined;
    providerEventId(payload: Payload<Schema>): string | undefined;
    providerMessageId(payload: Payload<Schema>): string | undefined;
    eventType(payload: Payload<Schema>): string;
    project(payload: Payload<Schema>): Projection | undefined;
    file?(payload: Payload<Schema>): FileNews | undefined;
    sample(
      event: string,
      context: { url: string; settings: Payload<Settings>; nowMs: number },
    ): Promise<SampleCallback>;
  },
): ReceiverDefinition;
export function receiver(declaration: ReceiverDefinition): ReceiverDefinition {
  return declaration;
}
