import { createHash } from 'node:crypto';
import type { Keyring } from '../auth/keyring.ts';
import { wideningScopes } from '../auth/scopes.ts';
import type { Sql } from '../database/sql.ts';
import { awaitBeforeCommit } from '../database/transaction-context.ts';
import { contactIdsIn } from './contact-ids.ts';
import { fail } from './errors.ts';
import type { HttpError } from './errors.ts';

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
  team_id: string;
  client_id: string;
  key_hash: Uint8Array;
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
  request: {
    method: string;
    url: string;
    body: Uint8Array | undefined;
    /** Whether the caller may not read the resource. */
    isBlind?: boolean;
  },
): IdempotencyClaim {
  const fingerprint = createHash('sha256').update(`${request.method} ${request.url}\n`);
  if (request.body) fingerprint.update(request.body);
  for (const scope of wideningScopes) {
    if (scopes.has(scope)) fingerprint.update(`\n${scope}`);
  }
  if (request.isBlind) fingerprint.update('\nblind');
  return {
    teamId,
    clientId,
    keyHash: createHash('sha256').update(key).digest(),
    fingerprint: fingerprint.digest(),
  };
}

/**
 * Claims the keys of calls for the current transaction, each for its own team and client. For each
 * returns undefined where it is new or has no key, the stored response of a finished request, or an
 * error where the key is in use or belongs to another request. Where two calls have one key, the
 * first has it.
 */
export async function claimKeys(
  sql: Sql,
  keyring: Keyring,
  claims: readonly (IdempotencyClaim | undefined)[],
): Promise<(StoredAnswer | HttpError | undefined)[]> {
  const keyed = new Map<string, IdempotencyClaim>();
  for (const claim of claims) {
    if (claim && !keyed.has(lockOf(claim))) keyed.set(lockOf(claim), claim);
  }
  if (keyed.size === 0) return claims.map(() => undefined);
  const column = (valueOf: (claim: IdempotencyClaim) => string) =>
    Array.from(keyed.values(), valueOf);
  const locking = sql<{ key: string; locked: boolean }[]>`
    select key::text, pg_try_advisory_xact_lock(key) as locked
    from unnest(${[...keyed.keys()]}::bigint[]) as claim (key)`;
  // A statement of its own: its snapshot must include what the last holder of a lock has stored. Both
  // are sent in one trip.
  const reading = sql<Row[]>`
    select k.team_id, k.client_id, k.key_hash, k.fingerprint, k.status, k.headers, k.body, k.is_sealed
    from unnest(${column(({ teamId }) => teamId)}::uuid[],
      ${column(({ clientId }) => clientId)}::uuid[],
      ${column(({ keyHash }) => keyHash.toString('hex'))}::text[])
      as claim (team_id, client_id, key_hash)
    -- With a limit each key is looked up by itself. A plan from when the table was empty would
    -- otherwise read all keys of the team.
    cross join lateral (
      select * from idempotency_keys
      where team_id = claim.team_id and client_id = claim.client_id
        and key_hash = decode(claim.key_hash, 'hex') and expires_at > now()
      limit 1
    ) k`;
  const [locks, stored] = await Promise.all([locking, reading]);
  const locked = new Set(locks.flatMap((lock) => (lock.locked ? [lock.key] : [])));
  return claims.map((claim) => {
    if (!claim) return undefined;
    const lock = lockOf(claim);
    if (keyed.get(lock) !== claim || !locked.has(lock)) return keyInUse();
    const { teamId, clientId, keyHash } = claim;
    const row = stored.find(
      (one) => one.team_id === teamId && one.client_id === clientId && keyHash.equals(one.key_hash),
    );
    return row && repeatOf(row, keyring, claim);
  });
}

/** Advisory lock of a key, as a signed 64-bit number. */
function lockOf({ teamId, clientId, keyHash }: IdempotencyClaim): string {
  const lock = createHash('sha256').update(`${teamId} ${clientId} `).update(keyHash).digest();
  return lock.readBigInt64BE().toString();
}

function keyInUse() {
  return fail('idempotency_in_progress', {
    detail: 'The first request with this key is still running.',
    headers: { 'Retry-After': '1' },
  });
}

function repeatOf(row: Row, keyring: Keyring, claim: IdempotencyClaim): StoredAnswer | HttpError {
  if (!claim.fingerprint.equals(row.fingerprint)) {
    return fail('idempotency_key_reused', {
      detail: 'This key belongs to a request with another method, path, query or body.',
      meta: { parameter: 'Idempotency-Key' },
    });
  }
  const body =
    row.is_sealed && row.body !== null
      ? keyring.open(row.body, answerSealContext(claim))
      : row.body;
  const headers = { ...row.headers, 'Idempotent-Replayed': 'true' };
  return { status: row.status, headers, body };
}

/** The response to a request that has a key. */
export interface KeyedAnswer {
  claim: IdempotencyClaim;
  answer: StoredAnswer;
  /** Seals the body. */
  isSecret: boolean;
}

/** Stores responses to requests, each for its own team, in the transaction of the requests. */
export function storeAnswers(sql: Sql, keyring: Keyring, answers: readonly KeyedAnswer[]): void {
  if (answers.length === 0) return;
  const column = <T>(valueOf: (one: KeyedAnswer) => T) => answers.map(valueOf);
  const isSealed = ({ answer, isSecret }: KeyedAnswer) => isSecret && answer.body !== null;
  const bodyOf = (one: KeyedAnswer) =>
    isSealed(one)
      ? keyring.seal(one.answer.body ?? '', answerSealContext(one.claim))
      : one.answer.body;
  const storing = sql`
    insert into idempotency_keys
      (team_id, client_id, key_hash, fingerprint, status, headers, body, is_sealed, contact_ids,
       expires_at)
    select team_id, client_id, decode(key_hash, 'hex'),
      decode(fingerprint, 'hex'), status, headers::jsonb, body, is_sealed::boolean,
      contact_ids::uuid[],
      now() + ${lifetime}::interval
    from unnest(${column(({ claim }) => claim.teamId)}::uuid[],
      ${column(({ claim }) => claim.clientId)}::uuid[],
      ${column(({ claim }) => claim.keyHash.toString('hex'))}::text[],
      ${column(({ claim }) => claim.fingerprint.toString('hex'))}::text[],
      ${column(({ answer }) => answer.status)}::int[],
      ${column(({ answer }) => JSON.stringify(answer.headers))}::text[],
      ${column(bodyOf)}::text[], ${column((one) => Number(isSealed(one)))}::int[],
      ${column(({ answer }) => contactsOf(answer.shown))}::text[])
      as made (team_id, client_id, key_hash, fingerprint, status, headers, body, is_sealed, contact_ids)
    on conflict (team_id, client_id, key_hash) do update
    set fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers,
      body = excluded.body, is_sealed = excluded.is_sealed, contact_ids = excluded.contact_ids,
      inserted_at = now(),
      expires_at = excluded.expires_at`;
  awaitBeforeCommit(sql, storing);
}

/** Contacts in a response, whose erasure deletes it, as an array of Postgres. Null for none. */
function contactsOf(shown: unknown): string | null {
  const ids = contactIdsIn(shown, 'named');
  return ids.size > 0 ? `{${[...ids].join()}}` : null;
}

/** Seal context of a stored response. */
export function answerSealContext({
  teamId,
  clientId,
  keyHash,
}: Pick<IdempotencyClaim, 'teamId' | 'clientId' | 'keyHash'>): string[] {
  return ['idempotency_keys', 'body', teamId, `${clientId} ${keyHash.toString('hex')}`];
}
