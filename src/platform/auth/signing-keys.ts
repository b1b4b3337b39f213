import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { exportJWK, generateKeyPair, importJWK } from 'jose';
import type { CryptoKey, JWK } from 'jose';
import type { Database } from '../database/client.ts';
import type { Sql } from '../database/sql.ts';
import type { Keyring } from './keyring.ts';

export const signingAlgorithm = 'ES256';
/** Access tokens outlive their key's retirement by nothing: token lifetime plus five minutes. */
const overlapAfter = '65 minutes';
/** Days for which a key signs. */
const signingKeyDays = 90;
/** Between the publication of a key and its first signature: every process has read it by then. */
const publishedForSeconds = 60;
/** Together with the cache time of a verified token, it stays below the promised 10 seconds. */
export const reloadAfterMs = 4_000;
/** Between loads for unknown key ids, so that strangers cannot cause more than ten a second. */
const loadGapMs = 100;

interface KeyRow {
  id: string;
  public_jwk: JWK;
  sealed_private_jwk: string;
  activates_at: string;
}

interface SigningKey {
  id: string;
  publicJwk: JWK;
  publicKey: CryptoKey;
  privateKey: CryptoKey;
  activatesAtMs: number;
}

export interface SigningKeys {
  /** The key to sign with now. */
  current(): Promise<SigningKey>;
  /** The key of a token, or undefined when no accepted key has this id. */
  find(id: string): Promise<SigningKey | undefined>;
  /** The public halves, as /.well-known/jwks.json shows them. */
  published(): Promise<JWK[]>;
}

/** Makes the first signing key where there is none; safe to call from several processes. */
export async function ensureSigningKey(sql: Sql, keyring: Keyring): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('signing keys'))`;
  const [usable] = await sql`select from signing_keys where retires_at is null`;
  if (!usable) await insertSigningKey(sql, keyring, 0);
}

/**
 * Adds a key that is published immediately and signs after `delaySeconds`. Retires each older key
 * when every token that it signed has expired. Returns the id of the new key.
 */
export async function rotateSigningKey(
  sql: Sql,
  keyring: Keyring,
  delaySeconds: number,
): Promise<string> {
  await sql`select pg_advisory_xact_lock(hashtext('signing keys'))`;
  const id = await insertSigningKey(sql, keyring, delaySeconds);
  await sql`
    update signing_keys
    set retires_at = now() + make_interval(secs => ${delaySeconds}) + ${overlapAfter}::interval
    where id <> ${id} and retires_at is null`;
  return id;
}

/**
 * Rotates where the newest key has signed for its whole term. Returns the id of the new key, or
 * undefined where there was no need. The first key is made by the API, which signs with it at once.
 */
export async function rotateOldSigningKey(sql: Sql, keyring: Keyring): Promise<string | undefined> {
  await sql`select pg_advisory_xact_lock(hashtext('signing keys'))`;
  const [newest] = await sql<[{ is_old: boolean | null }]>`
    select max(activates_at) <= now() - make_interval(days => ${signingKeyDays}) as is_old
    from signing_keys where retires_at is null`;
  return newest.is_old ? rotateSigningKey(sql, keyring, publishedForSeconds) : undefined;
}

/**
 * Ends a key now, for one that was compromised: no process accepts it once it has read the keys
 * again, which it does every few seconds. If no other key can sign now, a new one does. Returns the
 * id of the new key, null where there was no need, and undefined where no such key is accepted.
 */
export async function revokeSigningKey(
  sql: Sql,
  keyring: Keyring,
  id: string,
): Promise<string | null | undefined> {
  await sql`select pg_advisory_xact_lock(hashtext('signing keys'))`;
  const revoked = await sql`
    update signing_keys set retires_at = now()
    where id = ${id} and (retires_at is null or retires_at > now())`;
  if (revoked.count === 0) return undefined;
  const [usable] = await sql`
    select from signing_keys where retires_at is null and activates_at <= now()`;
  return usable ? null : insertSigningKey(sql, keyring, 0);
}

export interface SigningKeyStamps {
  id: string;
  activates_at: string;
  retires_at: string | null;
  state: 'upcoming' | 'current' | 'accepted' | 'retired';
}

/** Every signing key with what it is good for now, the newest first. */
export async function listSigningKeys(sql: Sql): Promise<SigningKeyStamps[]> {
  return sql<SigningKeyStamps[]>`
    select id, activates_at, retires_at,
      case when retires_at <= now() then 'retired'
        when activates_at > now() then 'upcoming'
        when activates_at = max(activates_at) filter (where activates_at <= now()) over ()
          then 'current'
        else 'accepted' end as state
    from signing_keys
    order by activates_at desc`;
}

async function insertSigningKey(sql: Sql, keyring: Keyring, delaySeconds: number) {
  const { publicKey, privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
  const id = randomUUID();
  const publicJwk = { ...(await exportJWK(publicKey)), kid: id, alg: signingAlgorithm, use: 'sig' };
  const sealed = keyring.seal(
    JSON.stringify(await exportJWK(privateKey)),
    signingKeySealContext(id),
  );
  await sql`
    insert into signing_keys (id, public_jwk, sealed_private_jwk, activates_at)
    values (${id}, ${sql.json(publicJwk)}, ${sealed},
            now() + make_interval(secs => ${delaySeconds}))`;
  return id;
}

/** Seal context of a private key. */
export function signingKeySealContext(id: string): string[] {
  return ['signing_keys', 'sealed_private_jwk', '', id];
}

export function createSigningKeys(database: Database, keyring: Keyring): SigningKeys {
  let keys: readonly SigningKey[] = [];
  let loadedAtMs = -Infinity;
  let startedAtMs = -Infinity;
  let loading: Promise<void> | undefined;
  let upcoming: Promise<void> | undefined;

  async function load(): Promise<void> {
    const startedMs = performance.now();
    startedAtMs = startedMs;
    const rows = await database.read(
      (sql) => sql<KeyRow[]>`
        select id, public_jwk, sealed_private_jwk, activates_at from signing_keys
        where retires_at is null or retires_at > now()
        order by activates_at desc`,
    );
    keys = await Promise.all(rows.map((row) => open(row)));
    // A change that was committed during the load may be missing in it.
    loadedAtMs = startedMs;
  }

  async function open(row: KeyRow): Promise<SigningKey> {
    const known = keys.find((key) => key.id === row.id);
    if (known) return known;
    const privateJwk: unknown = JSON.parse(
      keyring.open(row.sealed_private_jwk, signingKeySealContext(row.id)),
    );
    return {
      id: row.id,
      publicJwk: row.public_jwk,
      publicKey: await importKey(row.public_jwk),
      privateKey: await importKey(isJwk(privateJwk) ? privateJwk : {}),
      activatesAtMs: Date.parse(row.activates_at),
    };
  }

  async function refresh(olderThanMs: number): Promise<void> {
    if (performance.now() - loadedAtMs < olderThanMs) return;
    loading ??= load().finally(() => {
      loading = undefined;
    });
    await loading;
  }

  /** A load that begins after this call; callers share it. */
  function reload(): Promise<void> {
    upcoming ??= pause(Math.max(0, startedAtMs + loadGapMs - performance.now())).then(() => {
      upcoming = undefined;
      return load();
    });
    return upcoming;
  }

  return {
    async current() {
      await refresh(reloadAfterMs);
      const key = keys.find(({ activatesAtMs }) => activatesAtMs <= Date.now()) ?? keys.at(-1);
      if (!key)
        throw new Error('there is no signing key; run `npm run admin -- keys rotate-signing`');
      return key;
    },
    async find(id) {
      const known = keys.find((key) => key.id === id);
      if (known) {
        // A key that was revoked must end within seconds, so that no copy of it is older.
        await refresh(reloadAfterMs);
        return keys.find((key) => key.id === id);
      }
      // A token may be signed with a key that was made a moment ago, in another process.
      await reload();
      return keys.find((key) => key.id === id);
    },
    async published() {
      await refresh(reloadAfterMs);
      return keys.map((key) => key.publicJwk);
    },
  };
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, signingAlgorithm);
  if (key instanceof Uint8Array) throw new Error('a signing key is not an asymmetric key');
  return key;
}

function isJwk(value: unknown): value is JWK {
  return typeof value === 'object' && value !== null && 'kty' in value;
}
