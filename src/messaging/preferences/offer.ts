import { linkSource, pageSource } from '../../contacts/consents/rules.ts';
import type { Consent, Consents } from '../../contacts/contact.ts';

/** Rules of the choices of a recipient, without I/O or clock. */

export const channels = ['email', 'sms', 'push'] as const;
export type Channel = (typeof channels)[number];
type Status = 'subscribed' | 'unsubscribed';

/**
 * State of a channel: open, withdrawn by a link such as this one and open again by it, or closed by
 * another withdrawal. A channel without a consent is not shown: the page asks for none.
 */
export type ChannelState = 'open' | 'withdrawn' | 'closed';

/** Sources of withdrawals by a link, which the holder of a link may therefore revoke. */
const revocable = [pageSource, linkSource];

export function channelStates(
  consents: Consents,
  has: { has_email: boolean; has_phone: boolean },
): Map<Channel, ChannelState> {
  const hasAddress = { email: has.has_email, sms: has.has_phone, push: true };
  return new Map(
    channels.flatMap((channel): [Channel, ChannelState][] => {
      const state = hasAddress[channel] ? stateOf(consents[channel]) : undefined;
      return state ? [[channel, state]] : [];
    }),
  );
}

function stateOf({ status, source = '' }: Consent): ChannelState | undefined {
  if (status === 'subscribed') return 'open';
  if (status !== 'unsubscribed') return undefined;
  return revocable.includes(source) ? 'withdrawn' : 'closed';
}

/** A topic on a channel, as its checkbox names it. */
export interface Box {
  topicId: string;
  channel: Channel;
}

export const nameOf = ({ topicId, channel }: Box) => `${topicId}.${channel}`;

/** A form as it was sent: the boxes in it, those that were ticked, and the channels it can reopen. */
export interface Choices {
  shown: ReadonlySet<string>;
  ticked: ReadonlySet<string>;
  /** The boxes that were ticked when the form was shown; undefined for a form that does not say so. */
  before?: ReadonlySet<string> | undefined;
  withdrawn: ReadonlySet<string>;
}

/** The changes of a form. */
interface Changes {
  /** Channels that are open again. */
  reopened: Channel[];
  topics: (Box & { status: Status })[];
}

/**
 * The changes of a form: each box that was shown is ticked or not. Boxes of topics and channels that
 * are not offered change nothing, and neither do those that are as they were, or as the form showed
 * them: another tab may have changed them since. A withdrawn channel
 * opens again where the form showed it so and one of its boxes is ticked: a form from before the
 * withdrawal opens nothing.
 */
export function changesOf(
  offered: readonly (Box & { status: Status })[],
  states: ReadonlyMap<Channel, ChannelState>,
  { shown, ticked, before, withdrawn }: Choices,
): Changes {
  const answered = offered.filter((box) => shown.has(nameOf(box)));
  const isReopened = (channel: Channel) =>
    states.get(channel) === 'withdrawn' &&
    withdrawn.has(channel) &&
    answered.some((box) => box.channel === channel && ticked.has(nameOf(box)));
  const reopened = channels.filter(isReopened);
  const isTouched = (box: Box) =>
    before?.has(nameOf(box)) !== ticked.has(nameOf(box)) || reopened.includes(box.channel);
  const isOpen = (channel: Channel) => states.get(channel) === 'open' || reopened.includes(channel);
  return {
    reopened,
    topics: answered.flatMap((box) => {
      const status = ticked.has(nameOf(box)) ? 'subscribed' : 'unsubscribed';
      return status === box.status || !isOpen(box.channel) || !isTouched(box)
        ? []
        : [{ ...box, status }];
    }),
  };
}
