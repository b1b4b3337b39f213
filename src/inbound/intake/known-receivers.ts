import { LRUCache } from 'lru-cache';
import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Database } from '../../platform/database/client.ts';
import type { Log } from '../../platform/observability/log.ts';
import { receiverSecretSealContext } from '../incoming-webhook-receivers/verification/queries.ts';
import type { ReceiverDefinition } from '../receiver.ts';
import { receivers } from '../receivers.ts';
import { findReceiver } from './queries.ts';
import type { StoredReceiver } from './queries.ts';

type Settings = Readonly<Record<string, unknown>>;

/** A receiver as calls are verified by it. */
export interface KnownReceiver {
  id: string;
  teamId: string;
  tier: string;
  definition: ReceiverDefinition;
  isActive: boolean;
  dedupWindowSeconds: number;
  signatureRequired: boolean;
  insertedAt: string;
  /** With opened secrets: as they are, then as before what was replaced. Empty: cannot be read. */
  settings: readonly Settings[];
  /** Live secrets of ours, newest first. */
  relaySecrets: readonly string[];
}

/** A change is visible after this time in other processes, and immediately in the one that made it. */
const ageMs = 1_000;
/** Unknown ids are never assigned later, so the answer can be cached. */
const unknownMs = 30_000;

/** The receivers that this process has served recently, with their secrets opened. */
export function createKnownReceivers(database: Database, keyring: Keyring, log: Log) {
  // An old one stays: while Postgres is away, the receiver keeps its budget.
  const known = new LRUCache<string, KnownReceiver>({
    max: 5_000,
    ttl: ageMs,
    noDeleteOnStaleGet: true,
  });
  const loading = new Map<string, Promise<KnownReceiver | undefined>>();
  // Apart, so that made-up ids push no receiver out.
  const unknown = new LRUCache<string, true>({ max: 10_000, ttl: unknownMs });

  async function load(id: string): Promise<KnownReceiver | undefined> {
    const row = await database.read((sql) => findReceiver(sql, id), { isPipelined: true });
    return row && open(row, keyring, log);
  }

  /** Remembers what was found, unless it was to be forgotten meanwhile. */
  async function loadOnce(id: string): Promise<KnownReceiver | undefined> {
    const pending = load(id);
    loading.set(id, pending);
    try {
      const found = await pending;
      if (loading.get(id) !== pending) return found;
      if (found) known.set(id, found);
      else unknown.set(id, true);
      return found;
    } finally {
      if (loading.get(id) === pending) loading.delete(id);
    }
  }

  return {
    async find(id: string): Promise<KnownReceiver | undefined> {
      if (unknown.has(id)) return undefined;
      return known.get(id) ?? loading.get(id) ?? loadOnce(id);
    },
    /** Whether it has been found before, however long ago. */
    knows: (id: string) => loading.has(id) || known.peek(id, { allowStale: true }) !== undefined,
    forget(id: string): void {
      known.delete(id);
      loading.delete(id);
    },
  };
}

/** Opens what is sealed. What cannot be opened leaves nothing to verify by: calls are refused. */
export function open(row: StoredReceiver, keyring: Keyring, log: Log): KnownReceiver {
  const receiver = {
    id: row.id,
    teamId: row.team_id,
    tier: row.tier,
    definition: receivers[row.receiver_kind],
    isActive: row.is_active,
    dedupWindowSeconds: row.dedup_window_seconds,
    signatureRequired: row.signature_required,
    insertedAt: row.inserted_at,
  };
  try {
    const secrets = row.secrets.map(({ name, sealed_secret, expires_at }) => ({
      name,
      text: keyring.open(sealed_secret, receiverSecretSealContext(row.team_id, row.id)),
      isCurrent: expires_at === null,
    }));
    const ours = (name: string) =>
      secrets.filter((secret) => secret.name === name).map(({ text }) => text);
    const named = (isCurrent: boolean) =>
      Object.fromEntries(
        secrets
          .filter((secret) => secret.isCurrent === isCurrent)
          .map((one) => [one.name, one.text]),
      );
    const relaySecrets = ours('relay_secret');
    const shared = { relay_secrets: relaySecrets, receiver_tokens: ours('receiver_token') };
    const current = { ...row.settings, ...named(true), ...shared };
    const replaced = secrets.some(
      ({ name, isCurrent }) => !isCurrent && receiver.definition.secretSettings.includes(name),
    );
    const settings = replaced ? [current, { ...current, ...named(false), ...shared }] : [current];
    return { ...receiver, settings, relaySecrets };
  } catch (error) {
    log.error({ err: error, receiver_id: row.id }, 'the secrets of a receiver cannot be opened');
    return { ...receiver, settings: [], relaySecrets: [] };
  }
}
