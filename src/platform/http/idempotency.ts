import { createHash } from 'node:crypto';
import type { Keyring } from '../auth/keyring.ts';
import { wideningScopes } from '../auth/scopes.ts';
import type { Sql } from '../database/sql.ts';
import { awaitBeforeCommit } from '../database/transaction-context.ts';
import { fail } from './errors.ts';

/** Time for which a response is stored for repeats of the same request. */
const lifetime = '24 hours';

/** A finished response, ready to be sent. */
export interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | null;
  /** Instead of a body, one that is made while it is sent; not stored. */
  text?: AsyncIterable<string>;
  /** The value behind the body; not stored, so that a repeat has none. */
  shown?: unknown;
}

export interface IdempotencyClaim {
  teamId: string;
  clientId: string;
  keyHash: Buffer;
  fingerprint: Buffer;
}

interface Row extends StoredAnswer {
  fingerprint: Uint8Array;
  is_sealed: boolean;
}

/** Reads the header: bare or a quoted string, 1–255 visible ASCII characters. */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw fail('idempotency_key_invalid', {
    detail: 'Idempotency-Key must be 1 to 255 visible ASCII characters.',
    meta: { parameter: 'Idempotency-Key' },
  });
}

/** The 400 of a request that must not be made without a key. */
export function keyRequired() {
  return fail('idempotency_key_required', {
    detail: 'This request needs the header Idempotency-Key, which identifies its repeats.',
    meta: { parameter: 'Idempotency-Key' },
  });
}

/**
 * Identifies a request for repeats: method, path, query and the bytes of the body. Scopes that
 * extend a response are included: a token without them must not get the extended response.
 */
export function claimOf(
  { teamId, clientId, scopes }: { teamId: string; clientId: string; scopes: ReadonlySet<string> },
  key: string,
  request: { method: string; url: string; body: Uint8Array | undefined },
): IdempotencyClaim {
  const fingerprint = createHash('sha256').update(`${request.method} ${request.url}\n`);
  if (request.body) fingerprint.update(request.body);
  for (const scope of wideningScopes) {
    if (scopes.has(scope)) fingerprint.update(`\n${scope}`);
  }
  return {
    teamId,
    clientId,
    keyHash: createHash('sha256').update(key).digest(),
    fingerprint: fingerprint.digest(),
  };
}

/**
 * Claims the key for the current transaction, and returns the stored response of a finished
 * request. Throws immediately when the key is in use, or was used for another request.
 */
export async function claimKey(
  sql: Sql,
  keyring: Keyring,
  claim: IdempotencyClaim,
): Promise<StoredAnswer | undefined> {
  const { teamId, clientId, keyHash } = claim;
  const lock = createHash('sha256').update(`${teamId} ${clientId} `).update(keyHash).digest();
  const [attempt] = await sql<{ locked: boolean }[]>`
    select pg_try_advisory_xact_lock(${lock.readBigInt64BE().toString()}::bigint) as locked`;
  if (!attempt?.locked) {
    throw fail('idempotency_in_progress', {
      detail: 'The first request with this key has not finished.',
      headers: { 'Retry-After': '1' },
    });
  }
  const [row] = await sql<Row[]>`
    select fingerprint, status, headers, body, is_sealed from idempotency_keys
    where team_id = ${teamId} and client_id = ${clientId} and key_hash = ${keyHash}
      and expires_at > now()`;
  if (!row) return undefined;
  if (!claim.fingerprint.equals(row.fingerprint)) {
    throw fail('idempotency_key_reused', {
      detail: 'This key belongs to a request with another method, path, query or body.',
      meta: { parameter: 'Idempotency-Key' },
    });
  }
  const body =
    row.is_sealed && row.body !== null ? keyring.open(row.body, answerPlace(claim)) : row.body;
  return { status: row.status, headers: row.headers, body };
}

/** Stores the response in the transaction of its request; secrets in it are sealed. */
export function storeAnswer(
  sql: Sql,
  keyring: Keyring,
  claim: IdempotencyClaim,
  answer: StoredAnswer,
  isSecret: boolean,
): void {
  const body =
    isSecret && answer.body !== null ? keyring.seal(answer.body, answerPlace(claim)) : answer.body;
  const { teamId, clientId, keyHash, fingerprint } = claim;
  const storing = sql`
    insert into idempotency_keys
      (team_id, client_id, key_hash, fingerprint, status, headers, body, is_sealed, contact_ids,
       expires_at)
    values (${teamId}, ${clientId}, ${keyHash}, ${fingerprint}, ${answer.status},
      ${sql.json(answer.headers)}, ${body}, ${isSecret && body !== null},
      ${contactIdsIn(answer.shown)}::uuid[], now() + ${lifetime}::interval)
    on conflict (team_id, client_id, key_hash) do update
    set fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers,
      body = excluded.body, is_sealed = excluded.is_sealed, contact_ids = excluded.contact_ids,
      inserted_at = now(),
      expires_at = excluded.expires_at`;
  awaitBeforeCommit(sql, storing);
}

/** Contacts in a response, whose erasure deletes it. Null for none. */
function contactIdsIn(shown: unknown): string[] | null {
  const ids = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, field] of Object.entries(value)) {
      if (name === 'contact_id' && typeof field === 'string') ids.add(field);
      walk(field);
    }
    const { id, type, resource_type: kind }: Record<string, unknown> = { ...value };
    if ((type === 'contact' || kind === 'contact') && typeof id === 'string') ids.add(id);
  };
  walk(shown);
  return ids.size > 0 ? [...ids] : null;
}

/** Place to which a stored response is sealed. */
export function answerPlace({
  teamId,
  clientId,
  keyHash,
}: Pick<IdempotencyClaim, 'teamId' | 'clientId' | 'keyHash'>): string[] {
  return ['idempotency_keys', 'body', teamId, `${clientId} ${keyHash.toString('hex')}`];
}
