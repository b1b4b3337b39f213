import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { isPhone } from '../../platform/schema/fields.ts';
import { inStoredForm, isEmail } from '../../platform/schema/email.ts';
import type { MessageRow } from '../../campaigns/messages/message.ts';

type Channel = MessageRow['channel'];

const suits = {
  email: isEmail,
  sms: isPhone,
  push: () => true,
};

/** Problem of an address that does not fit the channel. */
export function formProblem(
  channel: Channel,
  address: string,
  pointer: string,
): Problem | undefined {
  if (suits[channel](address)) return undefined;
  return {
    code: 'validation_failed',
    detail: `The address does not suit the channel ${channel}.`,
    meta: { pointer, rule: channel === 'sms' ? 'invalid_phone' : 'format' },
  };
}

/** The form in which an address is compared and sent to. */
export const normalized = (channel: Channel, address: string) =>
  channel === 'email' ? inStoredForm(address) : address;

/** Digests under which a test recipient may be stored, the one of the current key first. */
export function digestsOf(
  keyring: Keyring,
  channel: Channel,
  address: string,
): [string, ...string[]] {
  const text = ['test_recipients', channel, address].join('\n');
  const under = (keyId?: string) => keyring.digest('identity', text, keyId).digest.toString('hex');
  return [under(), ...keyring.keyIds('identity').slice(1).map(under)];
}

/** Seal context of the address of a test recipient. */
export function testRecipientSealContext(teamId: string, id: string): string[] {
  return ['test_recipients', 'address', teamId, id];
}
