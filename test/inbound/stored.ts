import { randomUUID } from 'node:crypto';
import { callbackOf, sealRaw } from '../../src/inbound/intake/callback.ts';
import type { TestApi, TestTeam } from '../support/api.ts';

/** Columns of a stored delivery that differ from those of a good one. */
export interface StoredFields {
  status?: string;
  is_test?: boolean;
  event_type?: string;
  payload?: object | null;
  receiver_kind?: string;
  received_at?: string;
  body_sha256?: string | null;
  error?: { code: string; detail: string } | null;
  next_attempt_at?: string;
}

/**
 * Deliveries of a receiver that arrived a while ago and have no effects yet, received one
 * millisecond after the other; `fields` gives the differences of each. Returns their ids in order.
 */
export async function storeDeliveries(
  api: TestApi,
  team: TestTeam,
  receiverId: string,
  count: number,
  fields: (at: number) => StoredFields = () => ({}),
): Promise<string[]> {
  const beganMs = Date.now() - 60_000 - count;
  const rows = Array.from({ length: count }, (_, at) => {
    const id = randomUUID();
    const received_at = new Date(beganMs + at).toISOString();
    const row = {
      id,
      team_id: team.id,
      receiver_id: receiverId,
      receiver_kind: 'generic_hmac',
      status: 'failed',
      mode: 'native',
      signature_status: 'verified',
      is_test: false,
      http_status: 200,
      event_type: 'deposit.received',
      dedup_key: id,
      duplicate_count: 0,
      payload: {
        kind: 'generic_hmac',
        event_type: 'deposit.received',
        event_id: id,
        occurred_at: received_at,
        contact_unique_id: 'ada',
      },
      headers: {},
      size_bytes: 100,
      body_sha256: '00',
      attempts: 1,
      effects: [],
      replay_count: 0,
      received_at,
      ...fields(at),
    };
    return { ...row, day: row.received_at.slice(0, 10) };
  });
  await api.db.look(
    (sql) => sql`
      insert into inbound_deliveries
      select * from jsonb_populate_recordset(null::inbound_deliveries,
        ${JSON.stringify(rows)}::text::jsonb)`,
  );
  return rows.map(({ id }) => id);
}

/** A delivery with an unrecognized body, with the bytes of its callback. */
export async function storeUnread(
  api: TestApi,
  team: TestTeam,
  receiverId: string,
  kind: string,
  body: string,
): Promise<string> {
  const [id = ''] = await storeDeliveries(api, team, receiverId, 1, () => ({
    receiver_kind: kind,
    payload: null,
    error: { code: 'payload_unrecognised', detail: 'The body cannot be read.' },
  }));
  const path = `/v2/webhooks/inbound/${kind}/${receiverId}`;
  const raw = { path, content_type: 'application/json', encoding: 'utf8' as const, body };
  const sealed = sealRaw(
    api.keyring,
    callbackOf(api.config.publicBaseUrl, raw, Date.now()),
    team.id,
    id,
  );
  await api.db.look(
    (sql) => sql`
      insert into inbound_raw (day, id, team_id, receiver_id, sealed_callback)
      select day, id, team_id, receiver_id, ${sealed} from inbound_deliveries where id = ${id}`,
  );
  return id;
}

export interface ReplayedRow {
  id: string;
  status: string;
  effects: string[];
  replay_count: number;
  event_type: string | null;
  event_index: number | null;
  payload: Record<string, unknown> | null;
  error: { code: string } | null;
}

/** The current deliveries of a receiver, in their order. */
export const storedRows = (api: TestApi, receiverId: string) =>
  api.db.look(
    (sql) => sql<ReplayedRow[]>`
      select id, status, effects, replay_count, event_type, event_index, payload, error
      from inbound_deliveries where receiver_id = ${receiverId}
      order by received_at, event_index, id`,
  );

/** Engagement events that a receiver produced. */
export async function countEngagement(api: TestApi, receiverId: string): Promise<number> {
  const [row] = await api.db.look(
    (sql) => sql<{ count: number }[]>`
      select count(*)::int as count from engagement_events where receiver_id = ${receiverId}`,
  );
  return row?.count ?? 0;
}
