import type { SendingDomainConfig } from '../../platform/config.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { MessageRow } from '../../campaigns/messages/message.ts';
import type { VersionCache } from '../../campaigns/templates/history/kept-versions.ts';
import type { ArchiveOrder } from '../archived-messages/seal.ts';
import type { MailLook } from '../preferences/queries.ts';
import type { OutgoingMessage } from '../providers/sender.ts';
import type { SenderContext } from './compose.ts';
import type { LaneProviders, Route } from './lane-providers.ts';
import type { LiveProvider } from './provider-pool.ts';
import type { ClaimedSend } from './queries.ts';
import type { SendCheck } from './rules.ts';

/** The looks of teams that send e-mails, by team. */
export type Looks = ReadonlyMap<string, MailLook>;

/** A place of the queue with what is to be done about it. */
export interface PreparedMessage {
  send: ClaimedSend;
  /** Absent if it was not checked. */
  templateId?: string;
  /** Present if its team archives what is sent. */
  archive?: ArchiveOrder | undefined;
  outcome:
    | Exclude<SendCheck, { kind: 'send' }>
    | { kind: 'send'; message: OutgoingMessage; provider: LiveProvider; isProbe: boolean }
    | { kind: 'fail'; code: string };
}

export interface PrepareTools extends Omit<SenderContext, 'defaultFrom'> {
  versions: VersionCache;
  domains: SendingDomainConfig;
  providers: Pick<LaneProviders, 'learn' | 'routeOf'>;
}

/** The number or name that a text message has as its sender. */
export const numberOf = ({ channel, sender }: Pick<MessageRow, 'channel' | 'sender'>) =>
  channel === 'sms' ? sender : null;

/** The address that an e-mail is from; null where it is the installation's. */
export function fromOf(fromEmail: string | null, route: Route): string | null {
  if (fromEmail !== null || route.kind !== 'provider') return fromEmail;
  const { channel, isOfTeam, defaultFrom } = route.provider;
  return channel === 'email' && isOfTeam ? defaultFrom : null;
}

/** The message for the provider of its route, or why it does not go to one now. */
export function outcomeOf(
  route: Route,
  nowMs: number,
  compose: (provider: LiveProvider) => OutgoingMessage,
): PreparedMessage['outcome'] {
  if (route.kind === 'unknown_sender') return { kind: 'skip', reason: 'sender_not_verified' };
  if (route.kind === 'wait') return route;
  const { provider, isProbe } = route;
  try {
    const message = compose(provider);
    if (isProbe) provider.breaker.beginProbe(nowMs);
    return { kind: 'send', message, provider, isProbe };
  } catch (error) {
    if (error instanceof HttpError) return { kind: 'fail', code: 'rendering_failed' };
    throw error;
  }
}
