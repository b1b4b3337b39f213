import { newSessionSecret, sessionHash } from '../../platform/auth/session-secret.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import { checkQuota } from '../../platform/resources/quota.ts';
import { linkLifetimeSeconds } from './portal-session.ts';
import { countLivePortalSessions, insertPortalSession, maxLivePortalSessions } from './queries.ts';
import type { portalPages } from './rules.ts';

interface PortalSessionRequest {
  teamId: string;
  clientId: string;
  label: string | null;
  page: (typeof portalPages)[number];
  scopes: string[];
  origins: readonly string[];
  /** Life of the session. */
  seconds: number;
}

/** Makes a session, and its link, whose secret is stored as its hash only. Throws 422. */
export async function makePortalSession(
  sql: Sql,
  publicBaseUrl: string,
  request: PortalSessionRequest,
) {
  const { teamId, clientId, label, page, scopes, origins, seconds } = request;
  await checkQuota(sql, teamId, {
    name: 'portal_sessions',
    of: 'open portal sessions',
    limit: maxLivePortalSessions,
    count: countLivePortalSessions,
  });
  const secret = newSessionSecret();
  const nowMs = Date.now();
  const row = await insertPortalSession(sql, teamId, {
    ...{ client_id: clientId, label, page, scopes },
    allowed_origins: [...new Set(origins)],
    secret_hash: sessionHash(secret),
    link_expires_at: toTimestamp(nowMs + Math.min(seconds, linkLifetimeSeconds) * 1_000),
    expires_at: toTimestamp(nowMs + seconds * 1_000),
  });
  return { ...row, url: `${publicBaseUrl}/portal/${row.id}/${row.page}#${secret}` };
}
