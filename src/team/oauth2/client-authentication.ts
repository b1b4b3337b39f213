import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { isUuid } from '../../platform/schema/fields.ts';
import { isInNetworks, networkOf } from '../../platform/http/client-address.ts';
import { fail } from '../../platform/http/errors.ts';
import type { HttpError, Subject } from '../../platform/http/errors.ts';
import { findClient, secretsToMatch } from './queries.ts';
import type { ClientRow } from './queries.ts';
import { cutText } from '../../platform/cut-text.ts';

interface Credentials {
  clientId: string;
  secret: string;
  isBasic: boolean;
}

const failureLimit = 10;
// Wrong secrets per client and network in the last minute. A brake, never a lock-out: the right
// secret is always accepted, since others may share the network. Secrets have 256 bits. ADR 16.
const failures = new LRUCache<string, number>({ max: 50_000, ttl: 60_000, noUpdateTTL: true });
const nobodysId = '00000000-0000-4000-8000-000000000000';

/** Authenticates a client by form fields or HTTP Basic, never both (RFC 6749 §2.3). */
export async function authenticateClient(
  sql: Sql,
  keyring: Keyring,
  form: URLSearchParams,
  request: { authorization: string | undefined; address: string },
): Promise<ClientRow> {
  const credentials = readCredentials(form, request.authorization);
  // An id is the same client in upper and lower case.
  const source = `${cutText(credentials.clientId, 64).toLowerCase()} ${networkOf(request.address)}`;
  const id = isUuid(credentials.clientId) ? credentials.clientId.toLowerCase() : nobodysId;
  let isRight = false;
  let subject: Subject | undefined;
  for (const { team_id: teamId, pepper_id, digest } of await secretsToMatch(sql, id)) {
    if (teamId !== null) subject = { teamId, clientId: id };
    const given = keyring.digest('pepper', credentials.secret, pepper_id ?? undefined);
    isRight = timingSafeEqual(given.digest, digest) || isRight;
  }
  const client = isRight ? await findClient(sql, id) : undefined;
  if (client && isAllowed(client, request.address)) return client;
  // Counted in the same step as it is compared, so that of many at the same time no more pass.
  const count = (failures.get(source) ?? 0) + 1;
  failures.set(source, count);
  throw count > failureLimit ? tooManyFailures() : refusal(credentials.isBasic, subject);
}

const isAllowed = ({ networks }: ClientRow, address: string) =>
  networks === null || isInNetworks(address, networks);

function tooManyFailures(): HttpError {
  return fail('rate_limited', {
    detail: 'Too many failed attempts of this client from this address.',
    meta: { class: 'token', limit: failureLimit, window_seconds: 60, retry_after_seconds: 60 },
    headers: { 'Retry-After': '60' },
  });
}

function refusal(isBasic: boolean, subject?: Subject): HttpError {
  return fail('invalid_client', {
    detail:
      'The client is unknown or suspended, its secret is wrong, or it may not be used from this address.',
    headers: isBasic ? { 'WWW-Authenticate': 'Basic realm="onward", charset="UTF-8"' } : {},
    ...(subject && { subject }),
  });
}

function readCredentials(form: URLSearchParams, authorization: string | undefined): Credentials {
  const id = form.get('client_id');
  const secret = form.get('client_secret');
  if (authorization !== undefined) {
    if (secret !== null) {
      throw fail('invalid_request', {
        detail: 'Authenticate by HTTP Basic or by form fields, not both.',
        meta: { parameter: 'client_secret' },
      });
    }
    const encoded = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(authorization)?.[1];
    if (encoded === undefined) throw refusal(true);
    const [user = '', password = ''] = splitOnce(Buffer.from(encoded, 'base64').toString('utf8'));
    const clientId = decode(user);
    if (id !== null && id !== clientId) {
      throw fail('invalid_request', {
        detail: 'client_id differs from the one in the Authorization header.',
        meta: { parameter: 'client_id' },
      });
    }
    return { clientId, secret: decode(password), isBasic: true };
  }
  if (id === null || secret === null) {
    throw fail('invalid_client', { detail: 'client_id and client_secret are required.' });
  }
  return { clientId: id, secret, isBasic: false };
}

function splitOnce(text: string): string[] {
  const at = text.indexOf(':');
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** RFC 6749 §2.3.1: both halves are form-encoded before they are joined. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', '%20'));
  } catch {
    return text;
  }
}
