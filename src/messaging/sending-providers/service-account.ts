import { createPrivateKey } from 'node:crypto';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { checkTargetUrl } from '../../platform/egress/address-rules.ts';
import type { EgressRules } from '../../platform/egress/address-rules.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { invalid } from './rules.ts';

const ServiceAccount = Compile(
  Type.Object({
    client_email: Type.String({ pattern: '^[!-~]+@[!-~]+$', maxLength: 254 }),
    private_key: Type.String(),
    project_id: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9.:_-]*$', maxLength: 100 }),
    token_uri: Type.String({ maxLength: 500 }),
  }),
);

/** Problems of the JSON of a service account's key; its tokens are requested from `token_uri`. */
export function serviceAccountProblems(secret: string, rules: EgressRules): Problem[] {
  const account = parsed(secret);
  if (!ServiceAccount.Check(account)) {
    const detail =
      'secret must be the JSON of a service account with client_email, private_key, project_id ' +
      'and token_uri.';
    return [invalid('secret', 'format', detail)];
  }
  if (!isUsableKey(account.private_key)) {
    const detail =
      'private_key in secret must be an RSA key of 2,048 to 4,096 bits in PEM, without a passphrase.';
    return [invalid('secret', 'format', detail)];
  }
  const verdict = checkTargetUrl(account.token_uri, rules);
  if (verdict.ok) return [];
  const detail = `token_uri in secret: ${verdict.reason}`;
  return [{ code: 'target_not_allowed', detail, meta: { pointer: '/secret' } }];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isUsableKey(pem: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails: { modulusLength = 0 } = {} } =
      createPrivateKey(pem);
    // A longer key would occupy a worker for seconds with each signature.
    return asymmetricKeyType === 'rsa' && modulusLength >= 2_048 && modulusLength <= 4_096;
  } catch {
    return false;
  }
}
