import { LRUCache } from 'lru-cache';
import type { Database } from '../database/client.ts';
import type { Sql } from '../database/sql.ts';
import { fail } from '../http/errors.ts';
import { tokenInvalid } from './jwt.ts';
import type { Assurance, Principal, Recipient } from './principal.ts';
import { sessionHash } from './session-secret.ts';
import type { WidgetTokens } from './widget-tokens.ts';

/**
 * Resolves the callers of the widget surface. Only unknown secrets are cached, so that the end of a
 * session takes effect immediately.
 */
export interface Recipients {
  /**
   * Returns the principal of a widget token. Throws token_invalid, token_expired and
   * session_expired.
   */
  ofToken(token: string): Promise<Principal>;
  /** Returns the principal of the secret of a cookie. Throws session_expired. */
  ofSession(secret: string): Promise<Principal>;
  /** Records an admitted request of a recipient, which extends the assurance. */
  recordRequest(principal: Principal): Promise<void>;
}

interface Row {
  tier: string;
  /** Whether the journey, its contact and the widget still allow access. */
  is_open: boolean;
  session_id: string | null;
  origins: string[];
}
interface TokenRow extends Row {
  contact_id: string | null;
  journey_id: string | null;
  is_good: boolean;
}
interface SessionRow extends Row {
  team_id: string;
  session_id: string;
  assurance: Assurance;
  /** Whether the last request was stored long enough ago to store another. */
  is_stale: boolean;
  client_id: string | null;
  widget_instance_id: string | null;
  contact_id: string;
  journey_id: string;
  token_id: string | null;
  scopes: string[];
  locale: string | null;
}

/** Time for which the end of a journey, such as a page that says thanks, is still shown. */
const grace = '24 hours';

/** Lifetime of an assurance in a session; the session itself lasts as long as its journey. */
const assuranceLimits = {
  /** Without a request. */
  idle: '30 minutes',
  absolute: '12 hours',
  /** Requests within this time after a stored one are not stored. */
  precision: '1 minute',
};

/** An unknown secret never becomes that of a session later. */
const unknownMs = 30_000;

export function createRecipients(database: Database, tokens: WidgetTokens): Recipients {
  const unknown = new LRUCache<string, true>({ max: 10_000, ttl: unknownMs });
  /** Sessions whose last request was stored long enough ago to store another. */
  const stale = new WeakMap<Principal, SessionRow>();
  return {
    async ofToken(token) {
      const claims = await tokens.read(token);
      const { teamId, clientId, widgetInstanceId, tokenId } = claims;
      const row = await database.read((sql) => findToken(sql, claims));
      if (!row?.is_good) throw tokenInvalid();
      if (!row.is_open) throw sessionExpired();
      const { origin, locale, isAuthenticated, scopes } = claims;
      return principalOf(
        { ...row, kind: 'widget_instance', teamId, clientId, scopes },
        {
          // After an enrollment, the token belongs to the enrolled contact.
          contactId: row.contact_id,
          journeyId: row.journey_id,
          widgetInstanceId,
          tokenId,
          locale,
          sessionId: row.session_id,
          // A passed challenge belongs to the cookie: the holder of the token may be another.
          assurance: isAuthenticated ? 'authenticated' : 'none',
          origins: row.origins.filter((allowed) => origin === null || allowed === origin),
        },
      );
    },
    async ofSession(secret) {
      const hash = sessionHash(secret);
      const hashText = hash.toString('base64');
      if (unknown.has(hashText)) throw sessionExpired();
      const row = await database.read((sql) => findSession(sql, hash));
      if (!row) unknown.set(hashText, true);
      if (!row?.is_open) throw sessionExpired();
      const { team_id: teamId, client_id: clientId, scopes, assurance, locale, origins } = row;
      const principal = principalOf(
        { ...row, kind: 'recipient_session', teamId, clientId: clientId ?? '', scopes },
        {
          widgetInstanceId: row.widget_instance_id,
          contactId: row.contact_id,
          journeyId: row.journey_id,
          tokenId: row.token_id,
          sessionId: row.session_id,
          assurance,
          locale,
          origins,
        },
      );
      if (row.is_stale) stale.set(principal, row);
      return principal;
    },
    async recordRequest(principal) {
      const row = stale.get(principal);
      if (!row) return;
      await database.transact((sql) => writeRequest(sql, row.team_id, row.session_id));
    },
  };
}

async function findToken(
  sql: Sql,
  claims: Awaited<ReturnType<WidgetTokens['read']>>,
): Promise<TokenRow | undefined> {
  const { teamId, clientId, widgetInstanceId, contactId, journeyId, tokenId } = claims;
  const [found] = await sql<TokenRow[]>`
    select t.tier, s.id as session_id,
      coalesce(${journeyId}::uuid, s.journey_id) as journey_id,
      coalesce(${contactId}::uuid, s.contact_id) as contact_id,
      w.allowed_origins as origins, ${isWidgetOpen(sql)}
        and (coalesce(${journeyId}::uuid, s.journey_id) is null
          or ${isJourneyOpen(sql)} and j.contact_id = c.id)
        and c.erased_at is null as is_open,
      coalesce(k.suspended_at is null and k.id is not null, false)
        and ${claims.issuedAtMs} >= extract(epoch from k.tokens_valid_after) * 1000
        and ${claims.issuedAtMs} >= extract(epoch from w.tokens_valid_after) * 1000
        and not exists (select from revoked_tokens r where r.token_id = ${tokenId}) as is_good
    from widget_instances w
    join teams t on t.id = w.team_id
    left join clients k on k.team_id = w.team_id and k.id = ${clientId}
    left join recipient_sessions s on s.team_id = w.team_id and s.token_id = ${tokenId}
    left join journeys j on j.team_id = w.team_id
      and j.id = coalesce(${journeyId}::uuid, s.journey_id)
    left join contacts c on c.team_id = w.team_id
      and c.id = coalesce(${contactId}::uuid, s.contact_id)
    where w.team_id = ${teamId} and w.id = ${widgetInstanceId}`;
  return found;
}

async function findSession(sql: Sql, hash: Buffer): Promise<SessionRow | undefined> {
  const [found] = await sql<SessionRow[]>`
    select s.team_id, s.client_id, s.widget_instance_id, s.contact_id, s.journey_id,
      s.token_id, s.scopes, s.locale, s.id as session_id, t.tier,
      ${assuranceOf(sql)} as assurance, s.assurance <> 'none'
        and s.last_seen_at < now() - ${assuranceLimits.precision}::interval as is_stale,
      coalesce(w.allowed_origins, '{}') as origins,
      ${isJourneyOpen(sql)} and c.erased_at is null and s.expires_at > now()
        -- A merge moves the journey to another contact, who is not recognized here.
        and s.contact_id = j.contact_id
        and (s.widget_instance_id is null or ${isWidgetOpen(sql)})
        and (s.client_id is null
          or k.suspended_at is null and s.inserted_at >= k.tokens_valid_after)
        and (s.link_generation is null or s.link_generation = j.link_generation) as is_open
    from recipient_sessions s
    join teams t on t.id = s.team_id
    join journeys j on j.team_id = s.team_id and j.id = s.journey_id
    join contacts c on c.team_id = s.team_id and c.id = s.contact_id
    left join widget_instances w on w.team_id = s.team_id and w.id = s.widget_instance_id
    left join clients k on k.team_id = s.team_id and k.id = s.client_id
    where s.secret_hash = ${hash} /* any team: the secret says which */`;
  return found;
}

/** The assurance that a session still has. */
const assuranceOf = (sql: Sql) => sql`case
  when s.last_seen_at > now() - ${assuranceLimits.idle}::interval
    and s.assured_at > now() - ${assuranceLimits.absolute}::interval then s.assurance
  else 'none' end`;

/** Stores a request; also stores the end of an assurance, so that this does not renew it. */
async function writeRequest(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update recipient_sessions s set assurance = ${assuranceOf(sql)}, last_seen_at = now()
    where s.team_id = ${teamId} and s.id = ${id}`;
}

const isWidgetOpen = (sql: Sql) =>
  sql`coalesce(w.is_active and w.archived_at is null and w.deleted_at is null, false)`;

const isJourneyOpen = (sql: Sql) => sql`coalesce(
  coalesce(j.completed_at, j.exited_at, 'infinity') + ${grace}::interval > now(), false)`;

interface Caller {
  kind: 'widget_instance' | 'recipient_session';
  teamId: string;
  clientId: string;
  scopes: readonly string[];
  tier: string;
}

function principalOf(
  { kind, teamId, clientId, scopes, tier }: Caller,
  recipient: Recipient,
): Principal {
  return { tokenKind: kind, teamId, clientId, scopes: new Set(scopes), tier, recipient };
}

/** The 401 of a session that has ended, or never was. */
export function sessionExpired() {
  return fail('session_expired', {
    detail: 'The session has ended; open the link again, or let the page request a new token.',
  });
}
