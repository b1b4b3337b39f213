import { Type } from 'typebox';
import {
  Count,
  Id,
  OneOf,
  Text,
  Timestamp,
  recipientResource,
} from '../../platform/schema/fields.ts';
import { RecipientSession } from '../journeys/journey.ts';
import { askedFactors } from './rules.ts';

const Factor = OneOf(
  askedFactors,
  'postal_code, date_of_birth (2000-01-31), the last four characters of the customer number, or a code of six digits that this request sends: to the number (otp_sms) or the address (otp_email)',
);

export const IdentityChallengeRequest = Type.Object(
  { factor: Type.Optional(Factor) },
  { additionalProperties: false },
);

/** A question to the recipient. */
export const IdentityChallenge = recipientResource('identity_challenge', {
  id: Id(),
  factor: Factor,
  offered_factors: Type.Array(Factor, { description: 'Factors that can be requested instead' }),
  attempts_left: Count(
    'Wrong answers until the lock: of a network, or of all for questions about recorded data',
  ),
  expires_at: Timestamp(),
});

export const IdentityAnswer = Type.Object({ answer: Text(200) }, { additionalProperties: false });

export const IdentityVerdict = Type.Object(
  {
    status: OneOf(['passed', 'failed']),
    attempts_left: Type.Optional(Count('After a wrong answer')),
    session: Type.Optional(RecipientSession),
  },
  { title: 'identity_verdict' },
);
