import { allowsSurface } from '../../platform/auth/principal.ts';
import type { TokenService } from '../../platform/auth/tokens.ts';
import type { VerificationTools } from '../../platform/egress/verification-tools.ts';
import { fail } from '../../platform/http/errors.ts';
import type { HttpError } from '../../platform/http/errors.ts';
import { challenge, checkScopes } from '../../platform/http/authorize.ts';
import { callbackScope } from '../../platform/http/endpoint.ts';
import { at, recordAt, textAt } from '../read-json.ts';
import type { Callback, OneTimeToken, Verification, ReceiverKind } from '../receiver.ts';
import { verifyStandardWebhook } from '../signatures/standard-webhooks.ts';
import type { KnownReceiver } from './known-receivers.ts';

/** Form of a callback. ADR 36. */
export type Mode = 'native' | 'normalized' | 'normalized_enveloped' | 'bearer';

export interface Origin {
  mode: Mode;
  signatureStatus: 'verified' | 'unsigned';
  /** The part of the signature that can be used only once. */
  token?: OneTimeToken | undefined;
  /** The settings by which the signature is valid. */
  settings: Readonly<Record<string, unknown>>;
}

interface Verifiers {
  tokens: Pick<TokenService, 'verify'>;
  verificationTools: VerificationTools;
  /** Where the callback came from, for the networks of a client whose token it carries. */
  address: string;
}

/**
 * Verifies the origin of a callback. Throws 401 for an invalid signature, or for a missing one if a
 * signature is required. Throws 503 if a certificate or key cannot be fetched. Without readable
 * settings, the callback is rejected.
 */
export async function authenticateCallback(
  verifiers: Verifiers,
  receiver: KnownReceiver,
  callback: Callback,
): Promise<Origin> {
  const [current] = receiver.settings;
  if (!current)
    throw refusal('signature_invalid', 'The signature cannot be verified at the moment.');
  const isNative = receiver.definition.isNative(callback);
  const bearer = bearerOf(callback);
  if (!isNative && bearer !== undefined && isOurToken(bearer)) {
    await checkToken(verifiers, receiver, bearer);
    return { mode: 'bearer', signatureStatus: 'verified', settings: current };
  }
  const mayBeEnveloped = 'raw_topic_envelope' in receiver.definition.payload.properties;
  if (!isNative && mayBeEnveloped && recordAt(callback.json, 'raw_topic_envelope')) {
    return verifyEnvelope(verifiers, receiver, callback);
  }

  const signedByRelay = () => verifyStandardWebhook(callback, receiver.relaySecrets);
  const claimsKind = isOfKind(callback.json, receiver.definition.kind);
  let relay = isNative || !claimsKind ? missing : signedByRelay();
  if (relay.status === 'valid') {
    return { mode: 'normalized', signatureStatus: 'verified', settings: current };
  }
  const { verification: own, settings } = await verifyOwn(verifiers, receiver, callback);
  if (own.status === 'valid') {
    // Native, unless the body names the kind as normalized payloads do.
    const mode = isNative || !claimsKind ? 'native' : 'normalized';
    return { mode, signatureStatus: 'verified', settings, token: own.token };
  }
  if (!isNative && !claimsKind) relay = signedByRelay();
  const mode = isNative ? 'native' : 'normalized';
  if (relay.status === 'valid') return { mode, signatureStatus: 'verified', settings: current };
  // A wrong signature of a relay is reported first: other kinds have no scheme with those headers.
  const verification = relay.status === 'missing' ? own : relay;
  if (
    verification.status === 'missing' &&
    callback.headers['authorization'] !== undefined &&
    !isNative
  ) {
    await checkToken(verifiers, receiver, bearer ?? '');
  }
  if (verification.status !== 'missing') throw refusalOf(verification);
  if (receiver.signatureRequired) {
    throw refusal('signature_missing', 'The call has no signature and no token.');
  }
  return { mode, signatureStatus: 'unsigned', settings: current };
}

const missing: Verification = { status: 'missing' };

/** Whether a body, or an element of a list, names the kind as normalized payloads do. */
function isOfKind(json: unknown, kind: ReceiverKind): boolean {
  const payloads: unknown[] = Array.isArray(json) ? json : [json];
  return payloads.some((payload) => at(payload, 'kind') === kind);
}

/** Verifies a callback by the scheme of its kind, with the current settings, or those before a rotation. */
async function verifyOwn(
  { verificationTools }: Verifiers,
  { definition, settings: candidates }: KnownReceiver,
  callback: Callback,
): Promise<{ verification: Verification; settings: Readonly<Record<string, unknown>> }> {
  let first:
    { verification: Verification; settings: Readonly<Record<string, unknown>> } | undefined;
  for (const settings of candidates) {
    const verification = await runVerifier(verificationTools, (tools) =>
      definition.verify(callback, settings, tools),
    );
    if (verification.status === 'valid') return { verification, settings };
    first ??= { verification, settings };
  }
  return first ?? { verification: { status: 'invalid' }, settings: {} };
}

/** A failed fetch is an error of the service; any other error is caused by a forged signature. */
async function runVerifier(
  tools: VerificationTools,
  verify: (tools: VerificationTools) => Promise<Verification>,
): Promise<Verification> {
  const away = new Set<unknown>();
  const watch = <Result>(pending: Promise<Result>) => {
    pending.catch((error: unknown) => away.add(error));
    return pending;
  };
  const { fetchIssuer } = tools;
  const watched: VerificationTools = {
    trustedRoots: tools.trustedRoots,
    fetchCertificate: (url) => watch(tools.fetchCertificate(url)),
    ...(fetchIssuer && { fetchIssuer: (url) => watch(fetchIssuer(url)) }),
    fetchKeySet: (want) => watch(tools.fetchKeySet(want)),
  };
  try {
    return await verify(watched);
  } catch (error) {
    if (!away.has(error)) return { status: 'invalid' };
    throw fail('unavailable', {
      detail: 'The verification keys are unavailable at the moment; send the request again.',
      headers: { 'Retry-After': '30' },
    });
  }
}

/** Verifies a normalized body that carries the unchanged notification and agrees with it. */
async function verifyEnvelope(
  verifiers: Verifiers,
  receiver: KnownReceiver,
  callback: Callback,
): Promise<Origin> {
  const { verification, settings } = await verifyOwn(verifiers, receiver, callback);
  if (verification.status === 'missing')
    throw refusal('signature_invalid', 'The envelope is not signed.');
  if (verification.status !== 'valid') throw refusalOf(verification);
  return { mode: 'normalized_enveloped', signatureStatus: 'verified', settings };
}

async function checkToken(
  { tokens, address }: Verifiers,
  { teamId }: KnownReceiver,
  token: string,
) {
  const principal = await tokens.verify(token, address);
  if (!allowsSurface(principal.tokenKind, 'partner')) {
    throw fail('token_kind_not_allowed', {
      detail: `A ${principal.tokenKind} token does not reach the partner surface.`,
      meta: { surface: 'partner', token_kind: principal.tokenKind },
    });
  }
  if (principal.teamId !== teamId) {
    throw fail('token_invalid', { detail: 'The token does not belong to the receiver’s team.' });
  }
  checkScopes(principal, callbackScope);
}

function bearerOf({ headers }: Callback): string | undefined {
  return /^bearer +([\w.~+/-]+=*) *$/i.exec(headers['authorization'] ?? '')?.[1];
}

/** Our tokens say their type in the header (RFC 9068); those of a message bus do not. */
function isOurToken(token: string): boolean {
  try {
    const header: unknown = JSON.parse(
      Buffer.from(token.split('.')[0] ?? '', 'base64url').toString('utf8'),
    );
    return textAt(header, 'typ') === 'at+jwt';
  } catch {
    return false;
  }
}

function refusalOf({ status, detail = 'The signature is not valid.' }: Verification): HttpError {
  return refusal(status === 'expired' ? 'signature_expired' : 'signature_invalid', detail);
}

function refusal(
  code: 'signature_missing' | 'signature_invalid' | 'signature_expired',
  detail: string,
): HttpError {
  return fail(code, { detail, headers: challenge() });
}
