import { checkTargetUrl, checkTargetHost } from '../../platform/egress/address-rules.ts';
import type { EgressRules } from '../../platform/egress/address-rules.ts';
import { failAll } from '../../platform/http/errors.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { inStoredForm, isEmail } from '../../platform/schema/email.ts';
import { isPhone } from '../../platform/schema/fields.ts';
import { readServiceAccount } from '../providers/service-account.ts';
import { invalid, isOtherServer, needsSecret, settingProblems } from './rules.ts';
import type { ProviderContent } from './rules.ts';
import { isLoopbackHost } from '../../platform/config/hosts.ts';
import type { ProviderKind } from '../providers/team-provider.ts';

/** The address of a provider in its stored form, or a reason that is written for the client. */
type Target = { ok: true; url: string; isLocal: boolean } | { ok: false; reason: string };

const smtpUrl = /^(smtps?):\/\/(\[[0-9a-f:.]+\]|[a-z0-9.-]+):(\d{1,5})$/i;

/** Checks the address of a provider by its text, as every connection checks it again. */
export function targetOf(kind: ProviderKind, text: string, rules: EgressRules): Target {
  return kind === 'smtp' ? mailTarget(text, rules) : httpTarget(text, rules);
}

function mailTarget(text: string, rules: EgressRules): Target {
  const [, scheme = '', host = '', digits = ''] = smtpUrl.exec(text) ?? [];
  if (scheme === '') return refuse('The URL must be smtp://host:port or smtps://host:port.');
  const port = Number(digits);
  const checked = checkTargetHost(host, port, rules, 'mail');
  if (!checked.ok) return checked;
  const { hostname } = checked;
  const name = hostname.includes(':') ? `[${hostname}]` : hostname;
  return {
    ok: true,
    url: `${scheme.toLowerCase()}://${name}:${String(port)}`,
    isLocal: isLoopbackHost(hostname),
  };
}

function httpTarget(text: string, rules: EgressRules): Target {
  const checked = checkTargetUrl(text, rules);
  if (!checked.ok) return checked;
  const { protocol, hostname, href } = checked.url;
  const isLocal = isLoopbackHost(hostname);
  if (protocol !== 'https:' && !isLocal) return refuse('The scheme must be https.');
  if (/[?#]/.test(text)) return refuse('The URL must not have a query or a fragment.');
  return { ok: true, url: href.replace(/\/+$/, ''), isLocal };
}

function refuse(reason: string): Target {
  return { ok: false, reason };
}

/** Characters of a secret that is no service account. */
const maxPlainSecretLength = 1_000;
const name = /^[A-Za-z0-9]([A-Za-z0-9 ]{0,9}[A-Za-z0-9])?$/;

/** Settings in their stored form; an absent secret stays, and the empty one is none. */
export interface CheckedProvider {
  content: ProviderContent;
  secret: string | undefined;
}

/**
 * Checks the settings of a provider with the secret of a body. Throws 422 with all problems.
 * `before` is undefined for a new provider.
 */
export function checkProvider(
  requested: ProviderContent,
  sent: string | null | undefined,
  before: ProviderContent | undefined,
  rules: EgressRules,
): CheckedProvider {
  // As in every optional field of a body, null and the empty text are no value.
  const given = sent === null || sent === '' ? undefined : sent;
  const problems: Problem[] = [];
  const target = targetOf(requested.kind, requested.url, rules);
  if (!target.ok) {
    const { reason: detail } = target;
    problems.push({ code: 'target_not_allowed', detail, meta: { pointer: '/url' } });
  }
  problems.push(...settingProblems(requested, target.ok && target.isLocal));
  problems.push(...senderProblems(requested));
  if (given !== undefined) problems.push(...secretProblems(requested, given, rules));
  const stored = { ...requested, senders: storedSenders(requested) };
  const content = target.ok ? { ...stored, url: target.url } : stored;
  if (given === undefined && needsSecret(requested) && target.ok) {
    const detail = reasonForSecret(before, content);
    if (detail !== undefined) problems.push(invalid('secret', 'required', detail));
  }
  if (problems.length > 0) throw failAll(problems);
  if (needsSecret(content)) return { content, secret: given };
  return { content, secret: before && !needsSecret(before) ? undefined : '' };
}

function reasonForSecret(
  before: ProviderContent | undefined,
  after: ProviderContent,
): string | undefined {
  if (!before || !needsSecret(before)) return 'secret is required.';
  if (!isOtherServer(before, after)) return undefined;
  return 'secret is required with another server.';
}

function secretProblems(content: ProviderContent, secret: string, rules: EgressRules): Problem[] {
  const { kind } = content;
  if (!needsSecret(content)) {
    return [invalid('secret', 'unknown_field', 'secret is used with an account only.')];
  }
  if (kind === 'push_a') return serviceAccountProblems(secret, rules);
  if (secret.length > maxPlainSecretLength) {
    const detail = `secret has at most ${String(maxPlainSecretLength)} characters for ${kind}.`;
    return [invalid('secret', 'max_length', detail)];
  }
  const isPlain = kind === 'smtp' ? !/\p{Cc}/u.test(secret) : /^[!-~]+$/.test(secret);
  if (isPlain) return [];
  const detail =
    'secret must not have control characters, nor spaces in a key of an HTTP interface.';
  return [invalid('secret', 'pattern', detail)];
}

/** Tokens are requested from an address in the secret. */
function serviceAccountProblems(secret: string, rules: EgressRules): Problem[] {
  const account = readServiceAccount(secret);
  if (!account) {
    const detail =
      'secret must be the JSON of a service account with client_email, project_id, token_uri and ' +
      'private_key, an RSA key of 2,048 to 4,096 bits.';
    return [invalid('secret', 'format', detail)];
  }
  const checked = checkTargetUrl(account.tokenUrl, rules);
  if (checked.ok) return [];
  const detail = `token_uri in secret: ${checked.reason}`;
  return [{ code: 'target_not_allowed', detail, meta: { pointer: '/secret' } }];
}

const storedSenders = ({ channel, senders }: ProviderContent) =>
  channel === 'email' ? senders.map(inStoredForm) : senders;

function senderProblems({ channel, senders }: ProviderContent): Problem[] {
  return senders.flatMap((sender, at) => {
    const field = `senders/${String(at)}`;
    if (channel === 'email' && !isEmail(sender)) {
      return [invalid(field, 'format', 'The sender must be an e-mail address.')];
    }
    if (channel === 'sms' && !isPhone(sender) && !name.test(sender)) {
      const detail =
        'The sender must be a number (E.164) or a name of at most 11 letters, digits and spaces.';
      return [invalid(field, 'format', detail)];
    }
    return [];
  });
}
