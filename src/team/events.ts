import { eventType } from '../platform/events/event-type.ts';
import { DeprecationNotice } from '../platform/http/deprecation.ts';
import { SendingDomain } from './sending-domains/sending-domain.ts';
import { User } from './users/user.ts';

export const userInvited = eventType(
  'user.invited',
  'A user was invited, or is invited again after a new invitation or a suspension.',
  User,
);
export const userActivated = eventType(
  'user.activated',
  'A user signed in for the first time, or was reactivated.',
  User,
);
export const userUpdated = eventType(
  'user.updated',
  'The address, name or role of a user was changed.',
  User,
  {
    previous: true,
  },
);
export const userSuspended = eventType('user.suspended', 'A user was suspended.', User);
export const userDeleted = eventType('user.deleted', 'A user was deleted.', User);

export const userEvents = [userInvited, userActivated, userUpdated, userSuspended, userDeleted];

export const teamDeprecationNotice = eventType(
  'team.deprecation_notice',
  'The team uses a part of the interface that is deprecated. Sent once for each such part.',
  DeprecationNotice,
  { since: '2026-11-25' },
);

export const teamEvents = [teamDeprecationNotice];

export const sendingDomainVerified = eventType(
  'sending_domain.verified',
  'The ownership record of a sending domain was found: messages may be sent from it.',
  SendingDomain,
  { since: '2026-11-27' },
);
export const sendingDomainFailed = eventType(
  'sending_domain.failed',
  'The ownership record of a verified sending domain has disappeared: e-mails from it are skipped.',
  SendingDomain,
  { since: '2026-11-27' },
);

export const sendingDomainEvents = [sendingDomainVerified, sendingDomainFailed];
