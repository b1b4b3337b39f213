import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { ReceiverKind } from '../../src/inbound/receiver.ts';

export interface SampleKeys {
  /** For the receiver's `verification`. */
  verification: Record<string, string>;
  /** Keys that sign the samples. */
  signing: Record<string, string>;
}

const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const spkiOf = (key: KeyObject) => key.export({ type: 'spki', format: 'der' });
const shared = (settings: Record<string, string>): SampleKeys => ({
  verification: settings,
  signing: settings,
});

/** Fresh keys of a provider; empty where only the provider itself, or we, can have them. */
export function createSampleKeys(kind: ReceiverKind): SampleKeys {
  switch (kind) {
    case 'email_b': {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const verification = { public_key: spkiOf(publicKey).toString('base64') };
      return { verification, signing: { private_key: pemOf(privateKey) } };
    }
    case 'sms_b': {
      const { publicKey, privateKey } = generateKeyPairSync('ed25519');
      // The last 32 bytes of the structure are the key itself.
      const verification = { public_key: spkiOf(publicKey).subarray(-32).toString('base64') };
      return { verification, signing: { private_key: pemOf(privateKey) } };
    }
    case 'email_c':
      return shared({ signing_key: randomBytes(32).toString('hex') });
    case 'sms_a':
      return shared({
        auth_token: randomBytes(16).toString('hex'),
        account_id: `AC${randomBytes(16).toString('hex')}`,
      });
    case 'email_a':
    case 'push_a':
    case 'push_b':
    case 'file_transfer_a':
    case 'generic_hmac':
      return shared({});
    default:
      return kind satisfies never;
  }
}
