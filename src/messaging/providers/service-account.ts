import { createPrivateKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { ProviderConfig } from '../../platform/config.ts';
import type { Egress } from '../../platform/egress/client.ts';
import { egressFailure, parsed, unusable } from './http.ts';
import { createPushASender } from './push.ts';
import type { CheckedSender, SendResult } from './sender.ts';

/** Key of a Google service account, from the file that the provider issues. */
export interface ServiceAccount {
  projectId: string;
  email: string;
  key: KeyObject;
  keyId: string | undefined;
  /** Where tokens are requested. */
  tokenUrl: string;
}

const KeyFile = Compile(
  Type.Object({
    project_id: Type.String(),
    client_email: Type.String({ minLength: 1 }),
    private_key: Type.String(),
    private_key_id: Type.Optional(Type.String()),
    token_uri: Type.String({ maxLength: 2_048 }),
  }),
);
const Answer = Compile(
  Type.Object({ access_token: Type.String({ minLength: 1 }), expires_in: Type.Number() }),
);

const scope = 'https://www.googleapis.com/auth/firebase.messaging';
const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/** Longest lifetime that the provider grants. */
const assertionSeconds = 3_600;
/** A token is replaced this long before it expires. */
const earlyMs = 60_000;
const mintTimeoutMs = 5_000;

/** Undefined if the text is no key file, or its RSA key has less than 2,048 or more than 4,096 bits. */
export function readServiceAccount(text: string): ServiceAccount | undefined {
  const file = parsed(text);
  if (!KeyFile.Check(file)) return undefined;
  try {
    const key = createPrivateKey(file.private_key);
    const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
    // A signature of a longer key occupies a processor for seconds.
    if (key.asymmetricKeyType !== 'rsa' || modulusLength < 2_048 || modulusLength > 4_096) {
      return undefined;
    }
    const { project_id: projectId, client_email: email, private_key_id: keyId } = file;
    return { projectId, email, key, keyId, tokenUrl: file.token_uri };
  } catch {
    return undefined;
  }
}

type Failure = Exclude<SendResult, { kind: 'sent' }>;
type Minted = { token: string; expiresAtMs: number } | { failure: Failure };

/** Push through a project of Firebase, with tokens that a service account requests (RFC 7523). */
export function createServiceAccountSender(
  egress: Egress,
  { url, account: project, key }: ProviderConfig,
  owner: string,
): CheckedSender {
  const account = readServiceAccount(key);
  const token = account && createTokens(egress, account, owner);
  const senderOf = (bearer: string) => {
    const config = { url, account: project || (account?.projectId ?? ''), key: bearer };
    return createPushASender(egress, config, owner);
  };
  return {
    ...senderOf(''),
    async send(message, timeoutMs) {
      if (!token) return unusable;
      const endsAtMs = performance.now() + timeoutMs;
      const leftMs = () => Math.max(1, endsAtMs - performance.now());
      const first = await token(leftMs());
      if ('failure' in first) return first.failure;
      const result = await senderOf(first.token).send(message, leftMs());
      if (result.kind !== 'later' || result.code !== 'http_401') return result;
      // Revoked before its time.
      const second = await token(leftMs(), first.token);
      if ('failure' in second) return second.failure;
      return senderOf(second.token).send(message, leftMs());
    },
    async check(timeoutMs) {
      const minted = token ? await token(timeoutMs) : { failure: unusable };
      return 'failure' in minted ? { isOk: false, code: minted.failure.code } : { isOk: true };
    },
  };
}

/** A valid token other than `rejected`. One request at a time serves all who wait. */
function createTokens(egress: Egress, account: ServiceAccount, owner: string) {
  let valid: Exclude<Minted, { failure: Failure }> | undefined;
  let minting: Promise<Minted> | undefined;

  async function mint(): Promise<Minted> {
    try {
      const minted = await requestToken(egress, account, owner);
      if (!('failure' in minted)) valid = minted;
      return minted;
    } finally {
      minting = undefined;
    }
  }
  return async (timeoutMs: number, rejected?: string): Promise<Minted> => {
    if (valid && valid.token !== rejected && valid.expiresAtMs > Date.now()) return valid;
    minting ??= mint();
    return within(minting, timeoutMs);
  };
}

async function within(work: Promise<Minted>, timeoutMs: number): Promise<Minted> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Minted>((resolve) => {
    timer = setTimeout(() => resolve({ failure: egressFailure('timeout') }), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function requestToken(
  egress: Egress,
  { email, key, keyId, tokenUrl }: ServiceAccount,
  owner: string,
): Promise<Minted> {
  const assertion = await new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(keyId !== undefined && { kid: keyId }) })
    .setIssuer(email)
    .setAudience(tokenUrl)
    .setIssuedAt()
    .setExpirationTime(`${String(assertionSeconds)}s`)
    .sign(key);
  const answer = await egress.post({
    url: tokenUrl,
    owner,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: grantType, assertion }).toString(),
    timeoutMs: mintTimeoutMs,
  });
  if (answer.kind === 'failed') return { failure: egressFailure(answer.code) };
  const { status, bodyExcerpt } = answer;
  if (status !== 200) return { failure: mintFailure(status) };
  const json = parsed(bodyExcerpt);
  if (!Answer.Check(json)) return { failure: mintFailure(502) };
  const lifetimeMs = Math.min(json.expires_in, assertionSeconds) * 1_000;
  return { token: json.access_token, expiresAtMs: Date.now() + lifetimeMs - earlyMs };
}

/** RFC 6749 §5.2: an assertion that is not accepted is answered with 400 or 401. */
function mintFailure(status: number): Failure {
  const isRejected = [400, 401, 403].includes(status);
  const code = isRejected ? 'token_rejected' : `token_http_${String(status)}`;
  return { kind: 'later', code, outage: { isSure: isRejected } };
}
